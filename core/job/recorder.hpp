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
#include "core/record/run.hpp"
#include "core/record/status.hpp"

namespace busbar {

/// One sentence on a whole run whose end is not written yet; empty: there is nothing to say of such a run.
using VerdictOf = std::optional<std::string> (*)(const Run&, const std::optional<OverEarlier>&);

/// What rank 0 keeps of a run: the table on the screen and the journal on disk. Other ranks have none of it.
class Recorder {
 public:
  /// `what`: for the name of the file where the user gave none. Throws UsageError where it cannot be made, or is no
  /// record to go on with.
  Recorder(const JobOptions& options, const std::string& what, const std::string& id, int ranks,
           VerdictOf verdict = nullptr);

  /// What the record holds already that is gone on with. Throws UsageError where this launch cannot go on with it.
  [[nodiscard]] KeptCases kept(const RunRecord& run, const PlannedCases& planned) const;
  /// The record that is gone on with was written to its end: the run got there by itself.
  [[nodiscard]] bool is_whole() const;
  /// `kept`: by Recorder::kept(); their rows are shown again.
  void begin(RunRecord run, const KeptCases& kept);
  [[nodiscard]] Console& console() { return console_; }
  /// The open file, this recorder's.
  [[nodiscard]] int file() const { return journal_.descriptor(); }
  void add_case(const CaseRecord& record);
  /// EarlierLaunches::barrier_s.
  [[nodiscard]] std::optional<double> usual_barrier_s() const { return earlier_ ? earlier_->barrier_s : std::nullopt; }
  /// Cases as they stand: JournalWriter::write_unfinished().
  void keep(std::span<const CaseRecord> unfinished);
  void finish(EndRecord end);
  /// Why nothing is written any more.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  [[nodiscard]] CaseRecord widen(CaseRecord record) const;
  void compare_with_earlier(const CaseRecord& record);
  void attempt_to(const std::function<void()>& write);

  JournalWriter journal_;
  bool resuming_ = false;
  std::optional<Run> resumed_;        ///< what was in the file; empty: nothing was
  std::optional<Terminal> terminal_;  ///< of standard output
  Console console_;
  std::optional<std::string> problem_;
  std::optional<EarlierLaunches> earlier_;
  VerdictOf verdict_;
  Run measured_;  ///< without samples, for verdict_
  ColdStarts cold_starts_;
  std::vector<double> half_widths_;   ///< of the cases' intervals, relative
  std::vector<double> over_earlier_;  ///< times of cases over their medians of earlier launches
  bool cut_short_ = false;            ///< some case ended by a budget
};

/// The end of a run whose cases are counted. `stopped`: by a signal.
[[nodiscard]] EndRecord conclude(EndRecord end, bool stopped, double wall_s);

}  // namespace busbar
