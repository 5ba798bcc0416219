// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/newer.hpp"

#include <dlfcn.h>

#include "core/nccl/types.hpp"

namespace busbar {
namespace {

template <class Function>
void look_up(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

NewerNccl look_up_all(NcclVersion version) {
  NewerNccl calls;
  if (version.code >= first_with_registration.code) {
    look_up(calls.mem_alloc, "ncclMemAlloc");
    look_up(calls.mem_free, "ncclMemFree");
    look_up(calls.comm_register, "ncclCommRegister");
    look_up(calls.comm_deregister, "ncclCommDeregister");
  }
  if (version.code >= first_with_windows.code) {
    look_up(calls.window_register, "ncclCommWindowRegister");
    look_up(calls.window_deregister, "ncclCommWindowDeregister");
  }
  if (version.code >= first_with_exchanges.code) {
    look_up(calls.alltoall, "ncclAlltoAll");
    look_up(calls.gather, "ncclGather");
    look_up(calls.scatter, "ncclScatter");
  }
  return calls;
}

}  // namespace

const NewerNccl& newer_nccl() {
  static const NewerNccl calls = look_up_all(nccl_version());
  return calls;
}

}  // namespace busbar
