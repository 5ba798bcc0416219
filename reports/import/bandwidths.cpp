// SPDX-License-Identifier: Apache-2.0
#include "reports/import/bandwidths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
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

Computed bandwidth_GBps(double bytes, const Rounded& time_us) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  const auto at = [bytes](double us) { return us > 0 ? bytes / us * 1e-3 : endless; };
  return {.value = at(time_us.value), .low = at(time_us.high()), .high = at(time_us.low())};
}

bool agrees(const Rounded& printed, double low, double high) {
  constexpr double slack = 1e-9;
  return printed.low() <= high * (1 + slack) && printed.high() >= low * (1 - slack);
}

bool settle(std::optional<double>& out, const std::optional<Rounded>& printed, const Computed& computed,
            PrintedBandwidths& count) {
  if (!printed) {
    if (std::isfinite(computed.value)) out = computed.value;
    return out.has_value();
  }
  ++count.all;
  const bool good = std::isfinite(computed.value) && agrees(*printed, computed.low, computed.high);
  out = good && agrees(*printed, computed.value, computed.value) ? computed.value : printed->value;
  if (!good) ++count.contradicted;
  return good;
}

std::optional<Rounded> printed_MBps(std::string_view cell) {
  const auto MBps = rounded(cell);
  if (!MBps || MBps->value < 0) return std::nullopt;
  return Rounded{.value = MBps->value * 1e-3, .half_unit = MBps->half_unit * 1e-3};
}

void set_time(CaseRecord& c, const Rounded& time_us, std::string_view bus_like,
              const std::optional<Rounded>& printed_GBps, PrintedBandwidths& count) {
  c.time_s = time_us.value / 1e6;
  if (c.key.bytes == 0) return;
  settle(c.algbw_GBps, printed_GBps, bandwidth_GBps(static_cast<double>(c.key.bytes), time_us), count);
  if (bus_like.empty() || !c.algbw_GBps) return;
  c.bus_factor = bus_factor_of(bus_like, c.key.ranks);
  c.busbw_GBps = *c.algbw_GBps * *c.bus_factor;
}

void set_stream(CaseRecord& c, const Rounded& GBps, const std::optional<Rounded>& messages_per_s,
                PrintedBandwidths& count) {
  const double bytes = static_cast<double>(c.key.bytes);
  const bool by_rate = messages_per_s && messages_per_s->value > 0;
  const double time_s = by_rate ? 1 / messages_per_s->value : bytes / (GBps.value * 1e9);
  if (std::isfinite(time_s) && time_s > 0) c.time_s = time_s;
  if (c.key.bytes == 0) return;
  if (!by_rate) {
    if (GBps.value > 0) c.algbw_GBps = GBps.value;
    return;
  }
  const Computed one{.value = messages_per_s->value, .low = messages_per_s->low(), .high = messages_per_s->high()};
  settle(c.algbw_GBps, GBps, one.times(bytes * 1e-9), count);
}

void remark_overlap(CaseRecord& c, const std::optional<Rounded>& percent, const std::optional<Rounded>& all_us,
                    const std::optional<Rounded>& computing_us) {
  if (!percent || !all_us || !computing_us) return;
  c.remarks.push_back(fmt::format("overlap {:.2f} %: {:.2f} us in all with {:.2f} us of computing", percent->value,
                                  all_us->value, computing_us->value));
}

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
