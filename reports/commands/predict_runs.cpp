// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/predict/from_simulation.hpp"
#include "reports/predict/next_blocks.hpp"
#include "reports/predict/next_runs.hpp"
#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/training.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct PredictOptions {
  std::vector<std::string> files;
  std::vector<std::string> nodes, sizes, simulated;
  fit::SweepOptions sweeps;
  std::string launch_spread = "10", allowance = "0", confidence = "95";
  bool training = false, no_next = false;
  std::string line_rate, latency = "0us", gradients, overlap, model, network;
  std::string out, format = "text";
};

constexpr int most_predicted_nodes = 1'000'000;

bool names_a_fit(const std::string& file) { return std::filesystem::path(file).extension() == ".json"; }

std::vector<int> nodes_of(const PredictOptions& o) {
  std::vector<int> all;
  for (const std::string& text : o.nodes) all.push_back(parse_count("--nodes", text, 1, most_predicted_nodes));
  return all;
}

double launch_spread(const PredictOptions& o) { return parse_percent("--launch-spread", o.launch_spread, 0.1, 1000); }

double confidence(const PredictOptions& o) { return parse_percent("--confidence", o.confidence, 50, 99.99); }

/// Reads the given fit, or fits the given records, of all collectives: those that are not predicted may still tell
/// which measurement would help.
fit::Fit fit_of(const PredictOptions& o) {
  if (std::ranges::any_of(o.files, names_a_fit)) {
    if (o.files.size() > 1) throw UsageError("FILE: one fit (.json), or records (.jsonl) and folders of them");
    return fit::read_fit(o.files.front());
  }
  fit::SweepOptions of_all = o.sweeps;
  of_all.collectives.clear();
  return fit::fit_runs(report::load(report::record_files(o.files), Detail::figures), of_all, launch_spread(o));
}

/// Only the requested collectives; of a fit that was read, all.
fit::Fit requested(fit::Fit all, const PredictOptions& o) {
  if (std::ranges::none_of(o.files, names_a_fit))
    std::erase_if(all.sweeps, [&](const fit::SweepFit& f) { return !wanted(o.sweeps, f.sweep.collective); });
  return all;
}

predict::Prediction predict_fitted(const PredictOptions& o, const predict::FromFitOptions& asked) {
  const fit::Fit whole = fit_of(o);
  predict::Prediction p = predict_from(requested(whole, o), asked);
  if (!o.no_next) p.next = next_runs(whole, p, asked);
  return p;
}

/// Throws UsageError if measured runs are simulated or vice versa: a simulation must never pass as a measurement.
void check_origin(const std::vector<Run>& runs, bool simulated, std::string_view flag) {
  for (const Run& run : runs)
    if (is_simulated(run.head) != simulated)
      throw UsageError(fmt::format("{}: {} is {}", flag, run.path, simulated ? "not simulated" : "simulated"));
}

struct BothOrigins {
  std::vector<Run> measured, simulated;
};

BothOrigins load_both(const PredictOptions& o) {
  if (std::ranges::any_of(o.files, names_a_fit)) throw UsageError("--simulated: only with records, not with a fit");
  BothOrigins runs{.measured = report::load(report::record_files(o.files), Detail::figures),
                   .simulated = report::load(report::record_files(o.simulated), Detail::figures)};
  check_origin(runs.measured, false, "FILE");
  check_origin(runs.simulated, true, "--simulated");
  return runs;
}

predict::Prediction predict_simulated(const PredictOptions& o, const predict::FromFitOptions& asked) {
  const BothOrigins runs = load_both(o);
  return predict_by_simulation(runs.measured, runs.simulated, o.sweeps, launch_spread(o), asked);
}

predict::Prediction predict_collectives(const PredictOptions& o) {
  predict::FromFitOptions asked{.nodes = nodes_of(o),
                                .sizes = {},
                                .confidence = confidence(o),
                                .allowance = parse_percent("--allowance", o.allowance, 0, 10000)};
  for (const std::string& text : o.sizes) asked.sizes.push_back(parse_size("--sizes", text));
  predict::Prediction p = o.simulated.empty() ? predict_fitted(o, asked) : predict_simulated(o, asked);
  if (p.series.empty())
    throw Error(p.left_out.empty() ? "nothing to predict from: no case of these records can be fitted"
                                   : fmt::format("nothing is predicted: {}", p.left_out.front()));
  return p;
}

/// The only allreduce fitted between nodes. Throws UsageError if there are none or several.
const fit::SweepFit& allreduce_of(const fit::Fit& fit) {
  const fit::SweepFit* found = nullptr;
  for (const fit::SweepFit& f : fit.sweeps) {
    if (f.sweep.collective != "allreduce" || !predict::why_not(f, std::nullopt).empty()) continue;
    if (found != nullptr)
      throw UsageError(fmt::format("--network: the fit has several allreduces: {}; {}; fit one alone",
                                   found->sweep.name(), f.sweep.name()));
    found = &f;
  }
  if (found == nullptr) throw UsageError("--network: the fit has no allreduce on two numbers of nodes or more");
  return *found;
}

predict::Prediction predict_training_over_network(const PredictOptions& o) {
  predict::TrainingOptions asked{.nodes = nodes_of(o),
                                 .network = {.rate = std::nullopt, .latency_s = parse_duration("--latency", o.latency)},
                                 .gradients = std::nullopt,
                                 .overlap = std::nullopt,
                                 .model_file = o.model};
  if (!o.gradients.empty()) asked.gradients = o.gradients;
  if (!o.overlap.empty()) asked.overlap = o.overlap;
  fit::Fit fit;
  if (!o.network.empty()) {
    fit = fit::read_fit(o.network);
    asked.network.fitted = &allreduce_of(fit);
  } else if (o.line_rate.empty()) {
    throw UsageError(
        "--training: say what gradients cross: --line-rate 100gbe, --network FIT for a fitted allreduce, or "
        "--simulated RECORDS of the same training");
  } else {
    asked.network.rate = expected::parse_line_rate(o.line_rate);
  }
  const std::vector<Run> runs = report::load(report::record_files(o.files), Detail::figures);
  predict::Prediction p = predict_trainings(runs, asked);
  if (!o.no_next) p.next = next_trainings(runs, p, asked);
  return p;
}

predict::Prediction predict_training_by_simulation(const PredictOptions& o) {
  const BothOrigins runs = load_both(o);
  return predict::predict_trainings_by_simulation(
      runs.measured, runs.simulated,
      {.nodes = nodes_of(o), .launch_spread = launch_spread(o), .confidence = confidence(o)});
}

predict::Prediction predict_training(const PredictOptions& o) {
  predict::Prediction p = o.simulated.empty() ? predict_training_over_network(o) : predict_training_by_simulation(o);
  if (p.trainings.empty())
    throw Error(p.left_out.empty() ? "--training: no training in these records"
                                   : fmt::format("nothing is predicted: {}", p.left_out.front()));
  return p;
}

std::string prediction_json(const predict::Prediction& p) {
  return json_of(p).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Exit predict_files(const PredictOptions& o) {
  const predict::Prediction p = o.training ? predict_training(o) : predict_collectives(o);
  if (!o.out.empty()) write_whole(o.out, prediction_json(p), "-o");
  if (o.format == "json") {
    fmt::print("{}", prediction_json(p));
    return Exit::ok;
  }
  report::Document document{
      .title = "busbar predict",
      .summary = "Predicted figures: nothing here was measured at these scales.",
      .chapters = {{.name = "assumptions", .title = "What is assumed", .blocks = assumption_blocks(p)},
                   {.name = "figures", .title = "What follows", .blocks = figure_blocks(p)}}};
  if (!p.next.empty())
    document.chapters.push_back({.name = "next", .title = "What to run next", .blocks = next_blocks(p)});
  print_document(document, o.format);
  return Exit::ok;
}

void add_training_options(CommandLine& line, PredictOptions& o) {
  line.begin_group("Training");
  line.add("--training", &o.training, "predict the rate and efficiency of training", {.common = true});
  line.add("--line-rate,--interconnect", &o.line_rate,
           "--training: network bandwidth per node: 100gbe, 200Gb/s, 12.5GB/s, 8x200Gb/s",
           {.name = "RATE", .common = true});
  line.add("--latency", &o.latency, "--line-rate: latency between nodes, e.g. 2us", {.name = "TIME", .common = true});
  line.add("--network", &o.network, "--training: fit (busbar fit -o) whose allreduce exchanges gradients", file_value);
  line.add("--gradients", &o.gradients, "--training: type of gradients on the wire",
           {.name = "TYPE",
            .choices = {"fp32", "fp16", "bf16", "fp64"},
            .strict = true,
            .standard = "of the record, or fp32 and fp16"});
  line.add(
      "--overlap", &o.overlap,
      "--training: none (a step waits for the whole exchange) or backward (it waits for what outlasts the backward "
      "pass)",
      {.name = "KIND",
       .choices = {std::string(predict::no_overlap), std::string(predict::backward_overlap)},
       .strict = true,
       .standard = "both"});
  line.add("--model", &o.model, "--training: file with the model's tensors", file_value);
  line.begin_group("");
}

}  // namespace

extern const Command predict_runs{
    .name = "predict",
    .about = "predict times and rates on more nodes",
    .heading = "Predict",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<PredictOptions>();
      line.add("FILE", &o->files, "a fit (busbar fit -o), or records or folders of them", records_value);
      line.add("--nodes", &o->nodes, "numbers of nodes to predict: 128,256",
               {.name = "N", .list = true, .required = true, .common = true});
      line.add("--sizes", &o->sizes, "sizes to predict: 8,1GiB",
               {.name = "SIZE", .list = true, .standard = "all measured sizes", .common = true});
      line.add("--collective", &o->sweeps.collectives, "collectives to predict", collective_value(true));
      line.add("--by", &o->sweeps.by, "make one fit per value of this label or field", {.name = "FIELD"});
      line.add("--pool", &o->sweeps.pool, "labels that can differ within one fit", {.name = "LABEL", .list = true});
      line.add("--launch-spread", &o->launch_spread,
               "launch-to-launch standard deviation to assume if there are too few launches", {.name = "PERCENT"});
      line.add("--allowance", &o->allowance,
               "extra margin on the upper bound, for effects that no measured scale shows",
               {.name = "PERCENT", .common = true});
      line.add("--confidence", &o->confidence, "confidence level of intervals", {.name = "PERCENT"});
      line.add("--simulated", &o->simulated,
               "simulated records of measured and larger scales, to be scaled by the measured ones",
               common_value(file_value));
      line.add("--no-next", &o->no_next, "leave out what to run next, which takes most of the time");
      add_training_options(line, *o);
      line.add("-o,--out", &o->out, "write the prediction as JSON, for busbar report --predict",
               common_value(file_value));
      add_format(line, o->format);
      line.notes = "The output states the assumptions first. docs/predicting.md explains the method and its limits.";
      line.exit_codes =
          "0 predicted; 1 the records allow no prediction; 2 wrong use, or a file cannot be read; 4 a file cannot be "
          "written.";
      line.examples = {"busbar predict n2.jsonl n8.jsonl --nodes 128,256 -o prediction.json",
                       "busbar predict --training one.jsonl --nodes 2,4 --line-rate 100gbe"};
      return [o] { return predict_files(*o); };
    },
};

}  // namespace busbar
