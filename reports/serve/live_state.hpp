// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"

/// What the live page shows of a record that is being written: every number as text, so that the page only draws.
namespace busbar::serve {

using busbar::name;

enum class Phase {
  waiting,  ///< there is no record yet
  running,
  ended,
  died,  ///< no end record, and no process holds the record's lock
};
[[nodiscard]] constexpr auto words_of(Phase) {
  return std::to_array<std::string_view>({"waiting", "running", "ended", "died"});
}

/// A record without end is given up after this time without a writer and without a change: the writer may be about to
/// open it, or the file system may have no locks.
inline constexpr double patience_s = 3;

/// `run`: null while there is no record. `quiet_s`: since the record last changed.
[[nodiscard]] Phase phase_of(const Run* run, bool being_written, double quiet_s);

/// How far a run is, in seconds and cases. Only what the record says.
struct Progress {
  int done = 0;       ///< cases that ended, also skipped and failed ones
  int under_way = 0;  ///< cases that have rounds, but have not ended
  std::optional<double> elapsed_s;
  std::optional<double> budget_s;  ///< maximum time of the launch (--run-budget)
  /// From 0 to 1: the larger of elapsed time over budget and, once all cases have been visited, of the cases' own
  /// shares. Empty if neither is known.
  std::optional<double> share;
  /// Until the budget ends; empty without a budget.
  [[nodiscard]] std::optional<double> at_most_left_s() const;
};

/// `elapsed_s`: since the launch began; empty if its start is unknown.
[[nodiscard]] Progress progress_of(const Run&, std::optional<double> elapsed_s);

/// Seconds from "2026-01-31T12:00:00Z" to `now_s` (since 1970), at least 0; empty for other formats.
[[nodiscard]] std::optional<double> seconds_since_start(const std::optional<std::string>& utc, double now_s);

/// What to look at, worst first: the end of a run that failed, wrong data, contention, OS noise and other doubts with
/// the number of cases, warnings of the run.
struct Alarm {
  bool bad = false;  ///< else a remark
  std::string text;
};
[[nodiscard]] std::vector<Alarm> alarms_of(const Run&, Phase);

/// What is known of a record at one time.
struct Sight {
  std::string file;
  const std::vector<Run>* runs = nullptr;  ///< one run; null or empty: none yet
  Phase phase = Phase::waiting;
  std::optional<double> elapsed_s;
  std::string report;  ///< address of the static page below the token; empty: not written yet
};

/// Charts of a run over message size, one per collective: busbw, or time where there is none, with intervals. Each is
/// {"title", "caption", "svg", "legend": [{"label", "colour"}]}; "svg" is markup whose texts are escaped. `runs` has
/// one run. Empty without sizes.
[[nodiscard]] nlohmann::json live_charts(const std::vector<Run>& runs);

/// The answer at TOKEN/state. docs/watch.md has its keys.
[[nodiscard]] nlohmann::json live_state(const Sight&);

}  // namespace busbar::serve
