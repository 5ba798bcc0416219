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

/// The group with the largest over_others; null if there are no groups.
[[nodiscard]] const GroupTime* slowest_group(const CaseRecord&);

/// "group 3 (ranks 24-31)"; with its kind in front if the case alternates two.
[[nodiscard]] std::string group_name(const CaseRecord&, const GroupTime&);

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
