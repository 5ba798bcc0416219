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

/// A size at a scale where the library may switch from the best curve of the size's region.
struct Switch {
  const SweepFit& f;
  const Region& region;
  const Scale& scale;
  std::uint64_t bytes;
  const Contention& contention;
  double confidence;

  [[nodiscard]] std::optional<Terms> terms(std::string_view algorithm, const Scale& at) const {
    return terms_of(f.sweep.collective, algorithm, at, static_cast<double>(bytes));
  }
  /// If it switches to this algorithm. `x`: its terms.
  [[nodiscard]] Reading reading(std::string_view algorithm, double time_s, const Terms& x, double weight) const {
    const Distance distance = distance_of(f, algorithm, scale, contention);
    return {.what = fmt::format("{}, if the library switches to it", algorithm),
            .time_s = span_around(time_s, x, region.best(), region, distance, confidence),
            .weight = weight};
  }
};

/// Predicts the fastest other algorithm, with the call, step and byte costs of the best curve. At the largest measured
/// scale the library did not choose it, so it is assumed to be no faster there. Empty if none is faster at this scale
/// than `best_s`.
std::optional<Reading> faster_after_switch(const Switch& s, double best_s) {
  const Curve& best = s.region.best();
  const Scale largest = largest_scale(s.f);
  const auto time_of = [&](std::string_view algorithm, const Scale& at) {
    const auto x = s.terms(algorithm, at);
    return x ? dot(*x, best.coefficients) : 0.0;
  };
  std::optional<Reading> fastest;
  for (const fit::Algorithm* a : fit::algorithms_of(s.f.sweep.collective, s.f.sweep.backend)) {
    const double there = time_of(a->name, largest);
    if (has_curve(s.region, a->name) || !(there > 0)) continue;
    const double slower = std::max(1.0, time_of(best.algorithm, largest) / there);
    const double time_s = time_of(a->name, s.scale) * slower;
    if (!(time_s > 0) || time_s >= best_s || (fastest && fastest->time_s.value <= time_s)) continue;
    Terms x = *s.terms(a->name, s.scale);
    for (double& term : x) term *= slower;
    fastest = s.reading(a->name, time_s, x, chance_of_change);
  }
  return fastest;
}

/// As NCCL's model tells: the chance of a switch, and how times at this scale and at the largest measured one compare.
std::optional<Reading> switch_by_model(const Switch& s) {
  const Curve& best = s.region.best();
  const std::string_view other = best.algorithm == "ring" ? "tree" : "ring";
  const Scale largest = largest_scale(s.f);
  const auto change = nccl_change(s.f.setups, best.algorithm, largest, other, s.scale, s.bytes);
  auto x = s.terms(best.algorithm, largest);
  const double chance = trust_in_model * change.chance;
  if (!x || has_curve(s.region, other) || chance < fit::least_weight) return std::nullopt;
  for (double& term : *x) term *= change.ratio;
  const double time_s = dot(*x, best.coefficients);
  return time_s > 0 ? std::optional(s.reading(other, time_s, *x, chance)) : std::nullopt;
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
double weight_of_rules(const Switch& s, const fit::Algorithm& chosen) {
  const Scale largest = largest_scale(s.f);
  const fit::Algorithm* ruled = s.f.sweep.row_by_rules(largest, s.bytes);
  if (ruled == nullptr || ruled->name == algorithm_at(s.f.sweep, s.region.best(), largest, s.bytes))
    return trust_in_rules;
  return ruled == &chosen ? 0 : chance_of_change;
}

/// As the library's rules tell: the algorithm that they choose at this scale. Empty if that is the best curve's.
std::vector<Reading> switch_by_rules(const Switch& s, const fit::Algorithm& chosen) {
  const Curve& best = s.region.best();
  const std::string_view now = algorithm_at(s.f.sweep, best, s.scale, s.bytes);
  const double weight = weight_of_rules(s, chosen);
  if (chosen.name == now || weight == 0) return {};
  const Terms x = *s.terms(chosen.name, s.scale);
  const auto* from = fit::algorithm_named(s.f.sweep.collective, now);
  std::vector<double> times =
      times_after_switch(x, best, sends_at_once(chosen), from != nullptr && sends_at_once(*from));
  std::erase_if(times, [](double time_s) { return !(time_s > 0); });
  std::vector<Reading> all;
  for (const double time_s : times)
    all.push_back(s.reading(chosen.name, time_s, x, weight / static_cast<double>(times.size())));
  return all;
}

}  // namespace

std::vector<Reading> readings_after_switch(const SweepFit& f, const Region& region, double best_s, const Scale& scale,
                                           std::uint64_t bytes, const Contention& contention, double confidence) {
  const Switch s{
      .f = f, .region = region, .scale = scale, .bytes = bytes, .contention = contention, .confidence = confidence};
  if (const auto* chosen = f.sweep.row_by_rules(scale, bytes)) return switch_by_rules(s, *chosen);
  const auto one = f.setups.empty() ? faster_after_switch(s, best_s) : switch_by_model(s);
  return one ? std::vector{*one} : std::vector<Reading>{};
}

}  // namespace busbar::predict
