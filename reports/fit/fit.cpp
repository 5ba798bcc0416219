// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"

namespace busbar::fit {
namespace {

/// True for sweeps of one library in one environment whose messages take the same paths.
bool same_ways(const Sweep& a, const Sweep& b) {
  return a.backend == b.backend && a.kind == b.kind && a.label == b.label && a.level == b.level &&
         a.points.front().scale.per_node() == b.points.front().scale.per_node();
}

/// True if the library has only a ring for this collective.
bool only_a_ring(const Sweep& s) {
  const auto all = algorithms_of(s.collective, s.backend);
  return all.size() == 1 && all.front()->name == "ring";
}

bool overlap(const Region& a, const Region& b) { return a.first <= b.last && b.first <= a.last; }

/// Logarithm of the time of a step, and its standard error.
struct LogStep {
  double value = 0, error = 0;
};
std::optional<LogStep> log_step(const Curve& c) {
  const double step = c.coefficients[step_term];
  if (!c.step_known || !(step > 0)) return std::nullopt;
  return LogStep{.value = std::log(step), .error = std::sqrt(c.covariance[step_term][step_term]) / step};
}

/// Log-likelihood that both steps are equal, relative to its maximum; 0 if the first is slower.
double log_chance_of_same(const LogStep& a, const LogStep& b) {
  if (a.value >= b.value) return 0;
  return -0.5 * std::pow(a.value - b.value, 2) / (a.error * a.error + b.error * b.error);
}

/// Strongest evidence against this region's ring from the rings of other collectives, as a log-likelihood of at most 0.
double log_chance_of_ring(const Region& region, const Curve& ring, const Sweep& sweep,
                          const std::vector<SweepFit>& others) {
  double least = 0;
  const auto own = log_step(ring);
  if (!own) return 0;
  for (const SweepFit& other : others) {
    if (!only_a_ring(other.sweep) || !same_ways(sweep, other.sweep)) continue;
    for (const Region& r : other.regions) {
      const auto step = overlap(region, r) ? log_step(r.best()) : std::nullopt;
      if (step) least = std::min(least, log_chance_of_same(*own, *step));
    }
  }
  return least;
}

void weigh_again(Region& region) {
  double sum = 0;
  for (const Curve& c : region.curves) sum += c.weight;
  for (Curve& c : region.curves) c.weight /= sum;
  std::erase_if(region.curves, [](const Curve& c) { return c.weight < least_weight; });
  std::ranges::stable_sort(region.curves, std::ranges::greater{}, &Curve::weight);
}

/// Reduces the weight of a sweep's rings that are faster than those of ring-only collectives: the latter show the time
/// of a step.
void hold_rings(SweepFit& one, const std::vector<SweepFit>& others) {
  if (only_a_ring(one.sweep)) return;
  for (Region& region : one.regions) {
    if (region.curves.size() < 2) continue;
    for (Curve& c : region.curves)
      if (c.algorithm == "ring" && !c.told) c.weight *= std::exp(log_chance_of_ring(region, c, one.sweep, others));
    weigh_again(region);
  }
}

SweepFit with_regions(Sweep sweep, double assumed_spread) {
  SweepFit one{.sweep = std::move(sweep)};
  one.setups = setups_of(one.sweep);
  one.regions = regions(one.sweep, one.setups, assumed_spread);
  if (one.regions.empty()) one.problem = fmt::format("fewer than {} sizes, or no curve fits", fewest_sizes);
  return one;
}

}  // namespace

Estimate estimate(const Curve& c, const LaunchSpread& launches, std::size_t term) {
  constexpr double confidence = 0.95;
  const double degrees = launches.degrees > 0 ? std::min(c.degrees, launches.degrees) : c.degrees;
  const double t = upper_quantile((1 - confidence) / 2, std::max(degrees, 1.0));
  const double half = t * std::sqrt(std::max(0.0, c.covariance[term][term]));
  const double value = c.coefficients[term];
  return {.value = value, .low = std::max(0.0, value - half), .high = value + half};
}

Fit fit_runs(const std::vector<Run>& runs, const SweepOptions& options, double assumed_spread) {
  SweepOptions of_all = options;
  of_all.collectives.clear();  // excluded collectives may still show the time of a ring's step
  Sweeps found = sweeps(runs, of_all);
  Fit fit{.left_out = std::move(found.left_out), .remarks = std::move(found.remarks), .assumed_spread = assumed_spread};
  for (Sweep& sweep : found.all) fit.sweeps.push_back(with_regions(std::move(sweep), assumed_spread));
  for (SweepFit& f : fit.sweeps) hold_rings(f, fit.sweeps);  // those that hold others are not held themselves
  for (SweepFit& f : fit.sweeps) f.by_message = by_message(f.sweep, f.regions, assumed_spread);
  std::erase_if(fit.sweeps, [&](const SweepFit& f) { return !wanted(options, f.sweep.collective); });
  return fit;
}

SweepFit fit_beside(Sweep sweep, const std::vector<SweepFit>& others, double assumed_spread) {
  SweepFit one = with_regions(std::move(sweep), assumed_spread);
  hold_rings(one, others);
  one.by_message = by_message(one.sweep, one.regions, assumed_spread);
  return one;
}

}  // namespace busbar::fit
