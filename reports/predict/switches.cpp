// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/switches.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "reports/predict/assumptions.hpp"
#include "reports/predict/extrapolation.hpp"

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

/// How far NCCL's model is trusted where it tells of a switch: nobody saw it switch there.
constexpr double trust_in_model = 0.75;

std::string after_switch(std::string_view algorithm) {
  return fmt::format("{}, if the library switches to it", algorithm);
}

/// Predicts the fastest other algorithm, with the call, step and byte costs of the best curve. At the largest measured
/// scale the library did not choose it, so it is assumed to be no faster there. Empty if none is faster at this scale.
std::optional<Reading> faster_after_switch(const SweepFit& f, const Region& region, double best_s, const Scale& scale,
                                           double bytes, const Contention& contention, double confidence) {
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
    fastest =
        Reading{.what = after_switch(a->name),
                .time_s = span_around(time_s, x, best, region, distance_of(f, a->name, scale, contention), confidence),
                .weight = chance_of_change};
  }
  return fastest;
}

/// As NCCL's model tells: the chance of a switch, and how times at this scale and at the largest measured one compare.
std::optional<Reading> switch_by_model(const SweepFit& f, const Region& region, const Scale& scale, double bytes,
                                       const Contention& contention, double confidence) {
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
                 .time_s = span_around(time_s, *x, best, region, distance_of(f, other, scale, contention), confidence),
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
                                     const Scale& scale, double bytes, const Contention& contention,
                                     double confidence) {
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
    all.push_back(
        {.what = after_switch(chosen.name),
         .time_s = span_around(time_s, x, best, region, distance_of(f, chosen.name, scale, contention), confidence),
         .weight = weight / static_cast<double>(times.size())});
  return all;
}

}  // namespace

std::vector<Reading> readings_after_switch(const SweepFit& f, const Region& region, double best_s, const Scale& scale,
                                           double bytes, const Contention& contention, double confidence) {
  if (const auto* chosen = f.sweep.row_by_rules(scale, static_cast<std::uint64_t>(bytes)))
    return switch_by_rules(f, region, *chosen, scale, bytes, contention, confidence);
  const auto one = f.setups.empty() ? faster_after_switch(f, region, best_s, scale, bytes, contention, confidence)
                                    : switch_by_model(f, region, scale, bytes, contention, confidence);
  return one ? std::vector{*one} : std::vector<Reading>{};
}

}  // namespace busbar::predict
