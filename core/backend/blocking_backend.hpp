// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "core/backend/backend.hpp"

namespace busbar {

/// Base of backends whose calls return when they are complete.
class BlockingBackend : public Backend {
 public:
  explicit BlockingBackend(std::unique_ptr<MemorySpace> memory) : memory_(std::move(memory)) {}
  [[nodiscard]] MemorySpace& memory() override { return *memory_; }
  [[nodiscard]] Stretch complete() override { return last_; }

 protected:
  /// Runs `once`, which must return when it is complete, c.repeat times, and times them together. Returns the first
  /// code that is not 0, after which it stops, or 0.
  template <class F>
  int timed(const Call& c, F&& once) {
    if (c.repeat > 1) return timed_together(c, once);
    const std::int64_t begin = begin_ns(c);
    const int code = once();
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

 private:
  /// Separate from the single call, so that no loop code is between that and the clock.
  template <class F>
  int timed_together(const Call& c, F&& once) {
    int code = 0, left = c.repeat;
    const std::int64_t begin = begin_ns(c);
    do code = once();
    while (code == 0 && --left > 0);
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

  std::unique_ptr<MemorySpace> memory_;
  Stretch last_;
};

}  // namespace busbar
