// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "core/statistics/interval.hpp"

namespace busbar {

/// Times of a round in seconds, medians over its samples, slowest rank of each.
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

/// Overlap of a case. Times are medians over rounds; CaseRecord::time_s is the total.
struct Overlap {
  double hidden = 0;                        ///< median over rounds of hidden_share()
  std::optional<Interval> hidden_interval;  ///< of `hidden`, over rounds; empty if there are too few
  double alone_s = 0, work_s = 0, start_s = 0, work_beside_s = 0, wait_s = 0;  ///< as in OverlapTimes
};

/// Empty if no round has a share.
[[nodiscard]] std::optional<Overlap> overlap_of(std::span<const OverlapTimes> rounds, double confidence);

}  // namespace busbar
