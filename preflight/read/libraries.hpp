// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// Versions of the libraries that a job would load. They are opened at run time without initialisation and without
/// their headers, as NVML is (core/nvml/abi.hpp).
namespace busbar::preflight {

/// Version of the libnccl.so.2 that the dynamic loader finds: "2.28.9"; empty: none. Source: NCCL API, ncclGetVersion.
/// Its number is major * 10000 + minor * 100 + patch since 2.9, and major * 1000 + ... before.
[[nodiscard]] std::optional<std::string> nccl_version();

/// Newest CUDA version that the driver supports, from libcuda.so.1: "12.4"; empty: no driver. Source: CUDA Driver API,
/// cuDriverGetVersion, 1000 * major + 10 * minor.
[[nodiscard]] std::optional<std::string> cuda_driver_version();

}  // namespace busbar::preflight
