// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "bench/engine/batch_size.hpp"
#include "bench/engine/case_run.hpp"
#include "bench/engine/settler.hpp"
#include "core/machine/pace.hpp"
#include "core/record/fwd.hpp"
#include "core/record/method.hpp"
#include "core/sampling/run_rounds.hpp"

namespace busbar {

/// How every case is measured.
struct Settings {
  int warmup = 5;  ///< calls before the first sample of a case, checked like all others; later rounds have one
  std::optional<double> warmup_s;  ///< limit on their duration, seconds, but at least one call; empty: no limit
  StopAt stop;
  std::optional<int> fixed_count;  ///< exact number of samples per case; replaces the rules of `stop`
  int streaming_calls = 20;        ///< Cadence::streaming: calls per sample
  Checking check = Checking::sampled;
  SampleClock clock = SampleClock::host;
  int graph_calls = 0;      ///< calls per CUDA graph, which is one sample; 0: no graphs
  std::size_t keep = 2000;  ///< limit of raw samples per case in the record
  Offsets offsets;          ///< of the buffers from the start of a page
  bool costs = false;       ///< record the breakdown of the time around the collective
  double keep_every_s = 2;  ///< interval between Observer::keep() calls; 0: never
  /// Deadline by rank 0's steady_ns(), including the conclusion of all cases; empty: none. Set on all ranks or on none.
  std::optional<std::int64_t> end_ns;
  bool settle = false;                    ///< move the ranks of a host close together (Settler)
  std::optional<double> known_barrier_s;  ///< for the Settler: usual barrier time in earlier launches
  bool cpus_shared = false;               ///< other processes used the ranks' CPUs before the run
};

/// Receives the progress and the results of a run. Called on every rank.
class Observer {
 public:
  struct Visit {
    int round = 0;                      ///< from 1
    const CaseKey& key;                 ///< the case that is visited
    std::size_t active = 0, cases = 0;  ///< cases that have not ended, and all cases
  };
  virtual ~Observer() = default;
  virtual void visit(const Visit&) = 0;
  /// A case has ended. Its record is complete on rank 0.
  virtual void add_case(const CaseRecord&) = 0;
  /// Intermediate records of the cases that have not ended, without raw samples; complete on rank 0.
  virtual void keep(std::vector<CaseRecord> unfinished) = 0;
  /// True on any rank ends the run after this visit.
  [[nodiscard]] virtual bool interrupted() const = 0;
};

/// Measures the cases of a plan in rounds (run_rounds()). A visit takes a batch of samples and keeps their median.
/// Every method is collective over the group.
class Runner {
 public:
  /// `group`: the ranks that decide together; `ranks` describes them. `backend`: for this rank's team within the group.
  /// `clock`: synchronised for at least the ranks of the group. `progress`: this rank's. All references must outlive
  /// this object. `second`: for plans with cases of two kinds of teams (make_plan_of_two_kinds()).
  Runner(Group& group, Backend& backend, const BackendFactory& kind, Settings settings, Ranks ranks, Team team,
         ClockSync& clock, Progress& progress, std::optional<SecondKind> second = {});

  /// Measures all cases. `observer` gets their records in the order in which they end.
  void run(const std::vector<Case>& plan, Observer& observer);

  /// Empty if ranks were not settled.
  [[nodiscard]] std::optional<Settling> settling() const;

 private:
  using Active = std::vector<std::unique_ptr<CaseRun>>;  ///< null where a case has ended
  class Rounds;
  /// What a kind of teams has of its own.
  struct Kind {
    Backend& backend;
    Team team;
    Buffers buffers;
    bool exposed = false;  ///< peers have access to the buffers
    /// By type, operation and number of ranks that reduce.
    std::map<std::tuple<DType, std::optional<Op>, int>, Pattern> patterns = {};
  };
  [[nodiscard]] Kind& kind_of(const Case& c) { return c.caller == Caller::second ? *second_ : first_; }
  [[nodiscard]] std::vector<const Team*> teams_of(const Case&) const;

  [[nodiscard]] CaseRecord blank(const Case&) const;
  [[nodiscard]] std::vector<double> needs(const std::vector<Case>&) const;
  [[nodiscard]] Verdict reserve(const Case&, double need, double available);
  [[nodiscard]] Verdict reserve_in(Kind&, const Case&);
  [[nodiscard]] std::unique_ptr<CaseRun> make_run(const Case&, CaseRecord);
  void expose(const std::vector<Case>& plan, std::vector<Verdict>& verdicts);
  [[nodiscard]] Verdict expose_in(Kind&);
  [[nodiscard]] Verdict try_out(const Case&);
  [[nodiscard]] Active admit(const std::vector<Case>& plan, Observer&);
  void plan_round(int number, double last_round_s);
  void visit(CaseRun&);
  void keep(const Active&, const Turn&, Observer&);
  void check_clocks();
  [[nodiscard]] static Prepared begin(Kind&, const Case&, const Layout&, Checker&);
  [[nodiscard]] std::optional<SecondCall> begin_second(CaseRun&);
  [[nodiscard]] double believable_cycle(const Case&, const Combined& first_calls) const;
  [[nodiscard]] std::uint64_t warm_up(CaseRun&, Prepared&, SecondCall*);
  void set_work(CaseRun&, Prepared&);
  [[nodiscard]] int calls_a_sample(const Case&, double call_s, double timer_s) const;
  [[nodiscard]] double left_s() const;
  [[nodiscard]] double end_reserve(std::size_t cases) const;
  [[nodiscard]] std::function<bool()> more_within(double limit_s);
  [[nodiscard]] bool is_unsure() const;
  void note_contention(bool contended);
  [[nodiscard]] Look look_during(const CaseRun&);
  [[nodiscard]] std::optional<EndedBy> ended(const CaseRun&, double next_s) const;
  [[nodiscard]] CaseRecord conclude(CaseRun&, EndedBy, std::size_t samples);
  [[nodiscard]] const Pattern& pattern(Kind&, const Case&) const;
  [[nodiscard]] static Layout layout(const Kind&, const Case&);
  [[nodiscard]] double since_start() const;

  Group& group_;
  const BackendFactory& library_;
  const Settings settings_;
  const std::vector<StopRule> rules_;
  BatchSize batch_;
  const Ranks ranks_;
  Kind first_;
  std::optional<Kind> second_;  ///< set if there are two kinds of teams
  Team both_;                   ///< of alternating cases
  const std::int64_t start_ns_ = steady_ns();
  ClockSync& clock_;
  Progress& progress_;
  std::optional<Settler> settler_;
  Pace pace_;
  Sampler sampler_;
  OverlapWork work_;
  UsageMeter meter_;
  std::unique_ptr<GpuProbe> gpu_;  ///< GPU of this rank; null if it has none, or NVML does not know it
  double sampling_since_s_ = 0, clock_checked_s_ = 0;
  double keep_at_s_ = 0;             ///< time of the next keep(), since the start; rank 0's counts
  SampleCycle last_;                 ///< of the case measured last
  std::optional<double> barrier_s_;  ///< before this round; empty as in Round
  bool contended_ = false;           ///< some rank shared its CPU during the last visit
  int unsure_visits_ = 0;            ///< next visits that may meet others on the CPUs
  double first_keeps_s_ = 0;         ///< duration of all keep() calls in the first round
  double time_s_ = 0;                ///< time left when sampling began; rank 0's counts
  double reserve_s_ = 0;             ///< time reserved for concluding all cases; rank 0's counts
};

}  // namespace busbar
