// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/environment/environment.hpp"
#include "core/nvml/device.hpp"

namespace busbar::nvml {

/// Facts of a GPU from NVML.
[[nodiscard]] Gpu gpu_facts(const Device& device);

/// Adds NVML's facts to a host: GPUs missing in kernel files, the driver version, modes and limits of each GPU. Adds to
/// `gpu_links` the number of NVLinks between GPUs (NV4), also through switches, and their PCIe topology if kernel files
/// (below `root`, as in read_host()) do not show it.
void add_gpu_facts(Host& host, const std::shared_ptr<const Library>& library, const std::filesystem::path& root = "/");

}  // namespace busbar::nvml
