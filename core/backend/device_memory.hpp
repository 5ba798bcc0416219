// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend/backend.hpp"

namespace busbar {

/// A GPU's memory, and the GPU.
struct DeviceMemory {
  std::unique_ptr<MemorySpace> memory;
  BackendFacts facts;
};

/// What the module "cuda" exports as busbar_device_memory.
struct DeviceMemoryMaker {
  /// Collective. The memory of this rank's GPU, which is current from then on; see cuda::choose_device().
  DeviceMemory (*make)(Group& group, bool share_gpu, std::optional<LocalPlace> place);
};

}  // namespace busbar
