// SPDX-License-Identifier: Apache-2.0
// NCCL 2.19 and newer.
#include "bench/backends/nccl/memory.hpp"

#include <new>
#include <vector>

namespace busbar {
namespace {

class RegisteredMemory final : public cuda::GpuMemory {
 public:
  RegisteredMemory(const cuda::Device& device, NcclCommunicators& communicators)
      : GpuMemory(device), communicators_(communicators) {}
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;

 private:
  struct Registration {
    std::byte* memory;
    const NcclCommunicator* comm;
    void* handle;
  };
  void release(std::byte* memory);
  NcclCommunicators& communicators_;
  std::vector<Registration> registrations_;
};

Buffer RegisteredMemory::allocate(std::size_t bytes) {
  const std::size_t some = bytes + room_behind;
  void* made = nullptr;
  if (ncclMemAlloc(&made, some) != ncclSuccess) throw std::bad_alloc();
  Buffer buffer(static_cast<std::byte*>(made), [this](std::byte* p) { release(p); });
  for (auto& [name, member] : communicators_) {
    void* handle = nullptr;
    member->comm.await(ncclCommRegister(member->comm.handle(), made, some, &handle), "ncclCommRegister");
    registrations_.push_back({.memory = buffer.get(), .comm = &member->comm, .handle = handle});
  }
  zero(buffer.get(), some);
  return buffer;
}

void RegisteredMemory::release(std::byte* memory) {
  std::erase_if(registrations_, [&](const Registration& r) {
    if (r.memory != memory) return false;
    if (r.comm->handle() != nullptr) ncclCommDeregister(r.comm->handle(), r.handle);
    return true;
  });
  ncclMemFree(memory);
}

}  // namespace

std::unique_ptr<cuda::GpuMemory> make_registered_memory(const cuda::Device& device, NcclCommunicators& communicators) {
  return std::make_unique<RegisteredMemory>(device, communicators);
}

}  // namespace busbar
