// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "reports/predict/from_simulation.hpp"
#include "reports/predict/training.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, report::Experiment;

bool told(const CaseRecord* c) { return c->key.nodes && c->time_s && *c->time_s > 0; }

Scale scale_of(const CaseRecord& c) { return {.ranks = c.key.ranks, .nodes = *c.key.nodes}; }

/// Logarithm of a rank's seconds per sample, which ideal weak scaling keeps constant.
LogTimes log_step_times(const Experiment& e) {
  LogTimes all;
  for (const CaseRecord* c : e.cases)
    if (told(c)) all[scale_of(*c)] = std::log(c->key.ranks / c->training->samples_per_s);
  return all;
}

const CaseRecord* case_at(const Experiment& e, const Scale& scale) {
  const auto it = std::ranges::find_if(e.cases, [&](const CaseRecord* c) { return told(c) && scale_of(*c) == scale; });
  return it == e.cases.end() ? nullptr : *it;
}

bool weak_and_data_parallel(const Experiment& e) {
  const TrainingKey& key = *e.key().training;
  return key.parallel == by_data && key.scaling == weak_scaling && without_neighbours(e);
}

bool same_overlap(const Experiment& a, const Experiment& b) {
  return a.key().training->overlap == b.key().training->overlap;
}

/// Simulated experiments of the same model that have a scale in common and all requested scales.
std::vector<const Experiment*> models_of(const Experiment& measured, const std::vector<report::Model>& simulated,
                                         const std::vector<Scale>& scales) {
  std::vector<const Experiment*> some;
  const LogTimes seen = log_step_times(measured);
  for (const report::Model& model : simulated) {
    for (const Experiment& e : model.experiments) {
      const LogTimes times = log_step_times(e);
      const bool common = std::ranges::any_of(seen, [&](const auto& at) { return times.contains(at.first); });
      const bool all = std::ranges::all_of(scales, [&](const Scale& s) { return times.contains(s); });
      if (e.key().collective == measured.key().collective && weak_and_data_parallel(e) && common && all)
        some.push_back(&e);
    }
  }
  // The overlap of the measured training first; the others are shown next to it.
  std::ranges::stable_partition(some, [&](const Experiment* e) { return same_overlap(*e, measured); });
  return some;
}

TrainingReading simulated_training_reading(const Experiment& measured, const Experiment& simulated, const Scale& scale,
                                           const SimulatedOptions& o) {
  const LogTimes times = log_step_times(simulated);
  const auto ratio = ratio_of(log_step_times(measured), times, o.launch_spread, o.confidence);
  const double log_s = times.at(scale) + ratio->mean;
  const auto rate = [&](double log_seconds) { return scale.ranks / std::exp(log_seconds); };
  const auto& split = case_at(simulated, scale)->training->split;
  return {.what = fmt::format("simulated x {:.3g}: {}", std::exp(ratio->mean), simulated.label()),
          .exchange_s = split ? split->exposed_s + split->hidden_s : 0,
          .exposed_s = split ? split->exposed_s : 0,
          .samples_per_s = {
              .value = rate(log_s), .low = rate(log_s + ratio->half_width), .high = rate(log_s - ratio->half_width)}};
}

TrainingSeries series_of(const std::string& name, const Experiment& measured,
                         const std::vector<const Experiment*>& simulated, const std::vector<Scale>& scales,
                         const SimulatedOptions& o) {
  const CaseRecord& baseline = *measured.cases.front();
  TrainingSeries series{.name = name,
                        .unit = report::rate_unit(*baseline.training),
                        .baseline = scale_of(baseline),
                        .baseline_samples_per_s = baseline.training->samples_per_s};
  const auto alike = std::ranges::count_if(simulated, [&](const Experiment* e) { return same_overlap(*e, measured); });
  series.equal_readings = alike > 0 ? static_cast<std::size_t>(alike) : simulated.size();
  for (const Scale& scale : scales) {
    PredictedTraining p{.scale = scale};
    if (const CaseRecord* seen = case_at(measured, scale)) p.measured_samples_per_s = seen->training->samples_per_s;
    for (const Experiment* e : simulated) p.readings.push_back(simulated_training_reading(measured, *e, scale, o));
    series.predicted.push_back(std::move(p));
  }
  return series;
}

std::vector<std::string> assumptions_of_simulated_training(const SimulatedOptions& o) {
  return {
      "Simulated trainings of the same model are scaled by the ratio of measured to simulated rates at common scales. "
      "The simulation gives the growth of a step, the measurement its length.",
      fmt::format("Intervals are for one new launch at {:g} %: by Student's t on the variation of this ratio between "
                  "scales, and no narrower than {:g} % launch-to-launch variation.",
                  100 * o.confidence, 100 * o.launch_spread),
      "Each simulated training is a separate scenario. Those with the overlap of the measured training come first; if "
      "there are none, all have equal standing. "
      "Exchange and exposed times are those of the simulation, not scaled.",
      "Nothing else grows with the number of nodes: no stragglers, no input pipeline, no other jobs."};
}

}  // namespace

Prediction predict_trainings_by_simulation(const std::vector<Run>& measured, const std::vector<Run>& simulated,
                                           const SimulatedOptions& o) {
  Prediction all{.assumptions = assumptions_of_simulated_training(o), .confidence = o.confidence};
  const auto made = report::models(simulated);
  for (const report::Model& model : report::models(measured)) {
    for (const Experiment& e : model.experiments) {
      const std::string name = fmt::format("{}, {}", model.name, e.label());
      if (!weak_and_data_parallel(e) || !std::ranges::all_of(e.cases, told)) {
        all.left_out.push_back(name +
                               ": only weak-scaling, data-parallel training with a known number of nodes is predicted");
        continue;
      }
      std::vector<Scale> scales;
      for (const int nodes : o.nodes) scales.push_back(scale_of(*e.cases.back()).on(nodes));
      const auto some = models_of(e, made, scales);
      if (some.empty())
        all.left_out.push_back(name + ": no simulated training has a measured scale and all requested ones");
      else
        all.trainings.push_back(series_of(name, e, some, scales, o));
    }
  }
  return all;
}

}  // namespace busbar::predict
