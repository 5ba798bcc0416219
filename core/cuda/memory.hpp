// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "core/cuda/stream.hpp"

namespace busbar::cuda {

namespace detail {
struct FreeDevice {
  void operator()(void* p) const { cudaFree(p); }
};
struct FreePinned {
  void operator()(void* p) const { cudaFreeHost(p); }
};
}  // namespace detail

/// Uninitialised memory of the current device for `size` elements. Throws std::bad_alloc.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* made = nullptr;
    check(cudaMalloc(&made, size * sizeof(T)), "cudaMalloc");
    memory_.reset(static_cast<T*>(made));
  }
  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  std::unique_ptr<T, detail::FreeDevice> memory_;
  std::size_t size_ = 0;
};

/// Pinned host memory, for direct copies to and from devices. Throws std::bad_alloc.
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) : size_(size) {
    void* made = nullptr;
    check(cudaMallocHost(&made, size * sizeof(T)), "cudaMallocHost");
    memory_.reset(static_cast<T*>(made));
  }
  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::span<T> span() const { return {memory_.get(), size_}; }
  T& operator[](std::size_t i) const { return memory_.get()[i]; }

 private:
  std::unique_ptr<T, detail::FreePinned> memory_;
  std::size_t size_ = 0;
};

/// Copies between host and device in either direction, asynchronously in stream order. Throws Error.
template <class T>
void copy(T* to, const T* from, std::size_t elements, const Stream& on) {
  check(cudaMemcpyAsync(to, from, elements * sizeof(T), cudaMemcpyDefault, on.handle()), "cudaMemcpyAsync");
}

}  // namespace busbar::cuda
