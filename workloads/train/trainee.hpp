// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"
#include "core/record/training.hpp"
#include "workloads/networks/profile.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/round.hpp"

namespace busbar {

class Communicator;

/// One rank's part in a training, together with the others of its group.
class Trainee {
 public:
  Trainee() = default;
  Trainee(const Trainee&) = delete;
  Trainee& operator=(const Trainee&) = delete;
  virtual ~Trainee() = default;

  /// What it was at first: weights, momenta. Not collective.
  virtual void reset() = 0;
  /// One update of the weights. Collective over the group.
  virtual StepTimes step() = 0;

  /// Of the last step; empty where nothing is computed.
  [[nodiscard]] virtual std::optional<double> loss() const { return std::nullopt; }
  /// Has to be the same on all ranks of the group after a step. Empty: ranks have nothing in common.
  [[nodiscard]] virtual std::span<const float> state() { return {}; }
  /// Collective over the group, not timed. Communicates what is known beforehand as a step does: in words what came out
  /// wrong, naming the rank; empty: nothing. Weights and gradients are worthless afterwards, until reset().
  [[nodiscard]] virtual std::optional<std::string> verify() { return std::nullopt; }
  /// From now on layers' times of steps are kept, or not.
  virtual void keep_times(bool /*keep*/) {}
  /// Seconds that layers took in all steps whose times were kept.
  [[nodiscard]] virtual LayerSums layers() const { return {}; }
  /// Reductions in a step, and the bytes that this rank sends in it at least.
  [[nodiscard]] virtual int reductions() const = 0;
  [[nodiscard]] virtual std::uint64_t wire_bytes() const = 0;
  /// Sizes of weights, gradients and the like; what is in use where it is not the host's memory. Empty: only time is
  /// replayed.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  /// Operations of a step, without any time. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Arithmetic> arithmetic() const { return std::nullopt; }
  /// Means of all steps whose times were kept, without the optimiser and without what the job knows: device and source.
  /// Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Profile> profile() const { return std::nullopt; }
  /// Collective over the group. The schedule of the last step. Empty: there are no stages.
  [[nodiscard]] virtual std::optional<Pipeline> pipeline(Group& /*group*/) { return std::nullopt; }
  /// What a person should know of its times.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// Makes this rank's part in a case. Collective over `team`, its group. `host`: this rank's, as a number. What it is
/// given outlives the result. Throws UsageError where the case cannot be trained so, std::bad_alloc where memory is
/// lacking.
using MakeTrainee = std::function<std::unique_ptr<Trainee>(const TrainCase& plan, const Communicator& team, int host)>;

}  // namespace busbar
