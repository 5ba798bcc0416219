// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/record/training.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/compute/replay.hpp"
#include "workloads/train/round.hpp"

namespace busbar {

/// Computes a rank's training steps and describes the work.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual Compute& compute() = 0;
  /// Seconds per kind of layer, summed over steps whose times were kept; zero if there are none.
  [[nodiscard]] virtual LayerSums layers() const { return {}; }
  virtual void keep_times(bool /*keep*/) {}
  /// Like Trainee's, but for one batch of this engine.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Arithmetic> arithmetic() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Profile> profile() const { return std::nullopt; }
};

/// Trains a network with oneDNN on this rank's CPU. Throws like make_onednn().
[[nodiscard]] std::unique_ptr<Engine> make_onednn_engine(const Network& network, const OnednnSetup& setup);

/// Takes the times of a profile. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<Engine> make_replay_engine(const Profile& profile, int rank, Pace pace, bool with_data);

/// Estimated memory in bytes to train the network with `batch` samples at a time: oneDNN's activations and their
/// gradients in `precision`, plus four arrays of weight size (weights, initial weights, gradients, momenta), plus
/// copies of the weights if `precision` is not fp32.
[[nodiscard]] double bytes_to_train(const Network& network, int batch, DType precision);

}  // namespace busbar
