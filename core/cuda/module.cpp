// SPDX-License-Identifier: Apache-2.0
// The module "cuda": GPU memory for backends that do not use CUDA themselves.
#include "core/backend/device_memory.hpp"
#include "core/cuda/device_memory.hpp"

namespace {

busbar::DeviceMemory make(busbar::Group& group, bool share_gpu, std::optional<busbar::LocalPlace> place) {
  const busbar::cuda::Device device = busbar::cuda::choose_device(group, share_gpu, place);
  return {.memory = std::make_unique<busbar::cuda::GpuMemory>(device), .facts = busbar::cuda::facts_of(device)};
}

}  // namespace

extern "C" {
[[gnu::visibility("default")]] extern const busbar::DeviceMemoryMaker busbar_device_memory;
const busbar::DeviceMemoryMaker busbar_device_memory{.make = make};
}
