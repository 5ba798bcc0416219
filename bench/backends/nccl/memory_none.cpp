// SPDX-License-Identifier: Apache-2.0
// NCCL 2.18.
#include <fmt/core.h>

#include "bench/backends/nccl/memory.hpp"
#include "core/error.hpp"

namespace busbar {

std::unique_ptr<cuda::GpuMemory> make_registered_memory(const cuda::Device& /*device*/,
                                                        NcclCommunicators& /*communicators*/) {
  throw UsageError(fmt::format("--register: busbar was built with NCCL {}.{}, which registers no buffers (2.19 does)",
                               NCCL_MAJOR, NCCL_MINOR));
}

}  // namespace busbar
