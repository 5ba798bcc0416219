// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/import/text_lines.hpp"

/// Times and bandwidths of a case from a tool's printed values. A record computes bandwidths where the log rounds too
/// coarsely, and never contradicts the log. The ratio of two bandwidths tells the number of ranks.
namespace busbar {

/// Number of printed bandwidths, and how many of them are inconsistent with their size and time.
struct PrintedBandwidths {
  std::size_t all = 0, contradicted = 0;
};

/// A computed bandwidth and its bounds, given the rounding of the time. Any unit.
struct Computed {
  double value = 0, low = 0, high = 0;

  [[nodiscard]] Computed times(double factor) const { return {value * factor, low * factor, high * factor}; }
};

/// size / time in GB/s, for a time in microseconds; infinite for a time of 0.
[[nodiscard]] Computed bandwidth_GBps(double bytes, const Rounded& time_us);

/// True if `printed` can be the rounded form of a value between `low` and `high`.
[[nodiscard]] bool agrees(const Rounded& printed, double low, double high);

/// Sets `out` to the computed value if nothing was printed or if the printed value is its rounded form. Otherwise uses
/// the printed value, which may be more precise than a coarse time. Non-finite computed values are ignored. Returns
/// false if the printed value is inconsistent with size and time, or if there is no value.
bool settle(std::optional<double>& out, const std::optional<Rounded>& printed, const Computed&, PrintedBandwidths&);

/// Converts "11902.35" MB/s to GB/s.
[[nodiscard]] std::optional<Rounded> printed_MBps(std::string_view cell);

/// For a case measured by time. algbw is bytes / time, or the printed value if that is more precise. busbw uses the bus
/// factor of the collective `bus_like` and is left out if that is empty.
void set_time(CaseRecord&, const Rounded& time_us, std::string_view bus_like,
              const std::optional<Rounded>& printed_GBps, PrintedBandwidths&);

/// For a stream of messages. algbw is the printed value, or message rate * size if a rate is printed and more precise.
/// The time is the stream's time per message. Neither is set for 0 bytes or no bandwidth.
void set_stream(CaseRecord&, const Rounded& GBps, const std::optional<Rounded>& messages_per_s, PrintedBandwidths&);

/// Remarks how much communication was hidden by computing, for a program that prints all three numbers.
void remark_overlap(CaseRecord&, const std::optional<Rounded>& percent, const std::optional<Rounded>& all_us,
                    const std::optional<Rounded>& computing_us);

/// Most ranks that are looked for: busbw/algbw is the bus factor of the collective on that many ranks.
inline constexpr int most_factor_ranks = 1 << 17;

/// Numbers of ranks that fit busbw/algbw.
struct RankRange {
  int low = 0, high = 0;

  [[nodiscard]] bool holds(int ranks) const { return low <= ranks && ranks <= high; }
};

/// "8 ranks", "7 to 9 ranks".
[[nodiscard]] std::string text_of(const RankRange&);

/// The two bandwidths of a case, as printed.
struct BandwidthPair {
  Rounded algbw, busbw;
};

/// Numbers of ranks that fit all pairs. Empty if the factor does not depend on the ranks, if there is no pair above 0,
/// or if more than a quarter of them disagree.
[[nodiscard]] std::optional<RankRange> ranks_by_factor(std::string_view collective, std::vector<BandwidthPair>);

}  // namespace busbar
