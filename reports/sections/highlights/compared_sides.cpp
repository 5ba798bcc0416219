// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/compare/text.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"
#include "reports/virtualisation/conclusions.hpp"

/// Verdicts between the sides of --by; between hosts with and without virtualisation, what that costs.
namespace busbar::report {
namespace {

using compare::ComparedCase, compare::Verdict;

std::string without_stop(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// A point with the names of its sides: "VM vs bare metal".
struct NamedPoint {
  const ComparedCase* point = nullptr;
  std::string names;
};

struct Points {
  std::vector<NamedPoint> all;
  std::set<std::string> names;

  [[nodiscard]] std::size_t of(Verdict v) const {
    return static_cast<std::size_t>(std::ranges::count(all, v, [](const NamedPoint& p) { return p.point->verdict; }));
  }
};

Points points_of(const compare::Told& told) {
  Points points;
  for (const compare::Set& set : told.comparison.sets) {
    for (const compare::Pair& pair : set.pairs) {
      const std::string names = compare::pair_name(set, pair);
      for (const ComparedCase& p : pair.points) points.all.push_back({.point = &p, .names = names});
      if (!pair.points.empty()) points.names.insert(names);
    }
  }
  return points;
}

std::string assumption_text(const ComparedCase& p) {
  return p.basis == compare::Basis::assumed ? "; variation between launches assumed" : "";
}

/// The largest proven difference.
std::optional<KeyFigure> largest_difference(const Points& points) {
  const NamedPoint* most = nullptr;
  for (const NamedPoint& p : points.all) {
    const bool proven = p.point->verdict == Verdict::slower || p.point->verdict == Verdict::faster;
    if (proven && (most == nullptr || std::abs(p.point->ratio.value) > std::abs(most->point->ratio.value))) most = &p;
  }
  if (most == nullptr) return std::nullopt;
  const ComparedCase& p = *most->point;
  const auto factor = [](double ratio) { return ratio < 1 ? 1 / ratio : ratio; };
  const auto [low, high] = std::minmax({factor(p.interval.low), factor(p.interval.high)});  // copies
  return KeyFigure{.title = "largest difference",
                   .value = fmt::format("{:.2f}x", factor(p.ratio.ratio())),
                   .unit = std::string(name(p.verdict)),
                   .interval = fmt::format("{:.2f} to {:.2f}x", low, high),
                   .scope = fmt::format("{}, {}{}", most->names, compare::place_text(p), assumption_text(p)),
                   .link = "comparison"};
}

/// The ratio of the only point, whatever it proves.
KeyFigure only_ratio(const NamedPoint& only) {
  const ComparedCase& p = *only.point;
  const bool known = p.ratio.standard_error > 0;
  return {.title = fmt::format("{}, {} ratio", compare::place_text(p), p.quantity->name),
          .value = compare::ratio_text(p.ratio.ratio()),
          .interval = known ? compare::interval_text(p.interval) : "",
          .scope = fmt::format("{}: {}{}", only.names, compare::verdict_text(p), assumption_text(p)),
          .link = "comparison"};
}

KeyFigure count_figure(std::size_t count, std::size_t all, std::string title, Judgement judgement = Judgement::open) {
  return {.title = std::move(title),
          .value = std::to_string(count),
          .unit = fmt::format("of {}", plural(all, "point")),
          .judgement = judgement,
          .link = "comparison"};
}

/// Many sides, each compared with all others.
bool has_winners(const compare::Told& told, const Points& points) {
  return points.names.size() > 1 && !told.request.with_first;
}

/// Two sides: how many points are slower and faster; more: the sides that win most.
void add_counts(Highlight& found, const compare::Told& told, const Points& points) {
  constexpr std::size_t most = 3;
  if (has_winners(told, points)) {
    const auto wins = compare::count_wins(told);
    std::size_t all = 0;
    for (const compare::Win& w : wins) all += w.points;
    for (std::size_t i = 0; i < wins.size() && found.figures.size() < most; ++i)
      found.figures.push_back(
          count_figure(wins[i].points, all, fmt::format("{} {} is the fastest", told.request.criterion, wins[i].side)));
    return;
  }
  for (const auto& [v, title] :
       {std::pair(Verdict::slower, "slower"), std::pair(Verdict::faster, "faster"),
        std::pair(Verdict::same, "the same"), std::pair(Verdict::inconclusive, "inconclusive")})
    if (points.of(v) > 0 && found.figures.size() < most) {
      found.figures.push_back(count_figure(points.of(v), points.all.size(), title));
      if (points.names.size() == 1) found.figures.back().scope = *points.names.begin();
    }
  if (points.of(Verdict::disturbed) > 0)
    found.figures.push_back(
        count_figure(points.of(Verdict::disturbed), points.all.size(), "disturbed", Judgement::doubtful));
}

/// "setting 4 is fastest at 141 of 474 points (proven at 2), 3 at 102 (6)"; of two sides as overall_sentence().
std::string verdict_on(const compare::Told& told, const Points& points) {
  const std::string sentence = without_stop(compare::overall_sentence(told));
  return has_winners(told, points) ? told.request.criterion + " " + sentence : sentence;
}

Highlight find_compared_sides(const Material& material) {
  const compare::Told* told = material.comparison();
  if (told == nullptr) return {};
  const Points points = points_of(*told);
  if (points.all.empty()) return {};
  Highlight found{.weight = Weight::comparison, .verdict = verdict_on(*told, points)};
  if (!has_winners(*told, points)) found.chart = {"comparison", ""};  // ratios of many pairs are no first sight
  if (2 * points.of(Verdict::disturbed) >= points.all.size()) found.judgement = Judgement::doubtful;
  const auto& studies = material.virtualisation();
  if (!studies.empty()) {
    found.remarks.push_back({.text = found.verdict, .link = "comparison"});
    found.verdict = without_stop(virtualisation::verdict_sentence(studies.front()));
    found.chart = {"virtualisation", ""};
  }
  if (points.all.size() == 1) {
    found.figures.push_back(only_ratio(points.all.front()));
    return found;
  }
  if (auto most = largest_difference(points)) found.figures.push_back(*std::move(most));
  add_counts(found, *told, points);
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource compared_sides{.name = "compared_sides", .find = report::find_compared_sides};

}  // namespace busbar
