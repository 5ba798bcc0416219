// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/cuda/memory.hpp"

namespace busbar::gpu {

/// Device memory that whoever comes later takes over when the last who holds it lets go: plans the gradients of
/// activations while backward is built. All work on it is in the order in which it was taken.
class BufferPool {
 public:
  struct Buffer {
    std::byte* at = nullptr;
    std::size_t bytes = 0;  ///< that are there: as many as were asked for, or more
  };
  using Lease = std::shared_ptr<const Buffer>;

  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// The smallest that is free and large enough, or a new one. Throws std::bad_alloc. The pool outlives all leases.
  [[nodiscard]] Lease take(std::size_t bytes);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::vector<cuda::DeviceArray<std::byte>> all_;
  std::vector<Buffer> free_;
};

}  // namespace busbar::gpu
