// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/statistics/distributions.hpp"
#include "core/statistics/outliers.hpp"

namespace busbar::compare {
namespace {

constexpr std::size_t least_pairs = 5;
constexpr std::size_t least_for_pace = 6;

bool inside_margin(const Interval& i, double margin) { return i.low >= 1 / (1 + margin) && i.high <= 1 + margin; }

Verdict verdict_of(const ComparedCase& point, const ComparisonOptions& options) {
  const bool known = point.ratio.standard_error > 0 || point.basis != Basis::assumed;
  if (!known) return Verdict::inconclusive;  // single values without an assumed spread
  if (point.basis != Basis::assumed && inside_margin(point.interval, options.margin)) return Verdict::same;
  if (point.p > 1 - options.confidence) return Verdict::inconclusive;
  return (point.ratio.value > 0) == point.quantity->higher_is_better ? Verdict::faster : Verdict::slower;
}

/// The difference of logarithms for which half of the comparisons that find none, since it is below `bar`, see one of
/// at most `seen`. What is seen where nothing is found is too small: larger ones would have been found.
double likely_difference(double seen, double error, double bar) {
  constexpr double farthest = 10;  // standard errors
  const auto chance_below = [error](double limit, double difference) {
    const double infinite = std::numeric_limits<double>::infinity();
    return upper_tail((difference - limit) / error, infinite) - upper_tail((difference + limit) / error, infinite);
  };
  double low = 0, high = farthest * error;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (chance_below(seen, middle) > 0.5 * chance_below(bar, middle) ? low : high) = middle;
  }
  return low;
}

/// Launches a side that may decide a point: as different, after the correction for all undecided points, or as the
/// same. More than there are.
std::optional<int> launches_to_decide(const ComparedCase& point, std::size_t undecided,
                                      const ComparisonOptions& options) {
  const auto na = static_cast<double>(point.a.launches.size()), nb = static_cast<double>(point.b.launches.size());
  const double launches = 2 / (1 / na + 1 / nb);
  const auto needed = [&](double half_width, double confidence) -> std::optional<int> {
    if (!(half_width > 0)) return std::nullopt;
    return launches_needed(point.ratio, launches, half_width, confidence, point.basis == Basis::pairs);
  };
  const double seen = std::abs(point.ratio.value);
  const double confidence = 1 - (1 - options.confidence) / static_cast<double>(undecided);
  const double bar = std::log(point.ratio.interval(confidence).high) - point.ratio.value;
  const auto different = needed(likely_difference(seen, point.ratio.standard_error, bar), confidence);
  const auto same = needed(std::log1p(options.margin) - seen, options.confidence);
  const auto fewer = different && same ? std::min(*different, *same) : different ? different : same;
  return fewer ? std::max(*fewer, static_cast<int>(launches) + 1) : fewer;
}

std::optional<LogRatio> ratio_of(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, bool pairs,
                                 bool at_equal_pace) {
  std::optional<LogRatio> ratio;
  if (at_equal_pace) ratio = pairs ? paired_ratio_at_equal_pace(a, b) : independent_ratio_at_equal_pace(a, b);
  if (!ratio) ratio = pairs ? paired_ratio(a, b) : independent_ratio(a, b);
  return ratio;
}

// Outlying launches

constexpr double by_chance = 0.02;  ///< share of sides without a bad launch of which one is left out

/// Indices of launches of each side.
struct LeftOut {
  std::vector<std::size_t> a, b;
};

std::vector<LaunchFigure> without(std::span<const LaunchFigure> side, std::span<const std::size_t> left_out) {
  std::vector<LaunchFigure> rest;
  for (std::size_t i = 0; i < side.size(); ++i)
    if (!std::ranges::binary_search(left_out, i)) rest.push_back(side[i]);
  return rest;
}

/// Geometric mean of the figures of the launches that are not left out.
double mean_without(std::span<const LaunchFigure> side, std::span<const std::size_t> left_out) {
  std::vector<double> values;
  for (const LaunchFigure& launch : without(side, left_out)) values.push_back(launch.value);
  return geometric_mean(values);
}

std::vector<OutlyingLaunch> all_of(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b,
                                   const LeftOut& left_out) {
  std::vector<OutlyingLaunch> all;
  const double usual_a = mean_without(a, left_out.a), usual_b = mean_without(b, left_out.b);
  for (const std::size_t i : left_out.a) all.push_back({.of_b = false, .launch = i, .factor = a[i].value / usual_a});
  for (const std::size_t i : left_out.b) all.push_back({.of_b = true, .launch = i, .factor = b[i].value / usual_b});
  return all;
}

/// Of each pair the launch that is farther from the others of its side.
std::vector<OutlyingLaunch> worse_of_pairs(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b,
                                           const std::vector<std::size_t>& left_out) {
  std::vector<OutlyingLaunch> worse;
  const std::vector<OutlyingLaunch> both = all_of(a, b, {.a = left_out, .b = left_out});
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    const OutlyingLaunch &of_a = both[i], &of_b = both[left_out.size() + i];
    worse.push_back(std::abs(std::log(of_b.factor)) > std::abs(std::log(of_a.factor)) ? of_b : of_a);
  }
  return worse;
}

}  // namespace

Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, const Design& design,
                  const ComparisonOptions& options) {
  const std::size_t least = std::min(a.size(), b.size());
  const bool pairs = design.alternating && least >= least_pairs;
  const bool at_equal_pace = design.same_hosts && !options.as_measured && least >= least_for_pace;
  const auto ratio_of_all = ratio_of(a, b, pairs, at_equal_pace);
  if (!ratio_of_all) {
    const double spread = options.launch_spread * spread_factor(design.grade);
    const LogRatio assumed = assumed_ratio(a, b, spread);
    return {.ratio = assumed, .ratio_of_all = assumed, .basis = Basis::assumed};
  }
  Estimate e{.ratio = *ratio_of_all, .ratio_of_all = *ratio_of_all, .basis = pairs ? Basis::pairs : Basis::launches};
  LeftOut left_out;
  if (pairs)
    left_out.a = left_out.b = outliers(logs_of_ratios(a, b), by_chance);
  else
    left_out = {outliers(logs_of_values(a), by_chance), outliers(logs_of_values(b), by_chance)};
  if (left_out.a.empty() && left_out.b.empty()) return e;
  e.ratio = ratio_of(without(a, left_out.a), without(b, left_out.b), pairs, at_equal_pace).value_or(*ratio_of_all);
  e.outlying = pairs ? worse_of_pairs(a, b, left_out.a) : all_of(a, b, left_out);
  return e;
}

void set_verdicts(std::span<ComparedCase> points, const ComparisonOptions& options) {
  std::vector<double> p;
  for (const ComparedCase& point : points)
    if (!point.is_disturbed()) p.push_back(std::min(1.0, 2 * std::min(point.ratio.p_above(1), point.ratio.p_below(1))));
  const std::vector<double> corrected = holm(p);
  auto next = corrected.begin();
  for (ComparedCase& point : points) {
    point.interval = point.ratio.interval(options.confidence);
    if (point.is_disturbed()) {
      point.verdict = Verdict::disturbed;
      continue;
    }
    point.p = *next++;
    point.verdict = verdict_of(point, options);
  }
  const auto undecided =
      static_cast<std::size_t>(std::ranges::count(points, Verdict::inconclusive, &ComparedCase::verdict));
  for (ComparedCase& point : points)
    if (point.verdict == Verdict::inconclusive) point.launches_needed = launches_to_decide(point, undecided, options);
}

}  // namespace busbar::compare
