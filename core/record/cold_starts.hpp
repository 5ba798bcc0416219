// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// What calls take that find their caches cold, beside those that follow each other (busbar-bench --condition
/// hot,cold).
namespace busbar {

/// Key.cadence of cold cases.
inline constexpr auto cold_cadence = "cold";

/// A case that was measured both ways in one launch.
struct ColdStart {
  std::string series;       ///< of the hot case: series_name()
  std::uint64_t bytes = 0;  ///< as in the key
  double hot_s = 0, cold_s = 0;
  double ratio = 0;                  ///< cold over hot
  std::optional<Interval> interval;  ///< of the ratio, of this launch alone; empty: a case has none
};

/// Puts cases of one launch together.
class ColdStarts {
 public:
  /// Cases in any order; one without a time, or of which there is no other half, counts for nothing.
  void add_case(const CaseRecord&);
  /// In the order in which the second of each came.
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

/// Rows of a launch by size, under a head; lines start with "#". Empty for none.
[[nodiscard]] std::string cold_start_table(const std::vector<ColdStart>&);

}  // namespace busbar
