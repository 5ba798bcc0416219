// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <nccl.h>

namespace busbar {

/// Calls that NCCL has got since 2.18, the oldest that busbar builds with. They are looked up in the library that is
/// loaded, so a build runs with older and newer ones than its own; null: the library lacks it. Parameters and meaning:
/// NCCL documentation, "NCCL API". Windows and handles are pointers of NCCL's.
struct NewerNccl {
  using Exchange = ncclResult_t (*)(const void* send, void* recv, std::size_t count, ncclDataType_t, ncclComm_t,
                                    cudaStream_t);
  using RootedExchange = ncclResult_t (*)(const void* send, void* recv, std::size_t count, ncclDataType_t, int root,
                                          ncclComm_t, cudaStream_t);

  // 2.19
  ncclResult_t (*mem_alloc)(void** memory, std::size_t bytes) = nullptr;
  ncclResult_t (*mem_free)(void* memory) = nullptr;
  ncclResult_t (*comm_register)(ncclComm_t, void* memory, std::size_t bytes, void** handle) = nullptr;
  ncclResult_t (*comm_deregister)(ncclComm_t, void* handle) = nullptr;
  // 2.27
  ncclResult_t (*window_register)(ncclComm_t, void* memory, std::size_t bytes, void** window, int flags) = nullptr;
  ncclResult_t (*window_deregister)(ncclComm_t, void* window) = nullptr;
  // 2.28
  Exchange alltoall = nullptr;
  RootedExchange gather = nullptr, scatter = nullptr;
};

/// Those of the library that is loaded, by its version.
[[nodiscard]] const NewerNccl& newer_nccl();

}  // namespace busbar
