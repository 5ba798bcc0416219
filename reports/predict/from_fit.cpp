// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/from_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/predict/assumptions.hpp"
#include "reports/predict/extrapolation.hpp"
#include "reports/predict/readings.hpp"
#include "reports/predict/switches.hpp"

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

constexpr double most_ranks = 1e9;

/// With one measured scale, the share of a call's time that grows with steps is unknown: returns both extremes.
std::vector<Reading> readings_of_one_scale(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                           std::uint64_t bytes, const FromFitOptions& o) {
  const std::string_view algorithm = algorithm_at(f.sweep, c, scale, bytes);
  const auto here = terms_at(f.sweep, c, scale, bytes), there = terms_at(f.sweep, c, largest_scale(f), bytes);
  std::vector<Reading> all;
  if (!here || !there) return all;
  const double growth = (*there)[1] > 0 ? (*here)[1] / (*there)[1] : 1;
  for (const auto& [more_steps, text] :
       {std::pair(1.0, "constant latency"), std::pair(growth, "latency grows with steps")}) {
    const Terms x{more_steps, 0, (*here)[2]};
    const double time_s = dot(x, c.coefficients);
    if (time_s > 0)
      all.push_back(
          {.what = fmt::format("{}, {}", algorithm, text),
           .time_s = span_around(time_s, x, c, region, distance_of(f, algorithm, scale, o.contention), o.confidence),
           .weight = c.weight / 2});
  }
  return all;
}

std::vector<Reading> readings_of(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                 std::uint64_t bytes, const FromFitOptions& o) {
  if (!c.step_known) return readings_of_one_scale(f, region, c, scale, bytes, o);
  const auto time_s = extrapolate(f, region, c, scale, bytes, o.contention, o.confidence);
  if (!time_s) return {};
  return {{.what = std::string(algorithm_at(f.sweep, c, scale, bytes)), .time_s = *time_s, .weight = c.weight}};
}

/// Why no curve leads to other scales, or to a size there; empty if one does.
std::string why_no_curve(const SweepFit& f, std::optional<std::uint64_t> bytes) {
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

/// Whether or not the curves describe the measured times.
std::optional<Predicted> predict_by_curves(const SweepFit& f, const Scale& scale, std::uint64_t bytes,
                                           const FromFitOptions& o) {
  if (!why_no_curve(f, bytes).empty()) return std::nullopt;
  const Region& region = region_of(f.regions, bytes);
  Predicted p{.scale = scale, .bytes = bytes};
  for (const Curve& c : region.curves)
    std::ranges::move(readings_of(f, region, c, scale, bytes, o), std::back_inserter(p.readings));
  if (p.readings.empty()) return std::nullopt;
  if (!o.fixed_algorithm && region.best().step_known && scale.ranks > largest_scale(f).ranks) {
    const auto others =
        readings_after_switch(f, region, p.readings.front().time_s.value, scale, bytes, o.contention, o.confidence);
    double weight = 0;
    for (const Reading& r : others) weight += r.weight;
    for (Reading& r : p.readings) r.weight *= 1 - weight;
    p.readings.insert(p.readings.end(), others.begin(), others.end());
  }
  p.time_s = together(p.readings, o.confidence, o.allowance);
  return p;
}

/// At one scale, by ascending size: the requested sizes and all measured ones.
std::vector<Predicted> all_sizes_at(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  const auto measured = f.sweep.sizes();
  std::set<std::uint64_t> sizes(measured.begin(), measured.end());
  sizes.insert(o.sizes.begin(), o.sizes.end());
  std::vector<Predicted> all;
  for (const std::uint64_t bytes : sizes)
    if (auto p = predict_by_curves(f, scale, bytes, o)) all.push_back(*std::move(p));
  return all;
}

bool asked_for(std::uint64_t bytes, const FromFitOptions& o) {
  return o.sizes.empty() || std::ranges::find(o.sizes, bytes) != o.sizes.end();
}

/// Without sizes that were not requested, and without those that no curve describes.
std::vector<Predicted> only_requested(std::vector<Predicted> all, const SweepFit& f, const FromFitOptions& o) {
  std::erase_if(
      all, [&](const Predicted& p) { return !asked_for(p.bytes, o) || !region_of(f.regions, p.bytes).is_described(); });
  return all;
}

/// At the largest measured scale, for each prediction: the same size, or the size whose messages are as long.
std::vector<Predicted> at_largest(const SweepFit& f, const std::vector<Predicted>& all, bool same_message,
                                  const FromFitOptions& o) {
  const Scale largest = largest_scale(f);
  std::vector<Predicted> found;
  for (const Predicted& p : all) {
    const std::string& algorithm = region_of(f.regions, p.bytes).best().algorithm;
    const auto message = [&](const Scale& scale) {
      return static_cast<double>(message_bytes(f.sweep.collective, algorithm, scale, p.bytes));
    };
    const double bytes = static_cast<double>(p.bytes) * (same_message ? message(p.scale) / message(largest) : 1);
    const auto within = std::clamp(static_cast<std::uint64_t>(bytes), f.regions.front().first, f.regions.back().last);
    if (auto one = predict_by_curves(f, largest, within, o)) found.push_back(*std::move(one));
  }
  return found;
}

/// Where the library's rules choose another algorithm from a size on, times may fall by as much as they do.
void allow_falls_by_rules(const SweepFit& f, const Scale& scale, const std::vector<Predicted>& by_size,
                          std::vector<double>& falls) {
  constexpr double any = 20;  // as a logarithm
  for (std::size_t i = 1; i < by_size.size(); ++i)
    if (f.sweep.row_by_rules(scale, by_size[i].bytes) != f.sweep.row_by_rules(scale, by_size[i - 1].bytes))
      falls[i] = any;
}

/// No time is below that of the largest measured scale. None falls with size, unless it does there: at that size, or
/// where messages are as long; or the library's rules choose another algorithm.
std::vector<Predicted> predicted_at(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  std::vector<Predicted> all = all_sizes_at(f, scale, o);
  const auto same_size = at_largest(f, all, false, o), same_message = at_largest(f, all, true, o);
  if (scale.nodes <= largest_scale(f).nodes || same_size.size() != all.size() || same_message.size() != all.size())
    return only_requested(std::move(all), f, o);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (double Span::* const limit : {&Span::low, &Span::value, &Span::high})
      all[i].time_s.*limit = std::max(all[i].time_s.*limit, same_size[i].time_s.*limit);
  std::vector<double> falls = falls_of(same_size);
  std::ranges::transform(falls, falls_of(same_message), falls.begin(),
                         [](double a, double b) { return std::max(a, b); });
  allow_falls_by_rules(f, scale, all, falls);
  limit_falls(all, falls);
  return only_requested(std::move(all), f, o);
}

}  // namespace

std::string why_not(const SweepFit& f, std::optional<std::uint64_t> bytes) {
  std::string why = why_no_curve(f, bytes);
  if (!why.empty() || !bytes) return why;
  const Region& region = region_of(f.regions, *bytes);
  return region.is_described() ? "" : not_described(region);
}

std::optional<Predicted> predict_one(const SweepFit& f, const Scale& scale, std::uint64_t bytes,
                                     const FromFitOptions& o) {
  return why_not(f, bytes).empty() ? predict_by_curves(f, scale, bytes, o) : std::nullopt;
}

/// Beside other jobs, and with the upper limits that hold without them.
std::vector<Predicted> with_both_limits(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  std::vector<Predicted> all = predicted_at(f, scale, o);
  FromFitOptions alone = o;
  alone.contention.traffic = Traffic::alone;
  const std::vector<Predicted> others = predicted_at(f, scale, alone);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].alone_high_s = std::min(all[i].time_s.high, others[i].time_s.high);
  return all;
}

std::vector<Naive> naive_at(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  std::vector<Naive> all;
  for (const std::uint64_t bytes : f.sweep.sizes())
    if (asked_for(bytes, o) && !region_of(f.regions, bytes).is_described()) all.push_back(naive_time(f, scale, bytes));
  return all;
}

/// Why sizes of a sweep are not predicted, each reason once.
std::vector<std::string> reasons_of_sizes(const SweepFit& f, const FromFitOptions& o) {
  std::vector<std::string> all;
  const auto add = [&all](const std::string& why) {
    if (!why.empty() && std::ranges::find(all, why) == all.end()) all.push_back(why);
  };
  for (const std::uint64_t bytes : o.sizes) add(why_not(f, bytes));
  if (o.sizes.empty())
    for (const Region& region : f.regions)
      if (!region.is_described()) add(not_described(region));
  return all;
}

Prediction predict_from(const fit::Fit& fit, const FromFitOptions& o) {
  Prediction all{.assumptions = assumptions_of_fit(fit, o.nodes, o.confidence, o.allowance, o.contention.topology),
                 .confidence = o.confidence};
  for (const SweepFit& f : fit.sweeps) {
    const auto leave_out = [&](const std::string& why) {
      all.left_out.push_back(fmt::format("{}, {}: {}", f.sweep.name(), f.sweep.level, why));
    };
    if (const std::string why = why_not(f, std::nullopt); !why.empty()) {
      leave_out(why);
      continue;
    }
    for (const std::string& why : reasons_of_sizes(f, o)) leave_out(why);
    Series series = series_of(f.sweep);
    for (const Scale& scale : f.sweep.scales())
      std::ranges::move(only_requested(all_sizes_at(f, scale, o), f, o), std::back_inserter(series.fitted));
    for (const int nodes : o.nodes) {
      const Scale& measured = f.sweep.points.front().scale;
      if (nodes * measured.per_node() > most_ranks) {
        leave_out(fmt::format("{} have more than {:.0f} ranks", plural(nodes, "node"), most_ranks));
        continue;
      }
      const Scale scale = measured.on(nodes);
      std::ranges::move(with_both_limits(f, scale, o), std::back_inserter(series.predicted));
      std::ranges::move(naive_at(f, scale, o), std::back_inserter(series.naive));
    }
    if (!series.predicted.empty() || !series.naive.empty()) all.series.push_back(std::move(series));
  }
  return all;
}

}  // namespace busbar::predict
