// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend.hpp"
#include "core/files/module.hpp"

namespace busbar {
namespace {

std::unique_ptr<Backend> make(Group& group, const BackendOptions& options) {
  if (options.split_calls)
    throw UsageError(
        "--form, --overlap: NCCL has one form of each call, which runs on the GPU beside all work of the host; only "
        "MPI and plug-ins have others");
  const Module module = Module::open("nccl");
  return module.symbol<BackendFactory>("busbar_nccl_backend").make(group, options);
}

}  // namespace

extern const BackendFactory nccl{
    .name = "nccl", .about = "NCCL's collectives on the memory of NVIDIA GPUs, one rank a GPU", .make = make};

}  // namespace busbar
