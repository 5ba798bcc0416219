// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/changed_fit.hpp"

#include <algorithm>
#include <cmath>

#include "reports/predict/extrapolation.hpp"

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

constexpr std::size_t call_term = 0, step_term = 1, byte_term = 2;

/// Cost of a step at another latency. `longer_s`: how much longer a step of the smallest messages takes. No step gets
/// shorter than the new latency, unless it was.
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

void change_costs(Curve& c, double longer_s, const FitChange& change) {
  set_coefficient(c, byte_term, c.coefficients[byte_term] / change.bandwidth);
  if (c.step_known)
    set_coefficient(c, step_term, changed_step(c.coefficients[step_term], longer_s, change));
  else  // the steps are part of the call
    set_coefficient(c, call_term, c.coefficients[call_term] * change.step);
}

/// Leaves one curve in a region: that of the algorithm, else the best one under its name.
void choose_algorithm(Region& region, const std::string& algorithm) {
  const auto at = std::ranges::find(region.curves, algorithm, &Curve::algorithm);
  Curve chosen = at == region.curves.end() ? region.best() : *at;
  chosen.algorithm = algorithm;
  chosen.weight = 1;
  region.curves = {std::move(chosen)};
}

void change_regions(std::vector<Region>& regions, double longer_s, const FitChange& change) {
  for (Region& region : regions) {
    if (!change.algorithm.empty()) choose_algorithm(region, change.algorithm);
    for (Curve& c : region.curves) change_costs(c, longer_s, change);
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
  const double longer_s = change.latency_s ? *change.latency_s - smallest_step(f).value() : 0;
  change_regions(to.regions, longer_s, change);
  if (!change.algorithm.empty())
    std::erase_if(to.by_message, [&](const fit::ByMessage& m) { return m.algorithm != change.algorithm; });
  for (fit::ByMessage& m : to.by_message) change_regions(m.regions, longer_s, change);
  change_points(to, f, change);
  return to;
}

}  // namespace busbar::predict
