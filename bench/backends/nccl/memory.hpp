// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/backends/nccl/communicators.hpp"
#include "core/cuda/device_memory.hpp"

namespace busbar {

/// A GPU's memory that is registered with all communicators, so that NCCL need not copy through buffers of its own
/// (NCCL documentation, "User Buffer Registration"). Allocated by NCCL, which knows what can be registered.
class RegisteredMemory final : public cuda::GpuMemory {
 public:
  /// `communicators` outlive it, and it all buffers.
  RegisteredMemory(const cuda::Device& device, NcclCommunicators& communicators)
      : GpuMemory(device), communicators_(communicators) {}
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;

 private:
  struct Registration {
    std::byte* memory;
    ncclComm_t comm;
    void* handle;
  };
  void release(std::byte* memory);
  NcclCommunicators& communicators_;
  std::vector<Registration> registrations_;
};

}  // namespace busbar
