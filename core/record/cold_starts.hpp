// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// Compares calls with cold caches to back-to-back calls (busbar-bench --condition hot,cold).
namespace busbar {

/// CaseKey::cadence of cold cases.
inline constexpr auto cold_cadence = "cold";

/// A case that one launch measured hot and cold.
struct ColdStart {
  std::string series;       ///< series_name() of the hot case
  std::uint64_t bytes = 0;  ///< as in the key
  double hot_s = 0, cold_s = 0;
  double ratio = 0;                  ///< cold over hot
  std::optional<Interval> interval;  ///< of the ratio, for this launch only; empty if a case has none
};

/// Pairs the hot and cold cases of one launch.
class ColdStarts {
 public:
  /// Cases in any order. Ignores cases without a time or without a counterpart.
  void add_case(const CaseRecord&);
  /// In the order in which pairs became complete.
  [[nodiscard]] const std::vector<ColdStart>& pairs() const { return pairs_; }

 private:
  struct Half {
    std::string series;
    double time_s = 0;
    std::optional<Interval> interval_s;
  };
  std::map<std::string, Half> hot_, cold_;  ///< by key without cadence
  std::vector<ColdStart> pairs_;
};

/// Table of a launch, sorted by size, with a head; lines start with "#". Empty if there are no pairs.
[[nodiscard]] std::string cold_start_table(const std::vector<ColdStart>&);

}  // namespace busbar
