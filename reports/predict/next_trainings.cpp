// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/predict/candidates.hpp"
#include "reports/predict/next_runs.hpp"
#include "reports/runs/experiments.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, report::Experiment;

/// An experiment alone, so that what is predicted from it is one series.
struct Trained {
  Run run;
  TrainingOptions options;

  [[nodiscard]] TrainingSeries predicted(std::vector<int> nodes) const {
    TrainingOptions o = options;
    o.nodes = std::move(nodes);
    Prediction p = predict_trainings({run}, o);
    return p.trainings.empty() ? TrainingSeries{} : std::move(p.trainings.front());
  }
};

Trained alone(const Run& of, const Experiment& e, const TrainingOptions& o) {
  Trained t{.run = of, .options = o};
  t.run.cases.clear();
  for (const CaseRecord* c : e.cases)
    if (c->key.nodes) t.run.cases.push_back(*c);
  return t;
}

/// Upper over lower limit of all readings of equal standing, as a logarithm: none of them is preferred.
double log_width(const TrainingSeries& s) {
  if (s.predicted.empty()) return 0;
  double low = s.predicted.back().readings.front().samples_per_s.low, high = low;
  for (std::size_t i = 0; i < s.equal_readings; ++i) {
    const Span& rate = s.predicted.back().readings[i].samples_per_s;
    low = std::min(low, rate.low), high = std::max(high, rate.high);
  }
  return std::log(high / low);
}

/// Adds a group whose rate is as this reading has it, and as far off as those of other groups are. `seen`: predictions
/// of these.
Trained with_group(const Trained& t, int nodes, std::size_t reading, const TrainingSeries& seen) {
  double off = 0, groups = 0;
  for (const PredictedTraining& p : seen.predicted)
    if (p.measured_samples_per_s)
      off += std::log(*p.measured_samples_per_s / p.readings[reading].samples_per_s.value), ++groups;
  const double rate = t.predicted({nodes}).predicted.front().readings[reading].samples_per_s.value *
                      (groups > 0 ? std::exp(off / groups) : 1);
  Trained more = t;
  const CaseRecord& baseline = t.run.cases.front();
  CaseRecord c = baseline;
  c.key.ranks = nodes * (baseline.key.ranks / *baseline.key.nodes);
  c.key.nodes = nodes;
  c.training->samples_per_s = rate;
  c.time_s = *baseline.time_s * baseline.training->samples_per_s / rate * c.key.ranks / baseline.key.ranks;
  more.run.cases.push_back(std::move(c));
  return more;
}

std::vector<NextRun> groups_to_come(const Trained& t, int target) {
  std::vector<Scale> scales;
  std::vector<int> measured;
  for (const CaseRecord& c : t.run.cases) {
    scales.push_back({.ranks = c.key.ranks, .nodes = *c.key.nodes});
    if (&c != &t.run.cases.front()) measured.push_back(*c.key.nodes);
  }
  const TrainingSeries seen = measured.empty() ? TrainingSeries{} : t.predicted(measured);
  const std::size_t readings = t.predicted({target}).equal_readings;
  std::vector<NextRun> all;
  for (const int nodes : node_counts(scales, target, t.options.nodes)) {
    if (nodes <= scales.front().nodes) continue;  // the smallest group is the baseline
    double sum = 0;
    for (std::size_t i = 0; i < readings; ++i) sum += log_width(with_group(t, nodes, i, seen).predicted({target}));
    all.push_back({.what = "a group on " + plural(nodes, "node"),
                   .node_launches = static_cast<double>(nodes),
                   .width = std::exp(sum / static_cast<double>(readings))});
  }
  return all;
}

/// What stays open if one of these values of an option is known; the mean over those. Empty if none leaves fewer
/// readings.
std::optional<NextRun> fact(const Trained& t, int target, const std::string& what,
                            std::optional<std::string> TrainingOptions::* const option,
                            std::initializer_list<std::string_view> values) {
  const TrainingSeries now = t.predicted({target});
  double sum = 0, kinds = 0;
  for (const std::string_view value : values) {
    Trained known = t;
    known.options.*option = std::string(value);
    const TrainingSeries then = known.predicted({target});
    if (then.predicted.empty() || then.equal_readings >= now.equal_readings) continue;
    sum += log_width(then), ++kinds;
  }
  if (!(kinds > 0)) return std::nullopt;
  return NextRun{.what = what, .node_launches = 0, .width = std::exp(sum / kinds)};
}

/// No interval contains the error of a nominal rate, so nothing can be computed.
NextRun measured_network(const Trained& t, int target) {
  const int most = std::clamp(2 * *t.run.cases.back().key.nodes, 4, std::max(4, target / 2));
  return {.what = fmt::format("allreduce sweep on 2 and {} nodes, for --network", most),
          .node_launches = 2.0 + most,
          .width = 0,
          .tells = "time of the exchange: the rate is nominal"};
}

NextRuns next_of(const Trained& t, const TrainingSeries& series) {
  const auto largest =
      std::ranges::max_element(series.predicted, {}, [](const PredictedTraining& p) { return p.scale.nodes; });
  const int target = largest->scale.nodes;
  const double now = log_width(t.predicted({target}));
  NextRuns next{.series = series.name, .at = largest->scale, .width = now > 0 ? std::exp(now) : 0};
  next.runs = groups_to_come(t, target);
  if (auto known = fact(t, target, "type of gradients on the wire, for --gradients", &TrainingOptions::gradients,
                        {"fp32", "fp16"}))
    next.runs.push_back(*std::move(known));
  if (auto known = fact(t, target, "whether the exchange overlaps with backward, for --overlap",
                        &TrainingOptions::overlap, {no_overlap, backward_overlap}))
    next.runs.push_back(*std::move(known));
  std::ranges::stable_sort(next.runs, {}, [](const NextRun& run) { return std::pair(run.width, run.node_launches); });
  if (t.options.network.fitted == nullptr) next.runs.push_back(measured_network(t, target));
  return next;
}

}  // namespace

std::vector<NextRuns> next_trainings(const std::vector<Run>& runs, const Prediction& prediction,
                                     const TrainingOptions& o) {
  std::vector<NextRuns> all;
  for (const report::Model& model : report::models(runs)) {
    for (const Experiment& e : model.experiments) {
      const auto series =
          std::ranges::find(prediction.trainings, fmt::format("{}, {}", model.name, e.label()), &TrainingSeries::name);
      if (series == prediction.trainings.end() || series->predicted.empty()) continue;
      const Trained t = alone(runs[e.run], e, o);
      if (t.predicted(o.nodes).predicted.empty()) continue;
      all.push_back(next_of(t, *series));
    }
  }
  return all;
}

}  // namespace busbar::predict
