// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "core/record.hpp"
#include "workloads/compute.hpp"
#include "workloads/train/round.hpp"

namespace busbar {

/// What a rank computes steps with, and what is known of it beside its time.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  [[nodiscard]] virtual Compute& compute() = 0;
  /// Seconds since it was made, of all layers; nothing where there are none.
  [[nodiscard]] virtual LayerSums layers() const { return {}; }
  /// Sizes of weights, gradients and the like, without what only the process knows. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  /// Of one micro-batch, without any time. Empty: only time is replayed.
  [[nodiscard]] virtual std::optional<Arithmetic> arithmetic() const { return std::nullopt; }
};

}  // namespace busbar
