// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/engine/runner.hpp"
#include "bench/stages/stage.hpp"
#include "core/job/watch.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// What all of a job's ranks measure with. References must outlive the StageRunner or Replayer.
struct JobSetup {
  Group& job;                  ///< all ranks
  Backend& backend;            ///< of all ranks
  const BackendFactory& kind;  ///< makes the backends of groups
  const BackendOptions& backend_options;
  const Ranks& ranks;
  ClockSync& clock;  ///< for all ranks
  Watch& watch;
};

/// Shared by all stages of a job. `sweep` must outlive the StageRunner.
struct StageSetup : JobSetup {
  Settings settings;
  const Sweep& sweep;
};

/// Runs stages one after another. Ranks of a stage measure while the others sleep; after each stage, every rank has
/// passed all its cases to Watch. Collective over the job.
class StageRunner {
 public:
  /// `stages` must outlive this.
  StageRunner(StageSetup setup, const std::vector<Stage>& stages);
  /// Number of cases in all stages, numbered from 0 in the record.
  [[nodiscard]] int cases() const;
  /// Skips cases in Watch::kept(), and stages without other cases. `end_ns`: as Settings::end_ns; stages divide the
  /// time until then evenly. `known_barrier_s`: as in Settings, over all ranks.
  void run(std::optional<std::int64_t> end_ns, std::optional<double> known_barrier_s);
  /// From the last stage that settled its ranks; empty: none did.
  [[nodiscard]] const std::optional<Settling>& settling() const { return settling_; }

 private:
  struct Part;
  class Teller;
  /// This rank's teams, by Caller.
  struct Teams {
    Team first, second = {}, both = {};
  };
  [[nodiscard]] bool everyone_measures(const Stage&) const;
  [[nodiscard]] std::optional<Part> part_of_this_rank(const Stage&) const;
  [[nodiscard]] std::vector<Case> plan_of(const Stage&) const;
  [[nodiscard]] int number_of(const Stage&, std::size_t team, std::size_t at) const;
  [[nodiscard]] bool lacks_nothing(const Stage&) const;
  void share_time(std::size_t stages_left, std::optional<std::int64_t> end_ns);
  void run(const Stage&);
  void measure(const Stage&, Part&, const std::vector<Case>& plan, Teller&);
  void fail_all(const std::vector<Case>& plan, const Teams&, const std::string& why, Teller&) const;
  [[nodiscard]] Teams teams_of(const Stage&, const Part&) const;
  [[nodiscard]] std::pair<std::unique_ptr<Group>, std::unique_ptr<Backend>> join_team(
      const std::vector<std::vector<int>>& teams, const std::string& where) const;
  [[nodiscard]] Verdict make_backend(Group& deciders, Group* of, std::unique_ptr<Backend>&) const;
  void tell_the_others(const Stage&, int leader, const std::vector<CaseRecord>& mine);

  StageSetup setup_;
  const std::vector<Stage>& stages_;
  std::map<std::vector<int>, int> pairs_;  ///< numbers of teams that measure apart, sorted by their ranks
  int next_index_ = 0;                     ///< number of this stage's first case
  std::optional<Settling> settling_;
};

}  // namespace busbar
