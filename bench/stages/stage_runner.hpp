// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/engine/runner.hpp"
#include "bench/stages/stage.hpp"
#include "core/job/watch.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// What all stages of a job have in common. All that is referred to outlives the StageRunner.
struct StageSetup {
  Group& job;                  ///< all ranks
  Backend& backend;            ///< of all ranks
  const BackendFactory& kind;  ///< makes the backends of teams
  const BackendOptions& backend_options;
  Settings settings;
  const Ranks& ranks;
  const Sweep& sweep;
  ClockSync& clock;  ///< of all ranks
  Watch& watch;
};

/// Measures stages one after another. Who has a part in one measures, the others sleep; in the end of each, all ranks
/// have told Watch of all its cases. Collective over the job.
class StageRunner {
 public:
  /// `stages` outlives this.
  StageRunner(StageSetup setup, const std::vector<Stage>& stages);
  /// Of all stages together. Their numbers in the record are 0 to this.
  [[nodiscard]] int cases() const;
  /// What Watch::kept() tells of is not measured; a stage that lacks nothing is not even begun. `end_ns`: as
  /// Settings::end_ns; stages share the time until then evenly. `known_barrier_s`: as Settings has it, of all ranks.
  void run(std::optional<std::int64_t> end_ns, std::optional<double> known_barrier_s);
  /// Of the last stage whose ranks were settled; empty where none were.
  [[nodiscard]] const std::optional<Settling>& settling() const { return settling_; }

 private:
  struct Part;
  class Teller;
  [[nodiscard]] bool everyone_measures(const Stage&) const;
  [[nodiscard]] std::optional<Part> part_of_this_rank(const Stage&) const;
  [[nodiscard]] std::vector<Case> plan_of(const Stage&) const;
  [[nodiscard]] int number_of(const Stage&, std::size_t team, std::size_t at) const;
  [[nodiscard]] bool lacks_nothing(const Stage&) const;
  void share_time(std::size_t stages_left, std::optional<std::int64_t> end_ns);
  void run(const Stage&);
  void measure(const Stage&, Part&, const std::vector<Case>& plan, Teller&);
  void fail_all(const std::vector<Case>& plan, const Team&, const std::string& why, Teller&) const;
  void tell_the_others(const Stage&, int leader, const std::vector<CaseRecord>& mine);

  StageSetup setup_;
  const std::vector<Stage>& stages_;
  std::map<std::vector<int>, int> pairs_;  ///< numbers of teams that measure apart, in the order of their ranks
  int next_index_ = 0;                     ///< of the first case of this stage
  std::optional<Settling> settling_;
};

}  // namespace busbar
