// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/clock_facts.hpp"
#include "core/record/cold_starts.hpp"
#include "core/record/settling.hpp"
#include "core/record/status.hpp"

namespace busbar {

/// A launch beside earlier ones of the same hosts.
struct OverEarlier {
  double ratio = 1;  ///< of a case's time to its median over earlier launches, the median over cases
  int launches = 0;  ///< earlier ones

  /// By more than launches usually differ, 5 to 10 %.
  [[nodiscard]] bool is_far() const {
    constexpr double much = 1.2;
    return ratio >= much || ratio <= 1 / much;
  }
};

struct EndRecord {
  EndStatus status = EndStatus::unknown;
  std::optional<std::string> reason;
  std::optional<int> exit_code;
  CaseCounts cases;
  std::optional<std::string> end_utc;
  std::optional<double> wall_s;
  /// Relative half width of the cases' intervals, their median; empty where none was cut short by a budget.
  std::optional<double> half_width;
  std::optional<std::string> verdict;  ///< of a sweep of one collective, a sentence; empty: there are several, or none
  std::optional<ClockChecks> clock;    ///< looks at the clocks during the run; empty where there were none
  std::optional<Settling> settling;    ///< of the ranks of a host; empty where they were not settled
  std::optional<OverEarlier> over_earlier;  ///< empty: fewer than 3 earlier launches are known
  std::vector<ColdStart> cold_over_hot;     ///< cases that were measured both ways
  std::vector<int> unguarded;  ///< ranks whose guard was killed before they ended: a hang would not have been detected
};

}  // namespace busbar
