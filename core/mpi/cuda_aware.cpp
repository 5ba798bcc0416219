// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/cuda_aware.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/mpi/group.hpp"
#include "core/record/software.hpp"

namespace busbar {

std::optional<std::string> not_cuda_aware() {
  using Query = int (*)();
  // Looked up at run time, because not every MPI has it.
  const auto query = reinterpret_cast<Query>(::dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
  const std::string library = mpi_facts().library;
  if (query == nullptr)
    return fmt::format("{} does not say whether it is CUDA-aware (MPIX_Query_cuda_support)", library);
  if (query() == 0) return fmt::format("{} was built without CUDA (MPIX_Query_cuda_support says no)", library);
  return std::nullopt;
}

}  // namespace busbar
