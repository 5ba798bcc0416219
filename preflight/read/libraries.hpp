// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// Versions of libraries that a job would load, asked of the libraries themselves: opened at run time by declarations
/// of our own, as NVML is (core/nvml/abi.hpp). Nothing is initialised.
namespace busbar::preflight {

/// "2.28.9" of libnccl.so.2, as the dynamic loader finds it; empty: it finds none. NCCL API: ncclGetVersion, whose
/// number is major * 10000 + minor * 100 + patch since 2.9, and major * 1000 + ... before.
[[nodiscard]] std::optional<std::string> nccl_version();

/// "12.4": the newest CUDA that the driver supports, by libcuda.so.1; empty: there is no driver. CUDA Driver API:
/// cuDriverGetVersion, 1000 * major + 10 * minor.
[[nodiscard]] std::optional<std::string> cuda_driver_version();

}  // namespace busbar::preflight
