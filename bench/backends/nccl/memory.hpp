// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "bench/backends/nccl/communicators.hpp"
#include "core/cuda/device_memory.hpp"

namespace busbar {

/// A GPU's memory that NCCL allocates, which knows what it can register with a communicator so that it need not copy
/// through buffers of its own (NCCL documentation, "User Buffer Registration" and "Window Registration").
class NcclMemory final : public cuda::GpuMemory {
 public:
  /// `communicators` outlive it, and it all buffers. `registered`: buffers are registered with all of them when they
  /// are allocated. `for_windows`: all ranks are to allocate the same. Throws UsageError where NCCL is too old.
  NcclMemory(const cuda::Device& device, NcclCommunicators& communicators, bool registered, bool for_windows);
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  [[nodiscard]] bool same_on_all_ranks() const override { return for_windows_; }

  /// Makes all buffers symmetric windows of a communicator. Collective over its ranks. NCCL's code where it does not.
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
