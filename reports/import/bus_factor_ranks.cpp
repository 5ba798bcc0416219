// SPDX-License-Identifier: Apache-2.0
#include "reports/import/bus_factor_ranks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

/// Fewest ranks with at least this bus factor, which grows with the ranks; most_factor_ranks + 1 if none has.
int fewest_with(std::string_view collective, double factor) {
  int low = 2, high = most_factor_ranks + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    (bus_factor_of(collective, middle) < factor ? low = middle + 1 : high = middle);
  }
  return low;
}

/// Numbers of ranks for which the two bandwidths, as rounded, have the collective's bus factor.
RankRange range_of(std::string_view collective, const BandwidthPair& pair) {
  const double low = pair.busbw.low() / pair.algbw.high();
  const double high = pair.busbw.high() / pair.algbw.low();
  const int above = fewest_with(collective, std::nextafter(high, 1e9));
  return {.low = fewest_with(collective, low), .high = above - 1};
}

}  // namespace

std::string text_of(const RankRange& range) {
  return range.low == range.high ? plural(range.low, "rank") : fmt::format("{} to {} ranks", range.low, range.high);
}

std::optional<RankRange> ranks_by_factor(std::string_view collective, std::vector<BandwidthPair> pairs) {
  if (bus_factor_of(collective, 2) == bus_factor_of(collective, 3)) return std::nullopt;
  std::erase_if(pairs, [](const BandwidthPair& pair) { return pair.algbw.low() <= 0; });
  std::ranges::sort(pairs, std::ranges::greater{}, [](const BandwidthPair& pair) { return pair.algbw.value; });
  RankRange all{.low = 2, .high = most_factor_ranks};
  std::size_t disagree = 0;
  for (const BandwidthPair& pair : pairs) {
    const RankRange one = range_of(collective, pair);
    const RankRange both{.low = std::max(all.low, one.low), .high = std::min(all.high, one.high)};
    if (both.low > both.high)
      ++disagree;
    else
      all = both;
  }
  return pairs.empty() || 4 * disagree > pairs.size() ? std::nullopt : std::optional(all);
}

}  // namespace busbar
