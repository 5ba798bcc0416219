// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/record/training.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/compute/replay.hpp"
#include "workloads/train/round.hpp"

namespace busbar {

/// What a rank computes steps with, and what is known of it beside its time.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual Compute& compute() = 0;
  /// Seconds of all layers in steps whose times were kept; nothing where there are none.
  [[nodiscard]] virtual LayerSums layers() const { return {}; }
  virtual void keep_times(bool /*keep*/) {}
  /// As Trainee has them, of one batch.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Arithmetic> arithmetic() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Profile> profile() const { return std::nullopt; }
};

/// Trains a network by oneDNN on this rank's CPU. Throws as make_onednn().
[[nodiscard]] std::unique_ptr<Engine> make_onednn_engine(const Network& network, const OnednnSetup& setup);

/// Takes the time that a profile says. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<Engine> make_replay_engine(const Profile& profile, int rank, Pace pace, bool with_data);

/// About what a rank needs to train the network with so many samples at a time, in bytes: what oneDNN keeps from
/// forward to backward and what runs back, in `precision`, and four times the weights (themselves, as they were at
/// first, gradients, momenta), with copies of them where `precision` is not theirs.
[[nodiscard]] double bytes_to_train(const Network& network, int batch, DType precision);

}  // namespace busbar
