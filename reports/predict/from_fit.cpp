// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/from_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/predict/readings.hpp"

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::quadratic, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

constexpr double most_ranks = 1e9;
constexpr double widest = 20;  ///< maximum half-width of an interval, as a logarithm: prevents overflow

/// Prior weight of a switch to another algorithm where that becomes faster: even odds.
constexpr double chance_of_change = 0.5;

/// The region that contains a size, else the nearest one. Sizes are within those measured.
const Region& region_of(const std::vector<Region>& regions, std::uint64_t bytes) {
  const auto distance = [size = std::log(bytes)](const Region& r) {
    return std::max({0.0, std::log(r.first) - size, size - std::log(r.last)});
  };
  return *std::ranges::min_element(regions, {}, distance);
}

/// Prediction interval for a new launch: variances of the logarithm from coefficients, launches and sizes add up. Sizes
/// follow Student's t, whose variance is its squared scale times n / (n - 2).
Span span_around(double time_s, const Terms& x, const Curve& c, const Region& region, double confidence) {
  const double coefficients = std::max(0.0, quadratic(c.covariance, x)) / (time_s * time_s);
  const double sizes = c.scatter * c.scatter * fit::tail_degrees / (fit::tail_degrees - 2);
  const double error = std::sqrt(coefficients + std::pow(region.launches.value, 2) + sizes);
  const double factor = std::exp(std::min(t_of(c, region.launches, confidence) * error, widest));
  return {.value = time_s, .low = time_s / factor, .high = time_s * factor};
}

/// The largest measured scale.
Scale largest(const SweepFit& f) { return f.sweep.scales().back(); }

/// A curve and its region.
struct Place {
  const Region* region = nullptr;
  const Curve* curve = nullptr;
};

/// The algorithm's curve for messages of this length; `like` itself if there is none.
Place place_of(const SweepFit& f, const Region& region, const Curve& like, const Scale& scale, std::uint64_t bytes) {
  const auto known = std::ranges::find(f.by_message, like.algorithm, &fit::ByMessage::algorithm);
  if (known == f.by_message.end()) return {.region = &region, .curve = &like};
  const Region& at = region_of(known->regions, message_bytes(f.sweep.collective, like.algorithm, scale, bytes));
  if (!at.best().step_known) return {.region = &region, .curve = &like};
  return {.region = &at, .curve = &at.best()};
}

/// With one measured scale, the share of a call's time that grows with steps is unknown: returns both extremes.
std::vector<Reading> readings_of_one_scale(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                           double bytes, double confidence) {
  const auto here = terms_of(f.sweep.collective, c.algorithm, scale, bytes);
  const auto there = terms_of(f.sweep.collective, c.algorithm, largest(f), bytes);
  std::vector<Reading> all;
  if (!here || !there) return all;
  const double growth = (*there)[1] > 0 ? (*here)[1] / (*there)[1] : 1;
  for (const auto& [more_steps, text] :
       {std::pair(1.0, "constant latency"), std::pair(growth, "latency grows with steps")}) {
    const Terms x{more_steps, 0, (*here)[2]};
    const double time_s = dot(x, c.coefficients);
    if (time_s > 0)
      all.push_back({.what = fmt::format("{}, {}", c.algorithm, text),
                     .time_s = span_around(time_s, x, c, region, confidence),
                     .weight = c.weight / 2});
  }
  return all;
}

std::vector<Reading> readings_of(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                 double bytes, double confidence) {
  if (!c.step_known) return readings_of_one_scale(f, region, c, scale, bytes, confidence);
  const auto x = terms_of(f.sweep.collective, c.algorithm, scale, bytes);
  const Place at = place_of(f, region, c, scale, static_cast<std::uint64_t>(bytes));
  const double time_s = x ? dot(*x, at.curve->coefficients) : 0;
  if (!(time_s > 0)) return {};
  return {
      {.what = c.algorithm, .time_s = span_around(time_s, *x, *at.curve, *at.region, confidence), .weight = c.weight}};
}

/// Predicts the fastest other algorithm, with the call, step and byte costs of the best curve. At the largest measured
/// scale the library did not choose it, so it is assumed to be no faster there. Empty if none is faster at this scale.
std::optional<Reading> changed(const SweepFit& f, const Region& region, double best_s, const Scale& scale, double bytes,
                               double confidence) {
  const Curve& best = region.best();
  const auto time_of = [&](std::string_view algorithm, const Scale& at) {
    const auto x = terms_of(f.sweep.collective, algorithm, at, bytes);
    return x ? dot(*x, best.coefficients) : 0.0;
  };
  const auto known = [&](std::string_view algorithm) {
    return std::ranges::any_of(region.curves, [&](const Curve& c) { return c.algorithm == algorithm; });
  };
  std::optional<Reading> fastest;
  for (const fit::Algorithm* a : fit::algorithms_of(f.sweep.collective, f.sweep.backend)) {
    if (known(a->name)) continue;
    const double there = time_of(a->name, largest(f));
    if (!(there > 0)) continue;
    const double slower = std::max(1.0, time_of(best.algorithm, largest(f)) / there);
    const double time_s = time_of(a->name, scale) * slower;
    if (!(time_s > 0) || time_s >= best_s) continue;
    if (fastest && fastest->time_s.value <= time_s) continue;
    Terms x = *terms_of(f.sweep.collective, a->name, scale, bytes);
    for (double& term : x) term *= slower;
    fastest = Reading{.what = fmt::format("{}, if the library switches to it", a->name),
                      .time_s = span_around(time_s, x, best, region, confidence)};
  }
  return fastest;
}

std::vector<std::uint64_t> measured_sizes(const SweepFit& f) {
  std::set<std::uint64_t> all;
  for (const fit::Observation& o : f.sweep.points) all.insert(o.bytes);
  return {all.begin(), all.end()};
}

std::string measured_nodes(const fit::Fit& fit) {
  std::set<int> nodes;
  for (const SweepFit& f : fit.sweeps)
    for (const Scale& s : f.sweep.scales()) nodes.insert(s.nodes);
  return fmt::format("{}", fmt::join(nodes, ", "));
}

bool any_assumed(const fit::Fit& fit) {
  return std::ranges::any_of(fit.sweeps, [](const SweepFit& f) {
    return std::ranges::any_of(f.regions, [](const Region& r) { return r.launches.degrees == 0; });
  });
}

std::vector<std::string> assumptions_of_fit(const fit::Fit& fit, const FromFitOptions& o) {
  std::vector<std::string> all{
      fmt::format(
          "Measured on {} nodes. The prediction assumes the same hosts, network, library, settings and ranks per node.",
          measured_nodes(fit)),
      "time = call + step x steps + volume x size / bandwidth, by the steps and volumes of each algorithm "
      "(docs/predicting.md). Curves change at the same sizes as in the measurement. Where an algorithm splits a size "
      "among ranks (a ring), more ranks send shorter messages, and the curve for that message length applies.",
      "A figure combines all curves that the times do not rule out: the weighted mean of their logarithms, with the "
      "union of their intervals.",
      "Measurements on one number of nodes do not show how much of the latency grows with steps: both extremes are "
      "then scenarios.",
      fmt::format("If another algorithm of the library would be faster, a switch to it has a weight of {:g}. That "
                  "algorithm has the same cost per step and byte, and at the largest measured scale it is no faster "
                  "than the measurement.",
                  chance_of_change),
      fmt::format("Intervals are for one new launch, at {:g} % by Student's t. They include coefficient errors, "
                  "scatter between sizes and launch-to-launch variation{}.",
                  100 * o.confidence,
                  any_assumed(fit)
                      ? fmt::format(" ({:g} % assumed where launches are too few)", 100 * fit.assumed_spread)
                      : ""),
      "Not in the data, so not in the figures: other jobs on the network, more switch levels, slow nodes. All of these "
      "lengthen times."};
  for (const std::string& remark : fit.remarks) all.push_back(remark + ".");
  if (o.allowance > 0)
    all.push_back(fmt::format("To allow for these, upper limits of times are raised by {:g} %, as requested.",
                              100 * o.allowance));
  return all;
}

}  // namespace

std::string why_not(const SweepFit& f, std::optional<std::uint64_t> bytes) {
  if (f.regions.empty()) return f.problem.empty() ? "no curve fits" : f.problem;
  if (f.sweep.kind != CaseKind::collective) return "a pair cannot be scaled";
  if (f.sweep.level != fit::between_nodes) return "measured on one node: the network between nodes is unknown";
  if (bytes && (*bytes < f.regions.front().first || *bytes > f.regions.back().last))
    return fmt::format("{} is outside the measured sizes, {} to {}", format_size(*bytes),
                       format_size(f.regions.front().first), format_size(f.regions.back().last));
  if (bytes && f.sweep.scales().size() > 1 && !region_of(f.regions, *bytes).best().step_known)
    return fmt::format("at {} the cost of a step is unknown", format_size(*bytes));
  return {};
}

std::optional<Predicted> predict_one(const SweepFit& f, const Scale& scale, std::uint64_t bytes,
                                     const FromFitOptions& o) {
  if (!why_not(f, bytes).empty()) return std::nullopt;
  const Region& region = region_of(f.regions, bytes);
  const auto size = static_cast<double>(bytes);
  Predicted p{.scale = scale, .bytes = bytes, .time_s = {}, .readings = {}};
  for (const Curve& c : region.curves)
    std::ranges::move(readings_of(f, region, c, scale, size, o.confidence), std::back_inserter(p.readings));
  if (p.readings.empty()) return std::nullopt;
  const bool may_change = region.best().step_known && scale.ranks > largest(f).ranks;
  if (auto other =
          !may_change ? std::nullopt : changed(f, region, p.readings.front().time_s.value, scale, size, o.confidence)) {
    for (Reading& r : p.readings) r.weight *= 1 - chance_of_change;
    other->weight = chance_of_change;
    p.readings.push_back(*std::move(other));
  }
  p.time_s = together(p.readings, o.allowance);
  return p;
}

Prediction predict_from(const fit::Fit& fit, const FromFitOptions& o) {
  Prediction all{.assumptions = assumptions_of_fit(fit, o), .confidence = o.confidence};
  for (const SweepFit& f : fit.sweeps) {
    const auto leave_out = [&](const std::string& why) {
      all.left_out.push_back(fmt::format("{}, {}: {}", f.sweep.name(), f.sweep.level, why));
    };
    if (const std::string why = why_not(f, std::nullopt); !why.empty()) {
      leave_out(why);
      continue;
    }
    Series series = series_of(f.sweep);
    const std::vector<std::uint64_t> sizes = o.sizes.empty() ? measured_sizes(f) : o.sizes;
    for (const std::uint64_t bytes : sizes)
      if (const std::string why = why_not(f, bytes); !why.empty()) leave_out(why);
    const double per_node = f.sweep.points.front().scale.per_node();
    for (const Scale& scale : f.sweep.scales())
      for (const std::uint64_t bytes : sizes)
        if (auto p = predict_one(f, scale, bytes, o)) series.fitted.push_back(*std::move(p));
    for (const int nodes : o.nodes) {
      if (nodes * per_node > most_ranks) {
        leave_out(fmt::format("{} have more than {:.0f} ranks", plural(nodes, "node"), most_ranks));
        continue;
      }
      const Scale scale{.ranks = static_cast<int>(std::lround(nodes * per_node)), .nodes = nodes};
      for (const std::uint64_t bytes : sizes)
        if (auto p = predict_one(f, scale, bytes, o)) series.predicted.push_back(*std::move(p));
    }
    if (!series.predicted.empty()) all.series.push_back(std::move(series));
  }
  return all;
}

}  // namespace busbar::predict
