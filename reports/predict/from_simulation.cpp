// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/from_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"
#include "reports/predict/readings.hpp"

namespace busbar::predict {
namespace {

using fit::Observation, fit::Scale, fit::Sweep;

LogTimes log_simulated_times(const Sweep& s, std::uint64_t bytes) {
  std::map<Scale, std::pair<double, int>> sums;
  for (const Observation& o : s.points) {
    if (o.bytes != bytes) continue;
    auto& [sum, n] = sums[o.scale];
    sum += std::log(o.time_s), ++n;
  }
  LogTimes all;
  for (const auto& [scale, sum] : sums) all[scale] = sum.first / sum.second;
  return all;
}

bool alike(const Sweep& a, const Sweep& b) {
  const bool same_place = !a.in_place || !b.in_place || a.in_place == b.in_place;
  return same_place && a.collective == b.collective && a.kind == b.kind && a.level == fit::between_nodes &&
         b.level == a.level;
}

std::optional<Predicted> predict_from_simulation(const Sweep& measured, const std::vector<const Sweep*>& simulated,
                                                 const Scale& scale, std::uint64_t bytes, double spread,
                                                 const FromFitOptions& o) {
  Predicted p{.scale = scale, .bytes = bytes};
  const LogTimes seen = log_simulated_times(measured, bytes);
  for (const Sweep* s : simulated) {
    const LogTimes times = log_simulated_times(*s, bytes);
    const auto there = times.find(scale);
    const auto ratio = ratio_of(seen, times, spread, o.confidence);
    if (there == times.end() || !ratio) continue;
    const double log_s = there->second + ratio->mean;
    p.readings.push_back({.what = fmt::format("simulated x {:.3g}: {}", std::exp(ratio->mean), s->name()),
                          .time_s = {.value = std::exp(log_s),
                                     .low = std::exp(log_s - ratio->half_width),
                                     .high = std::exp(log_s + ratio->half_width)}});
  }
  if (p.readings.empty()) return std::nullopt;
  for (Reading& r : p.readings) r.weight = 1 / static_cast<double>(p.readings.size());
  p.time_s = together(p.readings, o.confidence, o.allowance);
  return p;
}

std::vector<std::string> assumptions_of_simulation(double spread, const FromFitOptions& o) {
  return {
      "Simulated times are scaled by the ratio of measured to simulated times at common scales, size by size. The "
      "simulation gives the growth, the measurement the level.",
      fmt::format("Intervals are for one new launch at {:g} %: by Student's t on the variation of this ratio between "
                  "scales, and no narrower than {:g} % launch-to-launch variation.",
                  100 * o.confidence, 100 * spread),
      "Each simulated platform or algorithm is a separate scenario; all have the same weight, and the interval is the "
      "union of their intervals.",
      "Effects that the simulation lacks (other jobs, adaptive routing, slow nodes) are included only as far as they "
      "are the same at all scales."};
}

}  // namespace

std::optional<Ratio> ratio_of(const LogTimes& measured, const LogTimes& simulated, double spread, double confidence) {
  std::vector<double> logs;
  for (const auto& [scale, log_s] : measured)
    if (const auto at = simulated.find(scale); at != simulated.end()) logs.push_back(log_s - at->second);
  if (logs.empty()) return std::nullopt;
  const auto n = static_cast<double>(logs.size());
  Ratio r;
  for (const double x : logs) r.mean += x / n;
  double squares = 0;
  for (const double x : logs) squares += (x - r.mean) * (x - r.mean);
  const double tail = (1 - confidence) / 2;
  constexpr double normal = std::numeric_limits<double>::infinity();
  const double launches = upper_quantile(tail, normal) * spread * std::sqrt(1 + 1 / n);
  r.half_width = launches;
  if (logs.size() < 2) return r;
  const double scales = upper_quantile(tail, n - 1) * std::sqrt(squares / (n - 1) * (1 + 1 / n));
  r.half_width = std::max(launches, scales);
  return r;
}

Prediction predict_by_simulation(const std::vector<Run>& measured, const std::vector<Run>& simulated,
                                 const fit::SweepOptions& wanted, double launch_spread, const FromFitOptions& o) {
  const fit::Sweeps seen = fit::sweeps(measured, wanted);
  const fit::Sweeps made = fit::sweeps(simulated, {.collectives = wanted.collectives});
  Prediction all{.assumptions = assumptions_of_simulation(launch_spread, o), .confidence = o.confidence};
  for (const std::string& remark : seen.remarks) all.assumptions.push_back(remark + ".");
  for (const Sweep& sweep : seen.all) {
    std::vector<const Sweep*> models;
    for (const Sweep& s : made.all)
      if (alike(sweep, s)) models.push_back(&s);
    Series series = series_of(sweep);
    const auto measured = sweep.sizes();
    const auto& asked = o.sizes.empty() ? measured : o.sizes;
    const std::set<std::uint64_t> sizes(asked.begin(), asked.end());
    const Scale& scale = sweep.points.front().scale;
    for (const int nodes : o.nodes)
      for (const std::uint64_t bytes : sizes)
        if (auto p = nodes * scale.per_node() > 1e9
                         ? std::nullopt
                         : predict_from_simulation(sweep, models, scale.on(nodes), bytes, launch_spread, o))
          series.predicted.push_back(*std::move(p));
    if (series.predicted.empty())
      all.left_out.push_back(fmt::format("{}, {}: no simulated run has both a measured scale and a requested one",
                                         sweep.name(), sweep.level));
    else
      all.series.push_back(std::move(series));
  }
  return all;
}

}  // namespace busbar::predict
