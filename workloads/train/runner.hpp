// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/job/guard/progress.hpp"
#include "core/job/ranks.hpp"
#include "core/machine/local_clock.hpp"
#include "core/machine/usage.hpp"
#include "core/mpi/communicator.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"
#include "core/record/method.hpp"
#include "core/record/telemetry.hpp"
#include "core/sampling/run_rounds.hpp"
#include "workloads/peak/peak.hpp"
#include "workloads/train/summary.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// How every case is measured.
struct TrainSettings {
  int warmup = 2;  ///< steps of each case before the first round; every round adds one
  StopAt stop;
  /// Deadline by rank 0's steady_ns(), including the conclusion of all cases; empty: none. Set on all ranks or on none.
  std::optional<std::int64_t> end_ns;
  std::optional<int> steps;  ///< exact number of steps per case; replaces the rules of `stop`
  bool with_data = true;     ///< false: gradients have a size but no content (simulation)
};

/// Receives the progress and the results of a run. Called on every rank.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  /// Case `what` is visited in round `round`, from 1; 0: warm-up.
  virtual void visit(int round, const std::string& what) = 0;
  /// A case has ended. Its record is complete on rank 0.
  virtual void add_case(const CaseRecord&) = 0;
  /// Intermediate records of all cases; complete on rank 0.
  virtual void keep(std::span<const CaseRecord> unfinished) = 0;
  /// True on any rank ends the run after this visit.
  [[nodiscard]] virtual bool interrupted() const = 0;
};

/// Measures the cases of a plan in rounds (run_rounds()). All cases have equally many rounds, so that speedup and
/// efficiency compare measurements taken within seconds of each other. Ranks that have no part in a visit sleep. Every
/// method is collective over all ranks of the job.
class TrainRunner {
 public:
  /// `gpu`: this rank's; null if it has none, or it cannot be read. `progress`: this rank's. All references must
  /// outlive this object.
  TrainRunner(Group& group, Ranks ranks, TrainSettings settings, MakeTrainee make_trainee, std::vector<Peak> peaks,
              const GpuProbe* gpu, Progress& progress);
  ~TrainRunner();

  void run(const std::vector<TrainCase>& plan, TrainObserver& observer);
  /// Profile of the smallest group, on its ranks, without device and source; empty if nothing was computed.
  [[nodiscard]] const std::optional<Profile>& profile() const { return profile_; }

 private:
  struct Running;
  using Cases = std::vector<std::unique_ptr<Running>>;
  class Rounds;

  void prepare(const TrainCase& plan, Running& running);
  void warm_up(Running& running);
  [[nodiscard]] static int rounds_for(int steps, const Cases& all);
  [[nodiscard]] int steps_of(const Running& running) const;
  void visit(Running& running, double at_s);
  [[nodiscard]] RankReport report(Running& running, int steps, std::optional<std::string>& wrong);
  [[nodiscard]] double left_s() const;
  [[nodiscard]] std::optional<EndedBy> warm_up_all(const Cases& all, TrainObserver& observer);
  void keep(const Cases& all, TrainObserver& observer);
  [[nodiscard]] std::optional<EndedBy> ended(const Cases& all) const;
  [[nodiscard]] static const Running& like(const Cases& all, const Running& running, std::size_t ranks_of_job);
  [[nodiscard]] CaseRecord conclude(const Cases& all, std::size_t index, EndedBy);
  [[nodiscard]] Training facts_of(Running& running);
  [[nodiscard]] std::optional<Memory> memory_of(const std::optional<Memory>& sizes);

  Group& group_;
  const Communicator world_;
  const Ranks ranks_;
  const TrainSettings settings_;
  const std::vector<StopRule> rules_;
  const MakeTrainee make_trainee_;
  const std::vector<Peak> peaks_;
  const GpuProbe* const gpu_;
  Progress& progress_;
  const std::uint64_t before_bytes_;  ///< resident set at construction
  const std::int64_t start_ns_ = steady_ns();
  UsageMeter meter_;
  std::optional<Profile> profile_;
  int fixed_rounds_ = 1;
  double kept_s_ = 0;           ///< time of the last keep(), since the start
  double conclusion_s_ = 0.05;  ///< duration of concluding all cases
};

}  // namespace busbar
