// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/elements/memory_space.hpp"

namespace busbar {

/// Pages shared by all ranks of a simulated job, so that thousands of ranks can have large buffers. SMPI recognises
/// them by address and copies nothing between them (SMPI_SHARED_MALLOC).
class SharedPages {
 public:
  /// A stretch of at least `bytes` that is not in `taken`. Throws std::bad_alloc.
  [[nodiscard]] std::byte* find(std::size_t bytes, const std::vector<std::byte*>& taken);
  [[nodiscard]] bool has(const void* address) const;
  /// Frees all. Call it after all ranks have ended and before SMPI_finalize().
  void clear();

 private:
  struct Stretch {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Stretch> stretches_;
};

/// With data: ordinary host memory. Without: memory of `pages`; writes have no effect.
[[nodiscard]] std::unique_ptr<MemorySpace> simulated_memory(bool with_data, SharedPages& pages);

}  // namespace busbar
