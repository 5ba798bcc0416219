// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend/backend.hpp"

namespace busbar {

/// A GPU's memory, and facts of the GPU.
struct DeviceMemory {
  std::unique_ptr<MemorySpace> memory;
  BackendFacts facts;
};

/// Exported by the module "cuda" as busbar_device_memory.
struct DeviceMemoryMaker {
  /// Collective over the group. Returns the memory of this rank's GPU and makes that GPU current; see
  /// cuda::choose_device().
  DeviceMemory (*make)(Group& group, bool share_gpu, std::optional<LocalPlace> place);
};

}  // namespace busbar
