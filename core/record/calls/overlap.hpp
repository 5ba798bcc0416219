// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "core/statistics/interval.hpp"

namespace busbar {

/// Times in seconds, slowest rank of each: of a sample, or medians over the samples of a round.
struct OverlapTimes {
  double alone_s = 0;        ///< the call, started and waited for at once
  double work_s = 0;         ///< the work, while no call is in progress
  double total_s = 0;        ///< start, work, wait
  double start_s = 0;        ///< part of total_s: the start of the call
  double work_beside_s = 0;  ///< part of total_s: the work, with the tests of the call if this rank polls
  double wait_s = 0;         ///< part of total_s: the wait
};

/// Share of the shorter of call and work that the other hides: (alone + work - total) / min(alone, work). 1: all of it;
/// 0: one after the other; negative: together they take longer than one after the other. Not clipped. Empty unless both
/// times are positive.
[[nodiscard]] std::optional<double> hidden_share(const OverlapTimes&);

struct OverlapRound {
  OverlapTimes times;
  double hidden = 0;  ///< median over samples of hidden_share()
};

/// Each sample's share is of its own three times, taken one after another: a sample that waited for a CPU in one of
/// them is an outlier, above or below, where medians of the times would all be too long. Empty if no sample has a
/// share.
[[nodiscard]] std::optional<OverlapRound> overlap_round(std::span<const OverlapTimes> samples);

/// Overlap of a case. Times are medians over rounds; CaseRecord::time_s is the total.
struct Overlap {
  double hidden = 0;                        ///< median over rounds of OverlapRound::hidden
  std::optional<Interval> hidden_interval;  ///< of `hidden`, over rounds; empty if there are too few
  double alone_s = 0, work_s = 0, start_s = 0, work_beside_s = 0, wait_s = 0;  ///< as in OverlapTimes
};

/// Empty without rounds.
[[nodiscard]] std::optional<Overlap> overlap_of(std::span<const OverlapRound> rounds, double confidence);

}  // namespace busbar
