// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/cuda/memory.hpp"

namespace busbar::gpu {

/// Pool of device memory for gradients of activations, assigned while backward is built. Releasing the last copy of a
/// lease makes its buffer available again. Work on a buffer must run in the order in which buffers were taken.
class BufferPool {
 public:
  struct Buffer {
    std::byte* at = nullptr;
    std::size_t bytes = 0;  ///< size of the buffer; at least the requested size
  };
  using Lease = std::shared_ptr<const Buffer>;

  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Returns the smallest free buffer that is large enough, or a new one. Throws std::bad_alloc. The pool must outlive
  /// all leases.
  [[nodiscard]] Lease take(std::size_t bytes);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::vector<cuda::DeviceArray<std::byte>> all_;
  std::vector<Buffer> free_;
};

}  // namespace busbar::gpu
