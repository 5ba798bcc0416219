// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/remarks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/modes.hpp"
#include "core/statistics/serial.hpp"
#include "core/statistics/summary.hpp"
#include "core/statistics/trend.hpp"

namespace busbar {
namespace {

constexpr double chance_of_error = 0.001;
constexpr double least_drift = 0.02;
constexpr double least_slowness = 0.03;

using Remark = std::optional<std::string>;

Remark of_modes(std::span<const double> medians) {
  const auto modes = two_modes(medians);
  if (!modes) return std::nullopt;
  return fmt::format("bimodal: {} rounds at {}, {} at {}; the median is over both", modes->low.rounds,
                     format_duration(modes->low.median_s), modes->high.rounds, format_duration(modes->high.median_s));
}

Remark of_drift(std::span<const double> medians) {
  const auto found = drift(medians, chance_of_error);
  if (!found || std::abs(found->relative_change) < least_drift) return std::nullopt;
  return fmt::format("times {} by {:.0f} % from the first round to the last",
                     found->relative_change > 0 ? "rose" : "fell", 100 * std::abs(found->relative_change));
}

/// One-sided p-value for the first `first` values being larger than the rest (H. Mann, D. Whitney 1947), with the
/// variance scaled for the effective_count() of the rest.
double chance_of_slow_start(std::span<const double> values, std::size_t first) {
  const auto ranks = ranks_of(values);
  const auto n = static_cast<double>(values.size()), m = static_cast<double>(first);
  const double sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(first), 0.0);
  const auto rest = values.subspan(first);
  const double stretch = static_cast<double>(rest.size()) / effective_count(rest);
  const double deviation = std::sqrt(m * (n - m) * (n + 1) / 12 * stretch);
  return 0.5 * std::erfc((sum - 0.5 * m * (n + 1)) / deviation / std::sqrt(2.0));
}

/// The first quarter of the rounds is slower than the rest, and the rest does not drift.
Remark of_slow_start(std::span<const double> medians) {
  const std::size_t first = medians.size() / 4;
  if (first < 3 || chance_of_slow_start(medians, first) >= chance_of_error) return std::nullopt;
  const auto rest = medians.subspan(first);
  const double slower = median(medians.first(first)) / median(rest) - 1;
  if (slower < least_slowness || drift(rest)) return std::nullopt;
  return fmt::format("the first {} rounds were {:.0f} % slower than the others: warm-up had not ended", first,
                     100 * slower);
}

Remark of_resemblance(std::span<const double> medians) {
  const auto n = static_cast<double>(medians.size());
  const double correlation = serial_correlation(medians);
  const double counted = effective_count(medians);
  const bool plain = correlation + 1 / n > 3.1 / std::sqrt(n);  // 3.1 standard errors: p = 0.1 %
  if (!plain || counted > 0.5 * n) return std::nullopt;
  return fmt::format("successive rounds are correlated (r = {:.1f}): {} rounds count as {:.0f}", correlation,
                     medians.size(), counted);
}

Remark of_slow_early_samples(std::span<const Round> rounds) {
  std::vector<double> ratios;
  for (const Round& r : rounds)
    if (r.early_s) ratios.push_back(*r.early_s / r.median_s);
  if (ratios.empty()) return std::nullopt;
  const auto slower = static_cast<std::size_t>(std::ranges::count_if(ratios, [](double q) { return q > 1; }));
  const auto faster = static_cast<std::size_t>(std::ranges::count_if(ratios, [](double q) { return q < 1; }));
  const double excess = median(ratios) - 1;
  if (excess < least_slowness || binomial_at_least(slower, slower + faster, 0.5) >= chance_of_error)
    return std::nullopt;
  return fmt::format("the first quarter of a round's samples is {:.0f} % slower than the round: calls were not warm",
                     100 * excess);
}

}  // namespace

std::vector<std::string> remarks(std::span<const Round> rounds) {
  std::vector<double> medians(rounds.size());
  std::ranges::transform(rounds, medians.begin(), &Round::median_s);
  Remark change = of_slow_start(medians);
  if (!change) change = of_drift(medians);
  std::vector<std::string> all;
  for (const Remark& remark :
       {of_modes(medians), change, change ? std::nullopt : of_resemblance(medians), of_slow_early_samples(rounds)})
    if (remark) all.push_back(*remark);
  return all;
}

}  // namespace busbar
