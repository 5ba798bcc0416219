// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

/// Rate and efficiency of trainings at their largest scale.
namespace busbar::report {
namespace {

constexpr double high_efficiency = 0.9, low_efficiency = 0.7;  ///< docs/training.md, "How much is enough"

struct Largest {
  std::string model;
  const Experiment* experiment = nullptr;
  const CaseRecord* at = nullptr;
  std::optional<Scaling> scaling;  ///< empty for the baseline
  std::string disturbance;         ///< disturbance_of() it
};

/// The largest scale of each experiment, most ranks first.
std::vector<Largest> largest_of(const Material& material, const std::vector<Model>& models) {
  std::vector<Largest> all;
  for (const Model& model : models) {
    for (const Experiment& e : model.experiments) {
      if (!without_neighbours(e)) continue;
      const CaseRecord* at = e.cases.back();
      all.push_back({.model = model.name,
                     .experiment = &e,
                     .at = at,
                     .scaling = scaling_of(e, *at),
                     .disturbance = disturbance_of(material, *at)});
      if (baseline_of(e) == at) all.back().scaling.reset();
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Largest& l) { return l.at->key.ranks; });
  return all;
}

std::string scope_of(const Largest& l, bool several) {
  const std::string scale = scale_text(l.at->key);
  return several ? fmt::format("{}, {}", l.experiment->label(), scale) : scale;
}

KeyFigure efficiency_figure(const Largest& l, bool several) {
  const double e = l.scaling->efficiency;
  const auto& interval = l.scaling->efficiency_interval;
  KeyFigure figure{
      .title = l.model + ", efficiency",
      .value = fmt::format("{:.1f}", 100 * e),
      .unit = "%",
      .interval = interval ? fmt::format("{:.1f} to {:.1f} %", 100 * interval->low, 100 * interval->high) : "",
      .expected = "100 % is ideal",
      .scope = fmt::format("{}, relative to {}", scope_of(l, several), plural(l.scaling->baseline_ranks, "rank")),
      .judgement = e >= high_efficiency ? Judgement::good
                   : e < low_efficiency ? Judgement::doubtful
                                        : Judgement::open,
      .link = "training"};
  mark_disturbance(figure, l.disturbance);
  return figure;
}

KeyFigure rate_figure(const Largest& l, bool several) {
  const Training& t = *l.at->training;
  KeyFigure figure{
      .title = l.model,
      .value = rate(t.samples_per_s),
      .unit = rate_unit(t),
      .interval = t.samples_per_s_interval ? fmt::format("±{} %", half_width(t.samples_per_s_interval)) : "",
      .scope = scope_of(l, several),
      .link = "training"};
  mark_disturbance(figure, l.disturbance);
  return figure;
}

/// "resnet50 trains 39.2 images/s on 2 ranks on 1 node with an efficiency of 96.2 %".
std::string verdict_on(const Largest& l, bool several) {
  std::string text = fmt::format("{} trains {} {} on {}", l.model, rate(l.at->training->samples_per_s),
                                 rate_unit(*l.at->training), scope_of(l, several));
  if (l.scaling)
    text += fmt::format(" with an efficiency of {}{}",
                        l.scaling->efficiency < low_efficiency && l.disturbance.empty() ? "only " : "",
                        percent(std::optional(l.scaling->efficiency)));
  if (!l.disturbance.empty()) text += fmt::format(", disturbed by {}", l.disturbance);
  return text;
}

Highlight find_scaling(const Material& material) {
  const std::vector<Model> all = models(material.runs());
  const std::vector<Largest> largest = largest_of(material, all);
  if (largest.empty()) return {};
  const bool several = largest.size() > 1;
  const Largest& first = largest.front();
  Highlight found{.weight = Weight::result, .verdict = verdict_on(first, several), .chart = {"training", first.model}};
  if (first.scaling) found.figures.push_back(efficiency_figure(first, several));
  found.figures.push_back(rate_figure(first, several));
  found.judgement = found.figures.front().judgement;
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource scaling{.name = "scaling", .find = report::find_scaling};

}  // namespace busbar
