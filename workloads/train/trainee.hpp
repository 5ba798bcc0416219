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

/// One rank's part in the training of its group.
class Trainee {
 public:
  Trainee() = default;
  Trainee(const Trainee&) = delete;
  Trainee& operator=(const Trainee&) = delete;
  virtual ~Trainee() = default;

  /// Restores initial weights and momenta. Not collective.
  virtual void reset() = 0;
  /// Runs one step, i.e. one weight update. Collective over the group.
  virtual StepTimes step() = 0;

  /// Loss of the last step; empty if nothing is computed.
  [[nodiscard]] virtual std::optional<double> loss() const { return std::nullopt; }
  /// State that must be identical on all ranks of the group after a step; empty: nothing is shared.
  [[nodiscard]] virtual std::span<const float> state() { return {}; }
  /// Exchanges known values the way a step does. Returns a message that names the rank and the wrong value; empty if
  /// all are correct. Invalidates weights and gradients until reset(). Collective over the group, not timed.
  [[nodiscard]] virtual std::optional<std::string> verify() { return std::nullopt; }
  /// Whether the layer times of further steps are kept.
  virtual void keep_times(bool /*keep*/) {}
  /// Seconds per kind of layer, summed over steps whose times were kept.
  [[nodiscard]] virtual LayerSums layers() const { return {}; }
  /// Number of reductions per step, and a lower bound of the bytes that this rank sends per step.
  [[nodiscard]] virtual int reductions() const = 0;
  [[nodiscard]] virtual std::uint64_t wire_bytes() const = 0;
  /// Sizes of weights, gradients etc., and the bytes in use if it is not host memory. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  /// Operations per step, without times. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Arithmetic> arithmetic() const { return std::nullopt; }
  /// Mean over the steps whose times were kept, without optimiser, device and source. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Profile> profile() const { return std::nullopt; }
  /// Returns the timetable of the last step, without bubble and compute times; empty without pipeline stages.
  /// Collective over the group.
  [[nodiscard]] virtual std::optional<Pipeline> pipeline(Group& /*group*/) { return std::nullopt; }
  /// Notes for the user about its times.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// Makes this rank's part in a case. Collective over `team`, its group. `host`: number of this rank's host. All
/// arguments must outlive the result. Throws UsageError if the case is not supported, std::bad_alloc if memory runs
/// out.
using MakeTrainee = std::function<std::unique_ptr<Trainee>(const TrainCase& plan, const Communicator& team, int host)>;

}  // namespace busbar
