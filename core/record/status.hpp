// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

enum class Status {
  ok,
  partial,  ///< has a time, but ended before it had enough rounds for an interval
  skipped,
  failed,
};

[[nodiscard]] constexpr auto words_of(Status) {
  return std::to_array<std::string_view>({"ok", "partial", "skipped", "failed"});
}

/// Result of checking the data of a case.
enum class CheckState {
  passed,
  failed,
  off,   ///< not checked
  none,  ///< no data: a barrier, or 0 bytes
  unknown,
};
[[nodiscard]] constexpr auto words_of(CheckState) {
  return std::to_array<std::string_view>({"passed", "failed", "off", "none", "unknown"});
}

/// How a run ended.
enum class EndStatus {
  ok,
  failed,       ///< a case failed, or nothing could be measured
  aborted,      ///< ranks waited for each other
  interrupted,  ///< by a signal
  output,       ///< results could not be written
  unknown,
};
[[nodiscard]] constexpr auto words_of(EndStatus) {
  return std::to_array<std::string_view>({"ok", "failed", "aborted", "interrupted", "output", "unknown"});
}

/// True if the run completed its plan, even if cases failed.
[[nodiscard]] constexpr bool ran_to_end(EndStatus status) {
  return status == EndStatus::ok || status == EndStatus::failed;
}

/// Why the sampling of a case ended.
enum class EndedBy {
  count,           ///< the fixed number of samples was taken
  converged,       ///< the interval is narrow enough
  time_budget,     ///< the case used up its time
  run_budget,      ///< the launch used up its time
  max_samples,     ///< the case reached the limit of samples
  wrong_data,      ///< a result was wrong
  interrupted,     ///< by a signal
  missed_windows,  ///< in round after round, some rank was not ready when its window opened
  unfinished,      ///< it has not ended: the case as it stood when it was last kept
};

[[nodiscard]] constexpr auto words_of(EndedBy) {
  return std::to_array<std::string_view>({"count", "converged", "time_budget", "run_budget", "max_samples",
                                          "wrong_data", "interrupted", "missed_windows", "unfinished"});
}

/// The run ended before the case did.
[[nodiscard]] constexpr bool is_cut_off(EndedBy by) { return by == EndedBy::run_budget || by == EndedBy::interrupted; }

/// Origin of the numbers in a record; they are never directly comparable.
enum class Origin {
  measured,   ///< by busbar
  simulated,  ///< by busbar on a simulated machine
  imported,   ///< from another tool's output
};
[[nodiscard]] constexpr auto words_of(Origin) {
  return std::to_array<std::string_view>({"measured", "simulated", "imported"});
}

/// True if the case has a time and no error.
[[nodiscard]] constexpr bool is_measured(Status status) { return status == Status::ok || status == Status::partial; }

/// Number of cases by status.
struct CaseCounts {
  int ok = 0, partial = 0, skipped = 0, failed = 0;

  void add(Status status) {
    switch (status) {
      case Status::ok:
        ++ok;
        break;
      case Status::partial:
        ++partial;
        break;
      case Status::skipped:
        ++skipped;
        break;
      case Status::failed:
        ++failed;
        break;
    }
  }
  [[nodiscard]] int measured() const { return ok + partial; }
};

}  // namespace busbar
