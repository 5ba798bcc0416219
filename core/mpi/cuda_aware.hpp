// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// Why MPI cannot be given device memory; empty: it says that it can. By MPIX_Query_cuda_support(), which Open MPI
/// (https://docs.open-mpi.org, "MPIX_Query_cuda_support") and MPICH have; a library without it is taken to be unable.
[[nodiscard]] std::optional<std::string> not_cuda_aware();

}  // namespace busbar
