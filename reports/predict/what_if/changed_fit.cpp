// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/changed_fit.hpp"

#include <algorithm>
#include <cmath>

#include "reports/predict/extrapolation.hpp"

namespace busbar::predict {
namespace {

using fit::byte_term, fit::call_term, fit::Curve, fit::dot, fit::Region, fit::Scale, fit::step_term, fit::SweepFit,
    fit::Terms;

/// What differs for all curves of a sweep.
struct Costs {
  double wire_s = 0;    ///< most of a byte's time that the network can account for
  double longer_s = 0;  ///< how much longer a step of the smallest messages takes
  double ring = 1;      ///< factor of a ring's step
};

/// Some protocols send up to twice the bytes (NCCL's LL: a flag beside each word), none much more. What a byte takes
/// beyond that in small messages is no matter of bandwidth.
constexpr double most_sent = 2;

Costs costs_of(const SweepFit& f, const FitChange& change) {
  Costs costs;
  for (const Region& region : f.regions)
    if (const double byte_s = region.best().coefficients[byte_term]; byte_s > 0)
      costs.wire_s = costs.wire_s > 0 ? std::min(costs.wire_s, most_sent * byte_s) : most_sent * byte_s;
  if (change.latency_s) costs.longer_s = *change.latency_s - smallest_step(f).value();
  if (change.per_node) costs.ring = std::sqrt(*change.per_node / f.sweep.points.front().scale.per_node());
  return costs;
}

/// Cost of a step at another latency. No step gets shorter than the new latency, unless it was.
double changed_step(double step_s, double longer_s, const FitChange& change) {
  if (!change.latency_s) return step_s * change.step;
  return std::max(step_s + longer_s, std::min(step_s, *change.latency_s)) * change.step;
}

/// Sets a coefficient and scales its row and column of the covariance likewise.
void set_coefficient(Curve& c, std::size_t term, double value) {
  const double factor = c.coefficients[term] > 0 ? value / c.coefficients[term] : 1;
  c.coefficients[term] = value;
  for (std::size_t i = 0; i < fit::terms; ++i) {
    c.covariance[term][i] *= factor;
    c.covariance[i][term] *= factor;
  }
}

void change_costs(Curve& c, const Costs& costs, const FitChange& change) {
  const double wire_s = std::min(c.coefficients[byte_term], costs.wire_s);
  set_coefficient(c, byte_term, c.coefficients[byte_term] - wire_s + wire_s / change.bandwidth);
  const double ring = c.algorithm == "ring" ? costs.ring : 1;
  if (c.step_known)
    set_coefficient(c, step_term, ring * changed_step(c.coefficients[step_term], costs.longer_s, change));
  else  // the steps are part of the call
    set_coefficient(c, call_term, ring * c.coefficients[call_term] * change.step);
}

/// Leaves one curve in a region: that of the algorithm, else the best one under its name.
void choose_algorithm(Region& region, const std::string& algorithm) {
  const auto at = std::ranges::find(region.curves, algorithm, &Curve::algorithm);
  Curve chosen = at == region.curves.end() ? region.best() : *at;
  chosen.algorithm = algorithm;
  chosen.weight = 1;
  region.curves = {std::move(chosen)};
}

void change_regions(std::vector<Region>& regions, const Costs& costs, const FitChange& change) {
  for (Region& region : regions) {
    if (!change.algorithm.empty()) choose_algorithm(region, change.algorithm);
    for (Curve& c : region.curves) change_costs(c, costs, change);
  }
}

double best_time(const SweepFit& f, const Scale& scale, std::uint64_t bytes) {
  const Curve& c = region_of(f.regions, bytes).best();
  const auto x = terms_of(f.sweep.collective, c.algorithm, scale, static_cast<double>(bytes));
  return x ? dot(*x, c.coefficients) : 0;
}

/// Moves the measured times with their curves.
void change_points(SweepFit& to, const SweepFit& from, const FitChange& change) {
  for (fit::Observation& o : to.sweep.points) {
    const double before = best_time(from, o.scale, o.bytes);
    if (change.per_node) o.scale.ranks = o.scale.nodes * *change.per_node;
    if (!change.algorithm.empty()) o.told = nullptr, o.choice.clear();
    const double after = best_time(to, o.scale, o.bytes);
    if (before > 0 && after > 0) o.time_s *= after / before;
  }
}

}  // namespace

std::optional<double> smallest_step(const SweepFit& f) {
  for (const Region& region : f.regions)
    if (region.best().step_known && region.best().coefficients[step_term] > 0)
      return region.best().coefficients[step_term];
  return std::nullopt;
}

SweepFit changed(const SweepFit& f, const FitChange& change) {
  SweepFit to = f;
  const Costs costs = costs_of(f, change);
  change_regions(to.regions, costs, change);
  if (!change.algorithm.empty())
    std::erase_if(to.by_message, [&](const fit::ByMessage& m) { return m.algorithm != change.algorithm; });
  for (fit::ByMessage& m : to.by_message) change_regions(m.regions, costs, change);
  change_points(to, f, change);
  to.setups = setups_of(to.sweep);
  return to;
}

}  // namespace busbar::predict
