// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/backend/overlap.hpp"
#include "core/cuda/launch.hpp"
#include "core/cuda/memory.hpp"
#include "core/cuda/stream.hpp"

namespace busbar::cuda {

/// A kernel on a stream of its own that keeps whole multiprocessors of the current device busy: each of its blocks has
/// all shared memory of one, so no other block fits beside it. It uses registers only, and no memory.
class BusyKernel final : public Work {
 public:
  /// `multiprocessors`: how many it takes, at most those of the device; 0: all. Throws Error.
  explicit BusyKernel(int multiprocessors);

  /// Takes some milliseconds.
  void set(double seconds) override;
  [[nodiscard]] int steps() const override { return steps_; }
  void run(int steps) override;
  /// Each launch costs some microseconds.
  [[nodiscard]] bool divisible() const override { return false; }

 private:
  [[nodiscard]] double time(int steps);
  void wait() const;

  Grid grid_;
  Stream stream_;
  DeviceArray<std::uint32_t> sink_{1};
  Event begin_{Event::Kind::timed}, end_{Event::Kind::timed};
  int steps_ = 0;
};

}  // namespace busbar::cuda
