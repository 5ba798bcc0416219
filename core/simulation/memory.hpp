// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/elements/memory_space.hpp"

namespace busbar {

/// Pages that the ranks of a simulated job share, so that thousands of them have room for large buffers. SMPI knows
/// them by their addresses and copies nothing between them (SMPI_SHARED_MALLOC).
class SharedPages {
 public:
  /// A stretch of `bytes` or more that is none of `taken`. Throws std::bad_alloc.
  [[nodiscard]] std::byte* find(std::size_t bytes, const std::vector<std::byte*>& taken);
  /// Gives all back. No rank is left, and SMPI still runs.
  void clear();

 private:
  struct Stretch {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Stretch> stretches_;
};

/// With data: memory as any process's. Without: of `pages`, and nothing that is written is kept.
[[nodiscard]] std::unique_ptr<MemorySpace> simulated_memory(bool with_data, SharedPages& pages);

}  // namespace busbar
