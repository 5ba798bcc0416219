// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/stop_rules.hpp"

#include <algorithm>

#include "core/record/method.hpp"

namespace busbar {
namespace {

/// The level to look at after every round for intervals that hold with `confidence`. Found by simulation, see
/// Converged.
double level_of_looks(double confidence) { return 1 - 0.85 * (1 - confidence); }

}  // namespace

bool Converged::done(const Sampling& s) const {
  if (s.round_medians_s.size() < min_rounds || s.span_s < min_span_s) return false;
  const auto is_narrow = [this](const std::optional<Interval>& i) {
    return i && busbar::relative_half_width(*i) <= relative_half_width;
  };
  const double level = level_of_looks(confidence);  // the first is quickly known, and never wider than the second
  return is_narrow(median_interval(s.round_medians_s, level)) &&
         is_narrow(series_median_interval(s.round_medians_s, level));
}

std::vector<StopRule> rules_of(const StopAt& stop, std::optional<int> fixed_count) {
  if (fixed_count) return {FixedCount{static_cast<std::uint64_t>(*fixed_count)}, RunBudget{}};
  return {Converged{.confidence = stop.confidence,
                    .relative_half_width = stop.relative_half_width,
                    .min_rounds = static_cast<std::uint64_t>(stop.least_rounds),
                    .min_span_s = stop.least_span_s},
          CaseBudget{stop.case_budget_s}, MaxSamples{stop.most_samples}, RunBudget{}};
}

std::optional<EndedBy> ended_by(std::span<const StopRule> rules, const Sampling& sampling) {
  for (const StopRule& rule : rules)
    if (std::visit([&](const auto& r) { return r.done(sampling); }, rule))
      return std::visit([](const auto& r) { return r.reason; }, rule);
  return std::nullopt;
}

std::optional<Interval> stated_interval(std::span<const StopRule> rules, std::span<const double> round_medians_s,
                                        double confidence) {
  const bool looked = std::ranges::any_of(rules, [](const auto& r) { return std::holds_alternative<Converged>(r); });
  auto interval = series_median_interval(round_medians_s, looked ? level_of_looks(confidence) : confidence);
  if (interval) interval->confidence = confidence;
  return interval;
}

}  // namespace busbar
