// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/clock_facts.hpp"
#include "core/record/cold_starts.hpp"
#include "core/record/groups.hpp"
#include "core/record/settling.hpp"
#include "core/record/status.hpp"

namespace busbar {

/// A launch compared with earlier ones on the same hosts.
struct OverEarlier {
  double ratio = 1;  ///< time of a case divided by its median over earlier launches; the median over cases
  int launches = 0;  ///< number of earlier launches

  /// True beyond usual launch-to-launch variation, which is 5 to 10 %.
  [[nodiscard]] bool is_far() const {
    constexpr double much = 1.2;
    return ratio >= much || ratio <= 1 / much;
  }
};

/// How fast the CPUs were (machine/pace.hpp): seconds of a fixed amount of work.
struct LaunchPace {
  double full_s = 0;              ///< full_pace_s() of the rounds: full pace, unless all of them were slowed
  std::optional<double> known_s;  ///< by earlier launches (EarlierLaunches::pace_s); empty: none
};

struct EndRecord {
  EndStatus status = EndStatus::unknown;
  std::optional<std::string> reason;
  std::optional<int> exit_code;
  CaseCounts cases;
  std::optional<std::string> end_utc;
  std::optional<double> wall_s;
  /// Median relative half-width of the cases' intervals; empty if no budget ended a case early.
  std::optional<double> half_width;
  std::optional<std::string> verdict;       ///< of a sweep of one collective, a sentence; empty for several or none
  std::optional<ClockChecks> clock;         ///< checks of the clocks during the run; empty if there were none
  std::optional<Settling> settling;         ///< of each host's ranks; empty if they were not settled
  std::optional<LaunchPace> pace;           ///< empty if the pace of all rounds is unknown
  std::optional<OverEarlier> over_earlier;  ///< empty if fewer than 3 earlier launches are known
  std::vector<ColdStart> cold_over_hot;     ///< cases measured hot and cold
  std::vector<Alternation> alternations;    ///< cases measured for two kinds of groups
  std::vector<int> unguarded;  ///< ranks whose guard was killed before they ended: a hang would have gone undetected
};

}  // namespace busbar
