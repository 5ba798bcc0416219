// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// Several groups of ranks that call at the same time (busbar-bench --split, --groups node).
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

/// The group with the largest over_others; null if there are no groups.
[[nodiscard]] const GroupTime* slowest_group(const CaseRecord&);

/// "group 3 (ranks 24-31) 1.23x"
[[nodiscard]] std::string slowest_group_text(const CaseRecord&);

/// A case that one launch measured for two kinds of groups: each kind alone, and both in alternation.
struct Alternation {
  std::string series;       ///< series_name() of the alternating case
  std::uint64_t bytes = 0;  ///< as in the key
  std::string first, second;
  double first_s = 0, second_s = 0;  ///< alone
  double together_s = 0;             ///< first, then second
  double cost = 0;                   ///< together_s / (first_s + second_s), by round; median over rounds
  std::optional<Interval> interval;  ///< of the cost, over the rounds that all three have; for this launch only
};

/// Matches the cases of one launch.
class Alternations {
 public:
  /// Cases in any order. Ignores cases without a time or without their counterparts.
  void add_case(const CaseRecord&);
  /// In the order in which they became complete.
  [[nodiscard]] const std::vector<Alternation>& found() const { return found_; }

 private:
  struct Times {
    std::string series;
    double time_s = 0;
    std::vector<double> rounds_s;
  };
  struct Cases {
    std::map<std::string, Times> alone;  ///< by kind
    std::optional<Times> together;
    std::vector<std::string> kinds;  ///< of together
    bool complete = false;
  };
  std::map<std::string, Cases> cases_;  ///< by key without group and ranks
  std::vector<Alternation> found_;
};

/// Table of a launch, sorted by size, with a head; lines start with "#". Empty without alternations.
[[nodiscard]] std::string alternation_table(const std::vector<Alternation>&);

}  // namespace busbar
