// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/job/console.hpp"
#include "core/job/options.hpp"
#include "core/job/resume.hpp"
#include "core/journal/earlier_launches.hpp"
#include "core/journal/journal.hpp"
#include "core/record/cold_starts.hpp"
#include "core/record/groups.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/round.hpp"

namespace busbar {

/// Returns a one-sentence verdict on a run, before its end is written; empty: no verdict.
using VerdictOf = std::optional<std::string> (*)(const Run&, const std::optional<OverEarlier>&);

/// Rank 0's output of a run: the table on the screen and the journal on disk. Other ranks have no Recorder.
class Recorder {
 public:
  /// `what`: used in the default file name. Throws UsageError if the file cannot be created, or is no record to resume.
  Recorder(const JobOptions& options, const std::string& what, const std::string& id, int ranks,
           VerdictOf verdict = nullptr);

  /// Cases already in the resumed record. Throws UsageError if this launch cannot continue it.
  [[nodiscard]] KeptCases kept(const RunRecord& run, const PlannedCases& planned) const;
  /// True if the resumed record has a normal end.
  [[nodiscard]] bool is_whole() const;
  /// `kept`: from Recorder::kept(); their rows are shown again.
  void begin(RunRecord run, const KeptCases& kept);
  [[nodiscard]] Console& console() { return console_; }
  /// Descriptor of the record, owned by this.
  [[nodiscard]] int file() const { return journal_.descriptor(); }
  void add_case(const CaseRecord& record);
  /// EarlierLaunches::barrier_s.
  [[nodiscard]] std::optional<double> usual_barrier_s() const { return earlier_ ? earlier_->barrier_s : std::nullopt; }
  /// Saves unfinished cases: JournalWriter::write_unfinished().
  void keep(std::span<const CaseRecord> unfinished);
  void finish(EndRecord end);
  /// Why writing stopped.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  [[nodiscard]] CaseRecord widen(CaseRecord record) const;
  void compare_with_earlier(const CaseRecord& record);
  void attempt_to(const std::function<void()>& write);

  JournalWriter journal_;
  bool resuming_ = false;
  std::optional<Run> resumed_;        ///< contents of the resumed record; empty: none
  std::optional<Terminal> terminal_;  ///< of standard output
  Console console_;
  std::optional<std::string> problem_;
  std::optional<EarlierLaunches> earlier_;
  VerdictOf verdict_;
  Run measured_;  ///< without samples; input of verdict_
  ColdStarts cold_starts_;
  Alternations alternations_;
  std::vector<double> half_widths_;   ///< relative half-widths of the cases' intervals
  std::vector<Round> rounds_;         ///< of all cases
  std::vector<double> over_earlier_;  ///< case times divided by their medians of earlier launches
  bool cut_short_ = false;            ///< a budget ended some case
};

/// Completes the end of a run from its case counts. `stopped`: by a signal.
[[nodiscard]] EndRecord conclude(EndRecord end, bool stopped, double wall_s);

}  // namespace busbar
