// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"
#include "reports/virtualisation/gathered.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::FigureOfLaunch, compare::Quantity;

/// A figure of a training's case; empty: it has none.
using FigureOfCase = std::function<std::optional<LaunchFigure>(const CaseRecord&)>;

std::optional<LaunchFigure> positive(double value, const std::optional<Interval>& interval = {}) {
  if (!(value > 0)) return std::nullopt;
  return LaunchFigure{.value = value, .interval = interval};
}

/// The point of a figure of the cases with this key.
std::optional<ComparedCase> point(const Study& study, const Gathered& gathered, const CaseKey& key,
                                  const Quantity& quantity, const FigureOfCase& of) {
  std::array<std::vector<FigureOfLaunch>, 2> figures;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const std::size_t run : study.sides[side].runs) {
      for (const CaseRecord& c : gathered.run(run).cases) {
        if (!c.training || gathered.key_on(study.sides[side], run, c) != key) continue;
        if (const auto figure = of(c))
          figures[side].push_back(
              {.place = gathered.place(run), .figure = *figure, .graded = gathered.grade_case(run, c)});
      }
    }
  }
  auto all = gathered.point(std::move(figures), quantity);
  if (all) all->key = key;
  return all;
}

std::optional<LaunchFigure> efficiency_of(const CaseRecord& c) {
  if (!c.training->scaling) return std::nullopt;
  return positive(c.training->scaling->efficiency, c.training->scaling->efficiency_interval);
}

// Parts of a step: they add up to it

double computing_s(const StepSplit& s) { return s.slowest_compute_s.value_or(s.forward_s + s.backward_s); }

/// Without waiting for ranks that compute longer: that is in the slowest rank's computing.
double exchange_s(const StepSplit& s) {
  return std::max(0.0, s.exposed_s - (computing_s(s) - s.forward_s - s.backward_s));
}

struct PartRow {
  std::string_view what, lies_in;
  double (*of)(const StepSplit&);
};
constexpr PartRow part_rows[] = {
    {"computing of the slowest rank", "the CPU", computing_s},
    {"exposed exchange", "messages between ranks", exchange_s},
    {"weight updates", "CPU and memory", [](const StepSplit& s) { return s.optimiser_s; }},
};

/// The figure of a step, or of a part of it, of cases that tell how their steps are split.
FigureOfCase figure_of_step(double (*of)(const StepSplit&)) {
  return [of](const CaseRecord& c) { return c.training->split ? positive(of(*c.training->split)) : std::nullopt; };
}

void set_added(StepPart& part, double step_s) {
  const double share = part.point.a.value / step_s;
  part.added = share * (part.point.ratio.ratio() - 1);
  part.added_interval = {.low = share * (part.point.interval.low - 1),
                         .high = share * (part.point.interval.high - 1),
                         .confidence = part.point.interval.confidence};
}

std::optional<Step> step_of(const Study& study, const Gathered& gathered, const CaseKey& key, std::string what) {
  const Quantity& time = *compare::find_quantity("time");
  auto whole = point(study, gathered, key, time, figure_of_step([](const StepSplit& s) { return s.step_s; }));
  if (!whole) return std::nullopt;
  Step step{.what = std::move(what), .whole = std::move(*whole)};
  for (const PartRow& row : part_rows) {
    auto of_part = point(study, gathered, key, time, figure_of_step(row.of));
    if (!of_part) continue;
    of_part->unit = "s";
    step.parts.push_back(
        {.what = std::string(row.what), .lies_in = std::string(row.lies_in), .point = std::move(*of_part)});
    set_added(step.parts.back(), step.whole.a.value);
  }
  return step;
}

/// Names that tell trainings of one model apart: "resnet50", "resnet50, no overlap".
std::string name_of(const CaseKey& key, const std::vector<ComparedCase>& all) {
  std::string name = key.collective;
  const std::vector<std::string> own = report::training_parts(key);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto differs = [&](const ComparedCase& p) {
      return p.key.collective == key.collective && report::training_parts(p.key)[i] != own[i];
    };
    if (!own[i].empty() && std::ranges::any_of(all, differs)) name += ", " + own[i];
  }
  return name;
}

}  // namespace

void add_trainings(Study& study, const Gathered& gathered) {
  std::vector<ComparedCase> rates = points_of(gathered.told(), study);
  std::erase_if(rates, [](const ComparedCase& p) { return !p.key.training; });
  std::ranges::stable_sort(rates, {}, [](const ComparedCase& p) { return p.key.ranks; });
  std::vector<std::string> names;
  for (const ComparedCase& rate : rates) {
    const std::string name = name_of(rate.key, rates), scale = report::scale_text(rate.key);
    const auto known = std::ranges::find(names, name);
    study.trainings.push_back({.what = name, .sizes = scale, .point = rate});
    if (auto scaled = point(study, gathered, rate.key, efficiency(), efficiency_of)) {
      compare::ComparedCase* alone[] = {&*scaled};
      set_verdicts(alone, gathered.options());
      study.trainings.push_back({.what = name + ", efficiency", .sizes = scale, .point = std::move(*scaled)});
    }
    if (auto step = step_of(study, gathered, rate.key, fmt::format("{} on {}", name, scale))) {
      step->training = static_cast<std::size_t>(known - names.begin());
      study.steps.push_back(std::move(*step));
    }
    if (known == names.end()) names.push_back(name);
  }
}

}  // namespace busbar::virtualisation
