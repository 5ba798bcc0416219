// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend.hpp"
#include "core/files/module.hpp"

namespace busbar {
namespace {

std::unique_ptr<Backend> make(Group& group, const BackendOptions& options) {
  const Module module = Module::open("nccl");
  return module.symbol<BackendFactory>("busbar_nccl_backend").make(group, options);
}

}  // namespace

extern const BackendFactory nccl{
    .name = "nccl", .about = "NCCL's collectives on the memory of NVIDIA GPUs, one rank a GPU", .make = make};

}  // namespace busbar
