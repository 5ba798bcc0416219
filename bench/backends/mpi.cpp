// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <dlfcn.h>
#include <fmt/core.h>

#include "bench/backends/mpi/backend.hpp"
#include "core/backend/device_memory.hpp"
#include "core/files/module.hpp"
#include "core/mpi/group.hpp"
#include "core/ranks/here.hpp"
#include "core/record/software.hpp"

namespace busbar {
namespace {

/// Throws UsageError for options that MPI does not support.
void require_host_options(const BackendOptions& o) {
  if (o.graph_calls > 0) throw UsageError("--graph: MPI's calls cannot be part of a CUDA graph");
  if (o.nonblocking) throw UsageError("--nonblocking: MPI's calls are measured that return when they are complete");
  if (o.comm_split) throw UsageError("--comm-split: MPI's communicators of groups are split already");
  if (o.registered) throw UsageError("--register: MPI registers buffers by itself");
}

/// Why MPI does not accept device memory; empty if it does. Uses MPIX_Query_cuda_support() of Open MPI
/// (https://docs.open-mpi.org, "MPIX_Query_cuda_support") and MPICH; a library without it counts as not CUDA-aware.
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

std::unique_ptr<Backend> make(Group& group, const BackendOptions& o) {
  require_host_options(o);
  auto algorithms = o.algorithms.empty() ? nullptr : MpiAlgorithms::make(communicator_of(group));
  if (o.memory.value_or("host") == "host")
    return std::make_unique<MpiBackend>(group, here::memory(o.with_data), BackendFacts{}, std::move(algorithms),
                                        o.with_data);
  if (const auto why = not_cuda_aware()) throw UsageError(fmt::format("--memory device: {}", *why));
  const Module module = Module::open("cuda");
  const auto& maker = module.symbol<DeviceMemoryMaker>("busbar_device_memory");
  DeviceMemory device = maker.make(group, o.share_gpu, o.place);
  return std::make_unique<MpiBackend>(group, std::move(device.memory), std::move(device.facts), std::move(algorithms));
}

}  // namespace

extern const BackendFactory mpi{
    .name = "mpi", .about = "MPI's collectives, on host memory or, where MPI is CUDA-aware, a GPU's", .make = make};

}  // namespace busbar
