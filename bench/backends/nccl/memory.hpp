// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "bench/backends/nccl/communicators.hpp"
#include "core/cuda/device_memory.hpp"

namespace busbar {

/// GPU memory allocated by NCCL, which can be registered with communicators, so that NCCL need not copy through its own
/// buffers (NCCL documentation, "User Buffer Registration" and "Window Registration").
class NcclMemory final : public cuda::GpuMemory {
 public:
  /// `communicators` must outlive this, and this all buffers. `registered`: each new buffer is registered with all
  /// communicators. `for_windows`: all ranks allocate equal sizes. Throws UsageError if NCCL is too old.
  NcclMemory(const cuda::Device& device, NcclCommunicators& communicators, bool registered, bool for_windows);
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  [[nodiscard]] bool same_on_all_ranks() const override { return for_windows_; }

  /// Registers all buffers as symmetric windows of a communicator. Collective over its ranks. Returns NCCL's code.
  [[nodiscard]] ncclResult_t register_windows(NcclCommunicator& comm);

 private:
  struct Part {
    std::byte* memory;
    std::size_t bytes;
  };
  struct Registration {
    std::byte* memory;
    const NcclCommunicator* comm;
    void* handle;
    bool window;
  };
  void release(std::byte* memory);

  NcclCommunicators& communicators_;
  bool registered_, for_windows_;
  std::vector<Part> parts_;
  std::vector<Registration> registrations_;
};

}  // namespace busbar
