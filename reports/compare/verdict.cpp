// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace busbar::compare {
namespace {

constexpr std::size_t least_pairs = 5;
constexpr std::size_t least_for_pace = 6;

bool inside_margin(const Interval& i, double margin) { return i.low >= 1 / (1 + margin) && i.high <= 1 + margin; }

/// Half-width at which an interval around this ratio excludes 1 or fits into the margin, whichever comes first.
double deciding_half_width(const LogRatio& ratio, double margin) {
  return std::max(std::abs(ratio.value), std::log1p(margin) - std::abs(ratio.value));
}

Verdict verdict_of(const ComparedCase& point, const ComparisonOptions& options) {
  const bool known = point.ratio.standard_error > 0 || point.basis != Basis::assumed;
  if (!known) return Verdict::inconclusive;  // single values without an assumed spread
  if (point.basis != Basis::assumed && inside_margin(point.interval, options.margin)) return Verdict::same;
  if (point.p > 1 - options.confidence) return Verdict::inconclusive;
  return (point.ratio.value > 0) == point.quantity->higher_is_better ? Verdict::faster : Verdict::slower;
}

}  // namespace

Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, const Design& design,
                  const ComparisonOptions& options) {
  const std::size_t least = std::min(a.size(), b.size());
  const bool pairs = design.alternating && least >= least_pairs;
  std::optional<LogRatio> ratio;
  if (design.same_hosts && !options.as_measured && least >= least_for_pace)
    ratio = pairs ? paired_ratio_at_equal_pace(a, b) : independent_ratio_at_equal_pace(a, b);
  if (!ratio) ratio = pairs ? paired_ratio(a, b) : independent_ratio(a, b);
  if (ratio) return {.ratio = *ratio, .basis = pairs ? Basis::pairs : Basis::launches};
  return {.ratio = assumed_ratio(a, b, options.launch_spread * spread_factor(design.grade)), .basis = Basis::assumed};
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
    if (point.verdict != Verdict::inconclusive) continue;
    const auto na = static_cast<double>(point.a.launches.size()), nb = static_cast<double>(point.b.launches.size());
    point.launches_needed = launches_needed(point.ratio, 2 / (1 / na + 1 / nb),
                                            deciding_half_width(point.ratio, options.margin), options.confidence);
  }
}

}  // namespace busbar::compare
