// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// Why MPI does not accept device memory; empty if it does. Uses MPIX_Query_cuda_support() of Open MPI
/// (https://docs.open-mpi.org, "MPIX_Query_cuda_support") and MPICH; a library without it counts as not CUDA-aware.
[[nodiscard]] std::optional<std::string> not_cuda_aware();

}  // namespace busbar
