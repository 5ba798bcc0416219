// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/statistics/interval.hpp"

namespace busbar {

/// Times of one group: the slowest of its ranks in each sample. Medians over rounds of medians.
struct GroupTime {
  std::string kind;   ///< CaseKey::group of a case of this kind of groups alone: "rank % 8"
  int group = 0;      ///< number within its kind, ordered by first rank
  std::string ranks;  ///< of the job, as rank_list() writes them: "0-7"
  double time_s = 0;
  std::optional<Interval> interval_s;  ///< of time_s, over rounds
  std::optional<double> busbw_GBps;    ///< empty without bytes
  double over_others = 1;              ///< time divided by the median of the other groups, by round; median over rounds
  /// Of over_others, over rounds. Its confidence is higher the more groups there are, so that all intervals of a case
  /// hold together with the confidence of interval_s. Empty if there are too few rounds.
  std::optional<Interval> over_others_interval;
};

/// Time of the calls of one kind of groups within samples that alternate two kinds.
struct KindTime {
  std::string kind;
  double time_s = 0;                   ///< slowest rank of all groups
  std::optional<Interval> interval_s;  ///< over rounds
};

}  // namespace busbar
