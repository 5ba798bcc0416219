// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "bench/backends/nccl/communicators.hpp"
#include "core/cuda/device_memory.hpp"

namespace busbar {

/// A GPU's memory that is registered with all communicators, so that NCCL need not copy through buffers of its own
/// (NCCL documentation, "User Buffer Registration"). Allocated by NCCL, which knows what can be registered.
/// `communicators` outlive it, and it all buffers. memory.cpp from NCCL 2.19 on; memory_none.cpp for those before,
/// which have no registration: throws UsageError. CMake chooses.
[[nodiscard]] std::unique_ptr<cuda::GpuMemory> make_registered_memory(const cuda::Device& device,
                                                                      NcclCommunicators& communicators);

}  // namespace busbar
