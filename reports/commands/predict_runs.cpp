// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/predict/from_simulation.hpp"
#include "reports/predict/next_runs.hpp"
#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/training.hpp"
#include "reports/predict/what_if/variant_blocks.hpp"
#include "reports/predict/what_if/what_if.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct PredictOptions {
  std::vector<std::string> files;
  std::vector<std::string> nodes, sizes, simulated, network;
  fit::SweepOptions sweeps;
  std::string library{fit::library_of_record}, launch_spread = "10", allowance = "0", confidence = "95",
                                               topology = "unknown";
  bool training = false, no_next = false;
  std::string line_rate, latency = "0us", gradients, overlap, model, fusion, first_bucket;
  std::vector<std::string> what_if;
  std::string price;
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

std::vector<std::string> topology_words() {
  constexpr auto words = words_of(predict::Topology{});
  return {words.begin(), words.end()};
}

/// The given fit, or one of the given records.
struct Fitted {
  std::vector<Run> runs;  ///< empty for a given fit
  fit::Fit fit;
};

/// Fits all collectives: those that are not predicted may still tell which measurement would help. `flag` is for
/// messages.
Fitted fit_of(const std::vector<std::string>& files, const PredictOptions& o, std::string_view flag) {
  if (std::ranges::any_of(files, names_a_fit)) {
    if (files.size() > 1)
      throw UsageError(fmt::format("{}: one fit (.json), or records (.jsonl) and folders of them", flag));
    if (o.library != fit::library_of_record)
      throw UsageError("--library: only with records: a fit has been made by a library already; give it to busbar fit");
    return {.fit = fit::read_fit(files.front())};
  }
  fit::SweepOptions sweeps = o.sweeps;
  sweeps.library = fit::parse_library(o.library);
  sweeps.collectives.clear();
  Fitted fitted{.runs = report::load(report::record_files(files), Detail::figures)};
  fitted.fit = fit::fit_runs(fitted.runs, sweeps, launch_spread(o));
  return fitted;
}

/// Only the requested collectives; of a fit that was read, all.
fit::Fit requested(fit::Fit all, const PredictOptions& o) {
  if (std::ranges::none_of(o.files, names_a_fit))
    std::erase_if(all.sweeps, [&](const fit::SweepFit& f) { return !wanted(o.sweeps, f.sweep.collective); });
  return all;
}

std::vector<predict::Change> changes_of(const PredictOptions& o) {
  std::vector<predict::Change> all;
  for (const std::string& text : o.what_if) {
    all.push_back(predict::parse_change(text));
    if (std::ranges::count(all, all.back().name, &predict::Change::name) > 1)
      throw UsageError(fmt::format("--what-if: '{}' is given twice", text));
  }
  if (!all.empty() && !o.simulated.empty())
    throw UsageError("--what-if: not with --simulated; simulate the changed machine instead (busbar platform)");
  return all;
}

std::optional<expected::LineRate> line_rate(const PredictOptions& o) {
  return o.line_rate.empty() ? std::nullopt : std::optional(expected::parse_line_rate(o.line_rate));
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

predict::Prediction predict_fitted(const PredictOptions& o, const predict::FromFitOptions& asked) {
  const Fitted fitted = fit_of(o.files, o, "FILE");
  const fit::Fit wanted_fit = requested(fitted.fit, o);
  predict::Prediction p = predict_from(wanted_fit, asked);
  if (!p.series.empty())
    add_variants(p, changes_of(o), wanted_fit, asked, predict::known_network(line_rate(o), fitted.runs));
  if (!o.no_next) p.next = next_runs(fitted.fit, p, asked);
  return p;
}

predict::Prediction predict_collectives(const PredictOptions& o) {
  predict::FromFitOptions asked{.nodes = nodes_of(o),
                                .confidence = confidence(o),
                                .allowance = parse_percent("--allowance", o.allowance, 0, 10000),
                                .contention = {.topology = predict::parse_topology(o.topology)}};
  for (const std::string& text : o.sizes) asked.sizes.push_back(parse_size("--sizes", text));
  predict::Prediction p = o.simulated.empty() ? predict_fitted(o, asked) : predict_simulated(o, asked);
  if (p.series.empty())
    throw Error(p.left_out.empty() ? "nothing to predict from: no case of these records can be fitted"
                                   : fmt::format("nothing is predicted: {}", p.left_out.front()));
  return p;
}

/// The only allreduce fitted between nodes; of one in place and one out of place that in place, as gradients are
/// reduced. Throws UsageError if there are none or several.
const fit::SweepFit& allreduce_of(const fit::Fit& fit) {
  std::vector<const fit::SweepFit*> found;
  for (const fit::SweepFit& f : fit.sweeps)
    if (f.sweep.collective == "allreduce" && predict::why_not(f, std::nullopt).empty()) found.push_back(&f);
  if (found.empty()) throw UsageError("--network: the fit has no allreduce on two numbers of nodes or more");
  if (found.size() == 2 && found[0]->sweep.label == found[1]->sweep.label &&
      found[0]->sweep.in_place != found[1]->sweep.in_place)
    std::erase_if(found, [](const fit::SweepFit* f) { return f->sweep.in_place == false; });
  if (found.size() > 1)
    throw UsageError(fmt::format("--network: the fit has several allreduces: {}; {}; give the records of one",
                                 found[0]->sweep.name(), found[1]->sweep.name()));
  return *found.front();
}

/// Empty unless given; the size that is not given is PyTorch's.
std::optional<FusionLimits> fusion_of(const PredictOptions& o) {
  if (o.fusion.empty() && o.first_bucket.empty()) return std::nullopt;
  FusionLimits limits = usual_fusion;
  if (!o.fusion.empty()) limits.others = parse_mebibytes("--fusion-mb", o.fusion);
  limits.first = o.first_bucket.empty() ? std::min(limits.first, limits.others)
                                        : parse_mebibytes("--first-bucket-mb", o.first_bucket);
  return limits;
}

predict::Prediction predict_training_over_network(const PredictOptions& o) {
  predict::TrainingOptions asked{
      .nodes = nodes_of(o), .network = {.latency_s = parse_duration("--latency", o.latency)}, .model_file = o.model};
  if (!o.gradients.empty()) asked.gradients = o.gradients;
  if (!o.overlap.empty()) asked.overlap = o.overlap;
  asked.fusion = fusion_of(o);
  fit::Fit fit;
  if (!o.network.empty()) {
    fit = fit_of(o.network, o, "--network").fit;
    asked.network.fitted = &allreduce_of(fit);
  } else if (o.line_rate.empty()) {
    throw UsageError(
        "--training: say what gradients cross: --line-rate 100gbe, --network FILE for measured allreduces, or "
        "--simulated RECORDS of the same training");
  } else {
    asked.network.rate = line_rate(o);
  }
  const auto runs = report::load(report::record_files(o.files), Detail::figures);
  predict::Prediction p = predict_trainings(runs, asked);
  add_variants(p, changes_of(o), runs, asked, predict::known_network(line_rate(o), runs));
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

predict::Prediction prediction_of(const PredictOptions& o) {
  const auto changes = changes_of(o);  // wrong values first
  const auto price = o.price.empty() ? std::nullopt : std::optional(predict::parse_price("--price", o.price));
  predict::Prediction p = o.training ? predict_training(o) : predict_collectives(o);
  set_prices(p, price, changes);
  return p;
}

Exit predict_files(const PredictOptions& o) {
  const predict::Prediction p = prediction_of(o);
  if (!o.out.empty()) write_whole(o.out, json_text(json_of(p)), "-o");
  if (o.format == "json") return print_json(json_of(p));
  report::Document document{
      .title = "busbar predict",
      .summary = "Predicted figures: nothing here was measured at these scales.",
      .chapters = {{.name = "assumptions", .title = "What is assumed", .blocks = assumption_blocks(p)},
                   {.name = "figures", .title = "What follows", .blocks = figure_blocks(p)}}};
  if (auto blocks = variant_tables(p); !blocks.empty())
    document.chapters.push_back({.name = "what-if", .title = "What if", .blocks = std::move(blocks)});
  if (!p.next.empty())
    document.chapters.push_back({.name = "next", .title = "What to run next", .blocks = next_blocks(p)});
  return print_document(document, o.format);
}

void add_what_if_options(CommandLine& line, PredictOptions& o) {
  line.begin_group("What-if");
  line.add("--what-if", &o.what_if,
           "also predict a changed machine: one or more of nics=2, line-rate=400Gb/s, latency=1us, gpus-per-node=4, "
           "algorithm=tree, price=12.5, with commas between; repeat for more machines",
           {.name = "CHANGES", .single = true, .common = true});
  line.add("--price", &o.price, "price of a node for an hour, to compare costs: 12.5 or '12.5 EUR'", {.name = "PRICE"});
  line.begin_group("");
}

void add_training_options(CommandLine& line, PredictOptions& o) {
  line.begin_group("Training");
  line.add("--training", &o.training, "predict the rate and efficiency of training", {.common = true});
  line.add("--line-rate,--interconnect", &o.line_rate,
           "network bandwidth per node, for --training and --what-if: 100gbe, 200Gb/s, 12.5GB/s, 8x200Gb/s",
           {.name = "RATE", .common = true});
  line.add("--latency", &o.latency, "--line-rate: latency between nodes, e.g. 2us", {.name = "TIME", .common = true});
  line.add("--network", &o.network, "--training: allreduces that exchange gradients: a fit (busbar fit -o), or records",
           file_value);
  line.add("--gradients", &o.gradients, "--training: type of gradients on the wire",
           {.name = "TYPE",
            .choices = {"fp32", "fp16", "bf16", "fp64"},
            .strict = true,
            .standard = "of the record, or fp32 and fp16"});
  line.add(
      "--overlap", &o.overlap,
      "--training: none (a step waits for the whole exchange), buckets (each is sent when its gradients are ready) or "
      "backward (a step waits for what is longer than the backward pass)",
      {.name = "KIND",
       .choices = {std::string(predict::no_overlap), std::string(predict::bucket_overlap),
                   std::string(predict::backward_overlap)},
       .strict = true,
       .standard = "of the record, or none and buckets"});
  line.add("--fusion-mb", &o.fusion, "--training: size that closes a bucket of gradients",
           {.name = "MIB", .standard = "of the record, or 25"});
  line.add("--first-bucket-mb", &o.first_bucket, "--training: size of the first gradient bucket",
           {.name = "MIB", .standard = "of the record, or 1"});
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
      add_library(line, o->library);
      line.add("--launch-spread", &o->launch_spread,
               "launch-to-launch standard deviation to assume if there are too few launches", {.name = "PERCENT"});
      line.add("--allowance", &o->allowance,
               "extra margin on the upper bound, for effects that no measured scale shows",
               {.name = "PERCENT", .common = true});
      line.add("--topology", &o->topology,
               "network between the nodes, which tells how far links are shared: single-switch, fat-tree, "
               "tapered-fat-tree, dragonfly, torus",
               {.name = "TOPOLOGY", .choices = topology_words()});
      line.add("--confidence", &o->confidence, "confidence level of intervals", {.name = "PERCENT"});
      line.add("--simulated", &o->simulated,
               "simulated records of measured and larger scales, to be scaled by the measured ones",
               common_value(file_value));
      line.add("--no-next", &o->no_next, "leave out what to run next, which takes most of the time");
      add_training_options(line, *o);
      add_what_if_options(line, *o);
      line.add("-o,--out", &o->out, "write the prediction as JSON, for busbar report --predict",
               common_value(file_value));
      add_format(line, o->format);
      line.notes = "The output states the assumptions first. docs/predicting.md explains the method and its limits.";
      line.exit_codes =
          "0 predicted; 1 the records allow no prediction; 2 wrong use, or a file cannot be read; 4 a file cannot be "
          "written.";
      line.examples = {"busbar predict n2.jsonl n8.jsonl --nodes 128,256 -o prediction.json",
                       "busbar predict --training one.jsonl --nodes 2,4 --line-rate 100gbe",
                       "busbar predict fit.json --nodes 8 --line-rate 100gbe --what-if line-rate=25gbe"};
      return [o] { return predict_files(*o); };
    },
};

}  // namespace busbar
