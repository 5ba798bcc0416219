// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/training.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/statistics/distributions.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/model.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, report::Experiment;

/// Bytes per element.
std::uint64_t bytes_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> known{
      {{"fp32", 4}, {"fp16", 2}, {"bf16", 2}, {"fp64", 8}}};
  for (const auto& [name, bytes] : known)
    if (name == type) return bytes;
  throw UsageError(fmt::format("--gradients: unknown '{}'; known: fp32, fp16, bf16, fp64", type));
}

/// A method of exchanging gradients.
struct Way {
  std::string gradients, overlap;

  friend bool operator==(const Way&, const Way&) = default;
};

std::string assumption_text(const Way& way) {
  return fmt::format("{}, {} overlap", way.gradients, way.overlap == no_overlap ? "no" : "full");
}

/// Methods that agree with what is known come first.
struct Ways {
  std::vector<Way> all;
  std::size_t equal = 0;  ///< number of those
};

/// All methods of exchange. `gradients` and `overlap` are empty if unknown.
Ways ways(const std::string& gradients, const std::optional<std::string>& overlap) {
  std::vector<std::string> types{"fp32", "fp16"};
  if (!gradients.empty() && std::ranges::find(types, gradients) == types.end()) types.insert(types.begin(), gradients);
  Ways ways;
  for (const std::string& type : types)
    for (const std::string_view o : {no_overlap, backward_overlap})
      ways.all.push_back({.gradients = type, .overlap = std::string(o)});
  const auto others = std::ranges::stable_partition(ways.all, [&](const Way& way) {
    return (gradients.empty() || way.gradients == gradients) && (!overlap || way.overlap == *overlap);
  });
  ways.equal = ways.all.size() - others.size();
  return ways;
}

/// Gradients of a model, and the length of its backward pass.
struct Gradients {
  double elements = 0;
  double backward = 0;  ///< fraction of compute time
  std::string type;     ///< element type, if recorded
  std::string source;   ///< source of the number of elements
};

Gradients gradients_of(const CaseKey& key, const TrainingOptions& o) {
  const auto models = shipped_models();
  const bool shipped = std::ranges::find(models, key.collective) != models.end();
  const bool told = key.bytes > 0 && key.type && o.model_file.empty();
  Gradients g{.backward = 2.0 / 3, .type = key.type.value_or("")};
  if (shipped || !o.model_file.empty()) {
    const auto file = o.model_file.empty() ? find_model(key.collective) : std::filesystem::path(o.model_file);
    const Model model = read_model(file);
    g.elements = static_cast<double>(parameters(model));
    g.backward = model.backward_flop / (model.forward_flop + model.backward_flop);
    g.source = fmt::format("the tensors of {}", file.filename().string());
  }
  if (told) {
    g.elements = static_cast<double>(key.bytes / bytes_of(*key.type));
    g.source = "the record";
  }
  if (!(g.elements > 0))
    throw UsageError(fmt::format("{}: its number of gradients is unknown; give a model file with --model",
                                 report::shortened(key.collective, 60)));
  return g;
}

/// Time of an allreduce between nodes; 0 on one node.
Span exchange_of(const Network& network, const Scale& scale, double bytes) {
  if (scale.nodes < 2) return {};
  if (network.fitted == nullptr) {
    const double time_s = ring_allreduce_s(scale, bytes, network.rate->GBps, network.latency_s);
    return {.value = time_s, .low = time_s, .high = time_s};
  }
  const auto size = static_cast<std::uint64_t>(bytes);
  const auto p = predict_one(*network.fitted, scale, size, {});
  if (!p) throw UsageError(fmt::format("--network: {}", why_not(*network.fitted, size)));
  return p->time_s;
}

/// One experiment and the inputs of its prediction.
struct Subject {
  const Experiment* experiment = nullptr;
  const CaseRecord* baseline = nullptr;
  Gradients gradients;
  const Network* measured_over = nullptr;  ///< network of the record

  [[nodiscard]] Scale scale_of(const CaseRecord& c) const { return {.ranks = c.key.ranks, .nodes = *c.key.nodes}; }
  [[nodiscard]] double samples_a_step() const {
    return baseline->training->samples_per_s * *baseline->time_s;  // of all ranks of the baseline
  }
};

double exposed(const Way& way, double exchange_s, double backward_s) {
  return way.overlap == no_overlap ? exchange_s : std::max(0.0, exchange_s - backward_s);
}

/// Rate at a scale; the interval does not include residuals.
TrainingReading training_reading(const Subject& s, const Way& way, const Scale& scale, const Network& network) {
  const double bytes = s.gradients.elements * static_cast<double>(bytes_of(way.gradients));
  const Scale base = s.scale_of(*s.baseline);
  const double base_exchange = exchange_of(*s.measured_over, base, bytes).value;
  const double step_s = *s.baseline->time_s;
  const double base_exposed = exposed(way, base_exchange, s.gradients.backward * step_s);
  const double compute_s = std::max(step_s - base_exposed, 0.05 * step_s);
  const double samples = s.samples_a_step() * scale.ranks / base.ranks;
  const Span exchange = exchange_of(network, scale, bytes);
  const auto rate = [&](double exchange_s) {
    return samples / (compute_s + exposed(way, exchange_s, s.gradients.backward * compute_s));
  };
  return {.what = assumption_text(way),
          .exchange_s = exchange.value,
          .exposed_s = exposed(way, exchange.value, s.gradients.backward * compute_s),
          .samples_per_s = {.value = rate(exchange.value), .low = rate(exchange.high), .high = rate(exchange.low)}};
}

/// ln(measured / predicted) at the measured scales, except the baseline and `but`, the predicted one.
std::vector<double> residuals(const Subject& s, const Way& way, const Scale& but) {
  std::vector<double> all;
  for (const CaseRecord* c : s.experiment->cases) {
    if (c == s.baseline || !c->key.nodes || s.scale_of(*c) == but) continue;
    const double predicted = training_reading(s, way, s.scale_of(*c), *s.measured_over).samples_per_s.value;
    all.push_back(std::log(c->training->samples_per_s / predicted));
  }
  return all;
}

/// Widens an interval by Student's t on the residuals, with mean 0. No change without residuals.
void widen(Span& rate, const std::vector<double>& residuals) {
  if (residuals.empty()) return;
  double sum = 0;
  for (const double r : residuals) sum += r * r;
  const auto degrees = static_cast<double>(residuals.size());
  const double error = std::max(std::sqrt(sum / degrees), fit::least_scatter);
  const double factor = std::exp(upper_quantile(0.025, degrees) * error);
  rate.low /= factor;
  rate.high *= factor;
}

PredictedTraining predict_at(const Subject& s, const Scale& scale, const std::vector<Way>& all_ways,
                             const Network& network) {
  PredictedTraining p{.scale = scale};
  for (const CaseRecord* c : s.experiment->cases)
    if (c != s.baseline && c->key.nodes && s.scale_of(*c) == scale)
      p.measured_samples_per_s = c->training->samples_per_s;
  for (const Way& way : all_ways) {
    p.readings.push_back(training_reading(s, way, scale, network));
    widen(p.readings.back().samples_per_s, residuals(s, way, scale));
  }
  return p;
}

/// Why an experiment is not predicted; empty if it is.
std::string problem_of(const Experiment& e) {
  const CaseKey& key = e.key();
  if (key.training->parallel != by_data) return "only data-parallel training is predicted";
  if (key.training->scaling != weak_scaling) return "only weak scaling is predicted";
  if (!without_neighbours(e)) return "several trainings shared the nodes";
  const CaseRecord& first = *e.cases.front();
  if (!first.key.nodes || !key.nodes) return "the record does not say how many nodes";
  if (!first.time_s || !(*first.time_s > 0)) return "the record has no step time";
  if (key.ranks % *key.nodes != 0) return "its ranks are not distributed evenly over the nodes";
  return {};
}

std::string rate_text(const Network& n) {
  if (n.fitted != nullptr) return fmt::format("as fitted: {}", n.fitted->sweep.name());
  return fmt::format(
      "a ring over links of {:g} GB/s ({}, headers not deducted), {} per step: 2 (n - 1) steps, 2 (n - 1) / n of the "
      "bytes out of each node",
      n.rate->GBps, n.rate->text, format_duration(n.latency_s));
}

std::vector<std::string> assumptions_of_training(const TrainingOptions& o) {
  return {
      "Weak scaling: every rank computes as long as in the baseline, the smallest group of the same record. step = "
      "computing + exposed exchange. Larger groups in the record do not change the rate. Intervals come from how far "
      "the other groups differ from it (Student's t).",
      fmt::format("Gradient exchange: {}. The exchange inside a node is not counted.", rate_text(o.network)),
      "All gradients are exchanged at once. \"no overlap\": a step waits for all of the exchange. \"full overlap\": it "
      "waits only for what outlasts the backward pass, the best possible overlap. A program is between the two.",
      "Nothing else grows with the number of nodes: no stragglers, no input pipeline, no other jobs."};
}

/// "102.23 MB as fp32"; without a type "102.23 MB as fp32, 51.11 MB as fp16".
std::string sizes_text(const Gradients& g, const std::string& type) {
  const auto size = [&g](std::string_view of) {
    return fmt::format("{:.2f} MB as {}", 1e-6 * g.elements * static_cast<double>(bytes_of(of)), of);
  };
  return type.empty() ? size("fp32") + ", " + size("fp16") : size(type);
}

/// What tells the readings of equal standing apart; empty if there is only one.
std::string unknowns_text(const std::string& name, bool no_type, bool no_overlap_given, std::size_t equal) {
  if (equal < 2) return "";
  const std::string what = no_type && no_overlap_given ? "type of gradients on the wire and overlap are unknown"
                           : no_type                   ? "type of gradients on the wire is unknown"
                                                       : "overlap is unknown";
  const std::string flags = no_type && no_overlap_given ? "--gradients and --overlap choose"
                            : no_type                   ? "--gradients chooses"
                                                        : "--overlap chooses";
  return fmt::format(
      "{}: {}, so {} readings have equal standing; {} among them. A reading that agrees with measured rates is not "
      "thereby the right one.",
      name, what, equal, flags);
}

}  // namespace

Prediction predict_trainings(const std::vector<Run>& runs, const TrainingOptions& o) {
  Prediction all{.assumptions = assumptions_of_training(o)};
  for (const report::Model& model : report::models(runs)) {
    for (const Experiment& e : model.experiments) {
      const std::string name = fmt::format("{}, {}", model.name, e.label());
      if (const std::string problem = problem_of(e); !problem.empty()) {
        all.left_out.push_back(name + ": " + problem);
        continue;
      }
      const CaseRecord& baseline = *e.cases.front();
      const Subject s{.experiment = &e,
                      .baseline = &baseline,
                      .gradients = gradients_of(e.key(), o),
                      .measured_over = o.measured_over ? &*o.measured_over : &o.network};
      const std::string type = o.gradients.value_or(s.gradients.type);
      const Ways all_ways = ways(type, o.overlap);
      all.assumptions.push_back(
          fmt::format("{}: {:.0f} gradients, from {}: {}. Baseline: {} {} on {}.", name, s.gradients.elements,
                      s.gradients.source, sizes_text(s.gradients, type), report::rate(baseline.training->samples_per_s),
                      report::rate_unit(*baseline.training), plural(*baseline.key.nodes, "node")));
      if (const std::string text = unknowns_text(name, type.empty(), !o.overlap, all_ways.equal); !text.empty())
        all.assumptions.push_back(text);
      TrainingSeries series{.name = name,
                            .unit = report::rate_unit(*baseline.training),
                            .baseline = s.scale_of(baseline),
                            .baseline_samples_per_s = baseline.training->samples_per_s,
                            .equal_readings = all_ways.equal};
      const int per_node = o.per_node.value_or(e.key().ranks / *e.key().nodes);
      for (const int nodes : o.nodes)
        series.predicted.push_back(predict_at(s, {.ranks = nodes * per_node, .nodes = nodes}, all_ways.all, o.network));
      all.trainings.push_back(std::move(series));
    }
  }
  return all;
}

double ring_allreduce_s(const Scale& s, double bytes, double GBps, double latency_s) {
  const double others = s.ranks - 1.0;
  return 2 * others * latency_s + 2 * others / s.ranks * bytes / (GBps * 1e9);
}

}  // namespace busbar::predict
