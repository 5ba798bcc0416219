// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/environment/environment.hpp"
#include "core/nvml/device.hpp"

namespace busbar::nvml {

/// What NVML tells of a GPU beyond files of the kernel.
[[nodiscard]] Gpu gpu_facts(const Device& device);

/// Adds to a host what NVML knows: GPUs that the kernel's files do not show, the driver's version, modes and limits of
/// each GPU, and in `gpu_links` the number of NVLinks between GPUs (NV4), through switches too, and their way over PCIe
/// where the kernel's files, under `root` as in read_host(), left it open.
void add_gpu_facts(Host& host, const std::shared_ptr<const Library>& library, const std::filesystem::path& root = "/");

}  // namespace busbar::nvml
