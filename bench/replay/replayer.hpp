// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/replay/schedule.hpp"
#include "bench/stages/stage_runner.hpp"
#include "core/statistics/round.hpp"

namespace busbar::replay {

/// `settings` and `schedule` must outlive the Replayer.
struct ReplaySetup : JobSetup {
  const Settings& settings;
  const Schedule& schedule;
  bool gaps = false;  ///< wait between calls as the trace did
};

/// Makes all calls of a schedule, pass after pass. The first pass warms up. Timed passes have nothing between their
/// calls; results are checked in passes of their own. Each distinct call becomes a case, and the whole pass one more.
/// Collective over the job.
class Replayer {
 public:
  explicit Replayer(ReplaySetup setup);
  ~Replayer();

  /// Number of cases, numbered from 0 in the record; the last is the pass.
  [[nodiscard]] int cases() const { return static_cast<int>(setup_.schedule.cases.size()) + 1; }
  /// Passes all cases to Watch, on every rank. Returns the totals.
  Replay run();
  /// Empty if ranks were not settled.
  [[nodiscard]] std::optional<Settling> settling() const { return settling_; }

 private:
  struct Part;
  struct Entry;

  void join_levels();
  void make_backend(Part&);
  void admit();
  void begin(Entry&, int index);
  [[nodiscard]] Verdict reserve(Part&, const Case&, const Layout&, double available);
  void make_passes();
  [[nodiscard]] std::optional<EndedBy> ended(double pass_s);
  [[nodiscard]] bool checks_after(int pass) const;
  void call(Entry&);
  void check_pass(int pass, bool warming_up);
  [[nodiscard]] double timed_pass(int pass);
  void combine(const Usage&, double at_s, double pace_s);
  void visit(const std::string& what, int pass);
  [[nodiscard]] double left_s() const;

  [[nodiscard]] std::vector<CaseRecord> collect_cases(EndedBy by, std::size_t keep);
  [[nodiscard]] CaseRecord conclude_case(std::size_t at, EndedBy by, std::size_t keep);
  void keep_results();
  [[nodiscard]] CaseRecord conclude_pass(const std::vector<CaseRecord>& cases, const Replay&) const;
  void set_times(CaseRecord&) const;

  ReplaySetup setup_;
  const std::vector<StopRule> rules_;
  const std::vector<Step>& list_;             ///< of this rank
  std::vector<std::unique_ptr<Part>> parts_;  ///< by level; null: this rank is in none of its groups
  std::deque<Entry> entries_;                 ///< by case
  const std::int64_t start_ns_;
  std::vector<Round> rounds_;
  std::vector<double> passes_s_;  ///< the slowest rank's time of each timed pass
  double spent_s_ = 0;
  double keep_at_s_ = 0;  ///< time of the next keep_results(), since the start; rank 0's counts
  EndedBy ended_by_ = EndedBy::run_budget;
  Usage usage_;
  UsageMeter meter_;
  Pace pace_;
  std::optional<Settling> settling_;
};

/// Totals from the cases of a schedule, in its order. `gaps`: as in ReplaySetup. `pass_s`: time of a pass; empty: not
/// measured.
[[nodiscard]] Replay summarise(const Schedule&, const std::vector<CaseRecord>& cases, bool gaps,
                               std::optional<double> pass_s);

/// Collective over the job. Reads the traces, each rank its share of the files, and plans their replay; the same on
/// every rank. Throws UsageError, the same on every rank.
[[nodiscard]] Schedule read_schedule(Group& job, const ReplayOptions&, bool in_place, Op op);

}  // namespace busbar::replay
