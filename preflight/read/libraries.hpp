// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// Versions of the libraries that a job would load. Opened at run time with own declarations, as for NVML
/// (core/nvml/abi.hpp), without initialisation.
namespace busbar::preflight {

/// "2.28.9" of the libnccl.so.2 that the dynamic loader finds; empty: none. NCCL API: ncclGetVersion, whose number is
/// major * 10000 + minor * 100 + patch since 2.9, and major * 1000 + ... before.
[[nodiscard]] std::optional<std::string> nccl_version();

/// "12.4": the newest CUDA that the driver supports, by libcuda.so.1; empty: there is no driver. CUDA Driver API:
/// cuDriverGetVersion, 1000 * major + 10 * minor.
[[nodiscard]] std::optional<std::string> cuda_driver_version();

}  // namespace busbar::preflight
