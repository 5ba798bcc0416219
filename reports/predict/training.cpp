// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/distributions.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/predict/gradients.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, report::Experiment;

/// A method of exchanging gradients.
struct Way {
  std::string gradients, overlap;

  friend bool operator==(const Way&, const Way&) = default;
};

std::string assumption_text(const Way& way) {
  const std::string_view how = way.overlap == no_overlap ? "no" : way.overlap == bucket_overlap ? "bucket" : "full";
  return fmt::format("{}, {} overlap", way.gradients, how);
}

/// Methods that agree with what is known come first.
struct Ways {
  std::vector<Way> all;
  std::size_t equal = 0;  ///< number of those
};

/// All methods of exchange. `gradients` and `overlap` are empty if unknown. Full overlap is a bound, so only a request
/// makes it one of the first.
Ways ways(const std::string& gradients, const std::optional<std::string>& overlap) {
  std::vector<std::string> types{"fp32", "fp16"};
  if (!gradients.empty() && std::ranges::find(types, gradients) == types.end()) types.insert(types.begin(), gradients);
  Ways ways;
  for (const std::string& type : types)
    for (const std::string_view o : {no_overlap, bucket_overlap, backward_overlap})
      ways.all.push_back({.gradients = type, .overlap = std::string(o)});
  const auto others = std::ranges::stable_partition(ways.all, [&](const Way& way) {
    return (gradients.empty() || way.gradients == gradients) &&
           (overlap ? way.overlap == *overlap : way.overlap != backward_overlap);
  });
  ways.equal = ways.all.size() - others.size();
  return ways;
}

/// Time of an allreduce between nodes; 0 on one node.
Span allreduce_time(const Network& network, const Scale& scale, double bytes) {
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

/// Of each bucket, alone on the network.
std::vector<Span> bucket_times(const Network& network, const Scale& scale, const std::vector<GradientBucket>& buckets) {
  std::vector<Span> all;
  for (const GradientBucket& bucket : buckets) all.push_back(allreduce_time(network, scale, bucket.bytes));
  return all;
}

Span sum_of(const std::vector<Span>& times_s) {
  Span sum_s;
  for (const Span& time_s : times_s)
    for (double Span::* const limit : {&Span::value, &Span::low, &Span::high}) sum_s.*limit += time_s.*limit;
  return sum_s;
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

/// What a step waits for.
Span exposed(const Way& way, const std::vector<GradientBucket>& buckets, const std::vector<Span>& times_s,
             double backward_s) {
  if (way.overlap == bucket_overlap) return exposed_exchange_s(buckets, times_s, backward_s);
  Span exposed_s = sum_of(times_s);
  if (way.overlap == backward_overlap)
    for (double Span::* const limit : {&Span::value, &Span::low, &Span::high})
      exposed_s.*limit = std::max(0.0, exposed_s.*limit - backward_s);
  return exposed_s;
}

/// Rate at a scale; the interval does not include residuals.
TrainingReading training_reading(const Subject& s, const Way& way, const Scale& scale, const Network& network) {
  const auto buckets = gradient_buckets(s.gradients.all, bytes_of(way.gradients), s.gradients.fusion);
  const Scale base = s.scale_of(*s.baseline);
  const double step_s = *s.baseline->time_s;
  const double base_exposed =
      exposed(way, buckets, bucket_times(*s.measured_over, base, buckets), s.gradients.backward * step_s).value;
  const double compute_s = std::max(step_s - base_exposed, 0.05 * step_s);
  const double samples = s.samples_a_step() * scale.ranks / base.ranks;
  const std::vector<Span> times_s = bucket_times(network, scale, buckets);
  const Span exposed_s = exposed(way, buckets, times_s, s.gradients.backward * compute_s);
  const auto rate = [&](double waiting_s) { return samples / (compute_s + waiting_s); };
  return {.what = assumption_text(way),
          .exchange_s = sum_of(times_s).value,
          .exposed_s = exposed_s.value,
          .samples_per_s = {.value = rate(exposed_s.value), .low = rate(exposed_s.high), .high = rate(exposed_s.low)}};
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

/// As busbar-train records it; empty if unknown.
std::optional<std::string> recorded_overlap(const Experiment& e) {
  const auto& overlap = e.key().training->overlap;
  if (!overlap) return std::nullopt;
  return std::string(*overlap == no_overlap ? no_overlap : bucket_overlap);
}

/// Throws UsageError if the fitted allreduce ran with another number of ranks on a node, or if one is simulated and the
/// training is not.
void check_network(const Network& network, const Subject& s, const std::optional<int>& per_node, bool simulated) {
  if (network.fitted == nullptr) return;
  const fit::Sweep& sweep = network.fitted->sweep;
  const double fitted = sweep.points.front().scale.per_node();
  const double training = per_node.value_or(s.scale_of(*s.experiment->cases.back()).per_node());
  if (fitted != training)
    throw UsageError(
        fmt::format("--network: its allreduce ran with {:g} ranks on a node, the training with {:g}; measure one with "
                    "as many",
                    fitted, training));
  if ((sweep.origin == Origin::simulated) != simulated)
    throw UsageError(fmt::format("--network: its allreduce is {}, the training is {}",
                                 simulated ? "not simulated" : "simulated", simulated ? "simulated" : "not"));
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
      "Gradients are exchanged in buckets, one after the other. \"no overlap\": a step waits for all of the exchange. "
      "\"bucket overlap\": each bucket is sent as soon as backward has its gradients, and a step waits for what is "
      "left "
      "after backward. \"full overlap\": it waits only for what is longer than backward, the best that any program can "
      "do. Computing is as fast during the exchange as without.",
      "Nothing else grows with the number of nodes: no stragglers, no input pipeline, no other jobs."};
}

/// "102.23 MB as fp32"; without a type "102.23 MB as fp32, 51.11 MB as fp16".
std::string sizes_text(const Gradients& g, const std::string& type) {
  const auto size = [&g](std::string_view of) {
    return fmt::format("{:.2f} MB as {}", 1e-6 * g.elements * static_cast<double>(bytes_of(of)), of);
  };
  return type.empty() ? size("fp32") + ", " + size("fp16") : size(type);
}

/// "5 buckets as fp32, 3 as fp16: closed at 25 MiB, the first at 1 MiB (of the record)".
std::string buckets_text(const Gradients& g, const std::string& type) {
  const auto count = [&g](std::string_view of) { return gradient_buckets(g.all, bytes_of(of), g.fusion).size(); };
  const std::string counted =
      type.empty() ? fmt::format("{} as fp32, {} as fp16", plural(count("fp32"), "bucket"), count("fp16"))
                   : fmt::format("{} as {}", plural(count(type), "bucket"), type);
  return fmt::format("{}: closed at {}, the first at {} ({})", counted, format_size(g.fusion.others),
                     format_size(g.fusion.first), g.fusion_source);
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
                      .gradients = gradients_of(e, o.model_file, o.fusion),
                      .measured_over = o.measured_over ? &*o.measured_over : &o.network};
      check_network(o.network, s, o.per_node, is_simulated(runs[e.run].head));
      const std::string type = o.gradients.value_or(s.gradients.type);
      const std::optional<std::string> overlap = o.overlap ? o.overlap : recorded_overlap(e);
      const Ways all_ways = ways(type, overlap);
      all.assumptions.push_back(
          fmt::format("{}: {:.0f} gradients, from {}: {}; {}. Baseline: {} {} on {}.", name, s.gradients.elements,
                      s.gradients.source, sizes_text(s.gradients, type), buckets_text(s.gradients, type),
                      report::rate(baseline.training->samples_per_s), report::rate_unit(*baseline.training),
                      plural(*baseline.key.nodes, "node")));
      if (const std::string text = unknowns_text(name, type.empty(), !overlap, all_ways.equal); !text.empty())
        all.assumptions.push_back(text);
      TrainingSeries series{.name = name,
                            .unit = report::rate_unit(*baseline.training),
                            .simulated = is_simulated(runs[e.run].head),
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
