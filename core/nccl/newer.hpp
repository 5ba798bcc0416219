// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <nccl.h>

namespace busbar {

/// NCCL calls added since 2.18, the oldest version that busbar supports. Looked up in the loaded library, so that a
/// build runs with older and newer versions too; null: the library lacks it. Parameters: NCCL documentation, "NCCL
/// API". Windows and handles are opaque pointers.
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

/// Calls of the loaded library, by its version.
[[nodiscard]] const NewerNccl& newer_nccl();

}  // namespace busbar
