// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/memory.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/nccl/newer.hpp"
#include "core/nccl/types.hpp"

namespace busbar {
namespace {

constexpr int symmetric_window = 1;  // NCCL_WIN_COLL_SYMMETRIC, which headers before 2.27 lack

}  // namespace

NcclMemory::NcclMemory(const cuda::Device& device, NcclCommunicators& communicators, bool registered, bool for_windows)
    : GpuMemory(device), communicators_(communicators), registered_(registered), for_windows_(for_windows) {
  if (newer_nccl().mem_alloc == nullptr)
    throw UsageError(fmt::format("--register: NCCL {} registers no buffers (2.19 does)", to_string(nccl_version())));
}

Buffer NcclMemory::allocate(std::size_t bytes) {
  const std::size_t some = bytes + room_behind;
  void* made = nullptr;
  if (newer_nccl().mem_alloc(&made, some) != ncclSuccess) throw std::bad_alloc();
  Buffer buffer(static_cast<std::byte*>(made), [this](std::byte* p) { release(p); });
  parts_.push_back({.memory = buffer.get(), .bytes = some});
  for (auto& [name, member] : communicators_) {
    if (!registered_ || member->words.symmetric()) continue;
    void* handle = nullptr;
    const ncclComm_t comm = member->comm.handle();
    member->comm.await(newer_nccl().comm_register(comm, made, some, &handle), "ncclCommRegister");
    registrations_.push_back({.memory = buffer.get(), .comm = &member->comm, .handle = handle, .window = false});
  }
  zero(buffer.get(), some);
  return buffer;
}

ncclResult_t NcclMemory::register_windows(NcclCommunicator& comm) {
  for (const Part& part : parts_) {
    const auto its_window = [&](const Registration& r) {
      return r.window && r.memory == part.memory && r.comm == &comm;
    };
    if (std::ranges::any_of(registrations_, its_window)) continue;
    void* window = nullptr;
    const ncclResult_t code =
        comm.outcome(newer_nccl().window_register(comm.handle(), part.memory, part.bytes, &window, symmetric_window),
                     "ncclCommWindowRegister");
    if (code != ncclSuccess) return code;
    registrations_.push_back({.memory = part.memory, .comm = &comm, .handle = window, .window = true});
  }
  return ncclSuccess;
}

void NcclMemory::release(std::byte* memory) {
  std::erase_if(registrations_, [&](const Registration& r) {
    if (r.memory != memory) return false;
    const auto give_back = r.window ? newer_nccl().window_deregister : newer_nccl().comm_deregister;
    if (r.comm->handle() != nullptr) give_back(r.comm->handle(), r.handle);
    return true;
  });
  std::erase_if(parts_, [&](const Part& part) { return part.memory == memory; });
  newer_nccl().mem_free(memory);
}

}  // namespace busbar
