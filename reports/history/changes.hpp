// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/change_points.hpp"
#include "core/statistics/shifts.hpp"
#include "reports/document/document.hpp"

/// Lasting changes in a history of launches: when, how large, and in which cases.
namespace busbar::history {

/// The start of a launch; its file if unknown.
[[nodiscard]] std::string start_of(const Run&);

/// A value that is higher for slower cases: seconds, or the inverse of a rate or bandwidth. NaN if the case has none.
[[nodiscard]] double cost_of(const CaseRecord&);

/// Cases that moved in one direction.
struct Moved {
  std::size_t cases = 0;
  std::optional<Shift> median;  ///< of their slowdowns; empty if no case moved
};

/// A time at which cases became permanently slower or faster.
struct Change {
  ChangeKind kind = ChangeKind::step;
  std::string since;  ///< start of the first launch after the change; of a drift, of the last launch of its first third
  std::string last_before;   ///< start of the last launch before the change
  std::string last;          ///< start of the last launch before the next change
  std::size_t launches = 0;  ///< between the changes before and after this one
  double p = 1;
  struct Case {
    CaseKey key;
    Shift slowdown;      ///< time ratio, after over before
    bool moved = false;  ///< see SeriesShift::moved
  };
  std::vector<Case> cases;  ///< all, in the order of the first launch
  Moved slower, faster;
};

inline constexpr std::size_t least_for_changes = 6;  ///< launches: three before a change and three after it

/// Changes over time, for all cases that at least half of the launches have. `launches` must be sorted by start.
[[nodiscard]] std::vector<Change> changes(std::span<const Run* const> launches);

/// "Since 2026-02-10T02:00:00Z 96 of 96 cases are slower, median +15 % (13 to 17).". Of a drift, or where the launches
/// do not tell a step from a drift, it says so.
[[nodiscard]] std::string sentence(const Change&);

/// All cases of a change with their slowdowns and intervals; the title has its start and p-value.
[[nodiscard]] report::Table table_of(const Change&);

}  // namespace busbar::history
