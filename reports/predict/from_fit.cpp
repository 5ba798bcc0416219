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

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

constexpr double most_ranks = 1e9;

/// How far NCCL's model is trusted where it tells of a switch: nobody saw it switch there.
constexpr double trust_in_model = 0.75;

/// With one measured scale, the share of a call's time that grows with steps is unknown: returns both extremes.
std::vector<Reading> readings_of_one_scale(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                           double bytes, double confidence) {
  const auto size = static_cast<std::uint64_t>(bytes);
  const std::string_view algorithm = algorithm_at(f.sweep, c, scale, size);
  const auto here = terms_at(f.sweep, c, scale, size), there = terms_at(f.sweep, c, largest_scale(f), size);
  std::vector<Reading> all;
  if (!here || !there) return all;
  const double growth = (*there)[1] > 0 ? (*here)[1] / (*there)[1] : 1;
  for (const auto& [more_steps, text] :
       {std::pair(1.0, "constant latency"), std::pair(growth, "latency grows with steps")}) {
    const Terms x{more_steps, 0, (*here)[2]};
    const double time_s = dot(x, c.coefficients);
    if (time_s > 0)
      all.push_back({.what = fmt::format("{}, {}", algorithm, text),
                     .time_s = span_around(time_s, x, c, region, distance_of(f, algorithm, scale), confidence),
                     .weight = c.weight / 2});
  }
  return all;
}

std::vector<Reading> readings_of(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                 double bytes, double confidence) {
  if (!c.step_known) return readings_of_one_scale(f, region, c, scale, bytes, confidence);
  const auto size = static_cast<std::uint64_t>(bytes);
  const auto time_s = extrapolate(f, region, c, scale, size, confidence);
  if (!time_s) return {};
  return {{.what = std::string(algorithm_at(f.sweep, c, scale, size)), .time_s = *time_s, .weight = c.weight}};
}

std::string after_switch(std::string_view algorithm) {
  return fmt::format("{}, if the library switches to it", algorithm);
}

/// Predicts the fastest other algorithm, with the call, step and byte costs of the best curve. At the largest measured
/// scale the library did not choose it, so it is assumed to be no faster there. Empty if none is faster at this scale.
std::optional<Reading> faster_after_switch(const SweepFit& f, const Region& region, double best_s, const Scale& scale,
                                           double bytes, double confidence) {
  const Curve& best = region.best();
  const auto time_of = [&](std::string_view algorithm, const Scale& at) {
    const auto x = terms_of(f.sweep.collective, algorithm, at, bytes);
    return x ? dot(*x, best.coefficients) : 0.0;
  };
  std::optional<Reading> fastest;
  for (const fit::Algorithm* a : fit::algorithms_of(f.sweep.collective, f.sweep.backend)) {
    const double there = time_of(a->name, largest_scale(f));
    if (has_curve(region, a->name) || !(there > 0)) continue;
    const double slower = std::max(1.0, time_of(best.algorithm, largest_scale(f)) / there);
    const double time_s = time_of(a->name, scale) * slower;
    if (!(time_s > 0) || time_s >= best_s || (fastest && fastest->time_s.value <= time_s)) continue;
    Terms x = *terms_of(f.sweep.collective, a->name, scale, bytes);
    for (double& term : x) term *= slower;
    fastest = Reading{.what = after_switch(a->name),
                      .time_s = span_around(time_s, x, best, region, distance_of(f, a->name, scale), confidence),
                      .weight = chance_of_change};
  }
  return fastest;
}

/// As NCCL's model tells: the chance of a switch, and how times at this scale and at the largest measured one compare.
std::optional<Reading> switch_by_model(const SweepFit& f, const Region& region, const Scale& scale, double bytes,
                                       double confidence) {
  const Curve& best = region.best();
  const std::string_view other = best.algorithm == "ring" ? "tree" : "ring";
  const Scale largest = largest_scale(f);
  const auto change = nccl_change(f.setups, best.algorithm, largest, other, scale, static_cast<std::uint64_t>(bytes));
  auto x = terms_of(f.sweep.collective, best.algorithm, largest, bytes);
  const double chance = trust_in_model * change.chance;
  if (!x || has_curve(region, other) || chance < fit::least_weight) return std::nullopt;
  for (double& term : *x) term *= change.ratio;
  const double time_s = dot(*x, best.coefficients);
  if (!(time_s > 0)) return std::nullopt;
  return Reading{.what = after_switch(other),
                 .time_s = span_around(time_s, *x, best, region, distance_of(f, other, scale), confidence),
                 .weight = chance};
}

/// Times of an algorithm with terms `x` at the costs of another one's curve; whether each of both sends its messages at
/// once. The latency of one that does is in the call; each step that waits for another then pays it again. The other
/// way round, all messages but the first may cost a step or nothing.
std::vector<double> times_after_switch(const Terms& x, const Curve& c, bool at_once, bool at_once_now) {
  const Terms& cost = c.coefficients;
  if (at_once_now && !at_once) return {x[1] * (cost[0] + cost[1]) + x[2] * cost[2]};
  if (at_once && !at_once_now) return {dot(x, cost), dot({1, 1, x[2]}, cost)};
  return {dot(x, cost)};
}

/// Weight of a switch to what the library's rules choose. Where the times refute the rules, which at the largest
/// measured scale are of another algorithm: even odds if the choice changes after it, else none.
double weight_of_rules(const SweepFit& f, const Region& region, const fit::Algorithm& chosen, std::uint64_t bytes) {
  const Scale largest = largest_scale(f);
  const fit::Algorithm* ruled = f.sweep.row_by_rules(largest, bytes);
  if (ruled == nullptr || ruled->name == algorithm_at(f.sweep, region.best(), largest, bytes)) return trust_in_rules;
  return ruled == &chosen ? 0 : chance_of_change;
}

/// As the library's rules tell: the algorithm that they choose at this scale. Empty if that is the best curve's.
std::vector<Reading> switch_by_rules(const SweepFit& f, const Region& region, const fit::Algorithm& chosen,
                                     const Scale& scale, double bytes, double confidence) {
  const Curve& best = region.best();
  const auto size = static_cast<std::uint64_t>(bytes);
  const std::string_view now = algorithm_at(f.sweep, best, scale, size);
  const double weight = weight_of_rules(f, region, chosen, size);
  if (chosen.name == now || weight == 0) return {};
  const Terms x = *terms_of(f.sweep.collective, chosen.name, scale, bytes);
  const auto* from = fit::algorithm_named(f.sweep.collective, now);
  std::vector<double> times =
      times_after_switch(x, best, sends_at_once(chosen), from != nullptr && sends_at_once(*from));
  std::erase_if(times, [](double time_s) { return !(time_s > 0); });
  std::vector<Reading> all;
  for (const double time_s : times)
    all.push_back({.what = after_switch(chosen.name),
                   .time_s = span_around(time_s, x, best, region, distance_of(f, chosen.name, scale), confidence),
                   .weight = weight / static_cast<double>(times.size())});
  return all;
}

/// Another algorithm than that of the largest measured scale, if the library may change to it.
std::vector<Reading> changed(const SweepFit& f, const Region& region, double best_s, const Scale& scale, double bytes,
                             double confidence) {
  if (const auto* chosen = f.sweep.row_by_rules(scale, static_cast<std::uint64_t>(bytes)))
    return switch_by_rules(f, region, *chosen, scale, bytes, confidence);
  const auto one = f.setups.empty() ? faster_after_switch(f, region, best_s, scale, bytes, confidence)
                                    : switch_by_model(f, region, scale, bytes, confidence);
  return one ? std::vector{*one} : std::vector<Reading>{};
}

std::vector<std::uint64_t> measured_sizes(const SweepFit& f) {
  std::set<std::uint64_t> all;
  for (const fit::Observation& o : f.sweep.points) all.insert(o.bytes);
  return {all.begin(), all.end()};
}

/// At one scale, by ascending size: the requested sizes and all measured ones.
std::vector<Predicted> all_sizes_at(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  const auto measured = measured_sizes(f);
  std::set<std::uint64_t> sizes(measured.begin(), measured.end());
  sizes.insert(o.sizes.begin(), o.sizes.end());
  std::vector<Predicted> all;
  for (const std::uint64_t bytes : sizes)
    if (auto p = predict_one(f, scale, bytes, o)) all.push_back(*std::move(p));
  return all;
}

std::vector<Predicted> only_requested(std::vector<Predicted> all, const FromFitOptions& o) {
  if (!o.sizes.empty())
    std::erase_if(all, [&](const Predicted& p) { return std::ranges::find(o.sizes, p.bytes) == o.sizes.end(); });
  return all;
}

std::vector<Predicted> fitted_at(const SweepFit& f, const Scale& scale, const FromFitOptions& o) {
  return only_requested(all_sizes_at(f, scale, o), o);
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
    if (auto one = predict_one(f, largest, within, o)) found.push_back(*std::move(one));
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
    return only_requested(std::move(all), o);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (double Span::* const limit : {&Span::low, &Span::value, &Span::high})
      all[i].time_s.*limit = std::max(all[i].time_s.*limit, same_size[i].time_s.*limit);
  std::vector<double> falls = falls_of(same_size);
  std::ranges::transform(falls, falls_of(same_message), falls.begin(),
                         [](double a, double b) { return std::max(a, b); });
  allow_falls_by_rules(f, scale, all, falls);
  limit_falls(all, falls);
  return only_requested(std::move(all), o);
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
  const bool may_change = region.best().step_known && scale.ranks > largest_scale(f).ranks;
  if (may_change) {
    const auto others = changed(f, region, p.readings.front().time_s.value, scale, size, o.confidence);
    double weight = 0;
    for (const Reading& r : others) weight += r.weight;
    for (Reading& r : p.readings) r.weight *= 1 - weight;
    p.readings.insert(p.readings.end(), others.begin(), others.end());
  }
  p.time_s = together(p.readings, o.confidence, o.allowance);
  return p;
}

Prediction predict_from(const fit::Fit& fit, const FromFitOptions& o) {
  Prediction all{.assumptions = assumptions_of_fit(fit, o.nodes, o.confidence, o.allowance),
                 .confidence = o.confidence};
  for (const SweepFit& f : fit.sweeps) {
    const auto leave_out = [&](const std::string& why) {
      all.left_out.push_back(fmt::format("{}, {}: {}", f.sweep.name(), f.sweep.level, why));
    };
    if (const std::string why = why_not(f, std::nullopt); !why.empty()) {
      leave_out(why);
      continue;
    }
    for (const std::uint64_t bytes : o.sizes)
      if (const std::string why = why_not(f, bytes); !why.empty()) leave_out(why);
    Series series = series_of(f.sweep);
    for (const Scale& scale : f.sweep.scales())
      std::ranges::move(fitted_at(f, scale, o), std::back_inserter(series.fitted));
    for (const int nodes : o.nodes) {
      const double ranks = nodes * f.sweep.points.front().scale.per_node();
      if (ranks > most_ranks)
        leave_out(fmt::format("{} have more than {:.0f} ranks", plural(nodes, "node"), most_ranks));
      else
        std::ranges::move(predicted_at(f, {.ranks = static_cast<int>(std::lround(ranks)), .nodes = nodes}, o),
                          std::back_inserter(series.predicted));
    }
    if (!series.predicted.empty()) all.series.push_back(std::move(series));
  }
  return all;
}

}  // namespace busbar::predict
