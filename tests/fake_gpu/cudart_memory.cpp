// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <sys/mman.h>

#include "faults.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace fake_gpu {
namespace {

constexpr int poison = 0xCB;

struct Range {
  std::size_t bytes = 0;
  Memory memory = Memory::device;
  int device = 0;
  bool registered = false;  ///< memory of the program's own, made known by cudaHostRegister
};

struct Ranges {
  std::mutex mutex;
  std::map<std::uintptr_t, Range> of;
  std::map<int, std::size_t> used;  // bytes, by device
};

Ranges& ranges() {
  static auto* const all = new Ranges;  // never ended: stream threads outlive main
  return *all;
}

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void* add_range(std::size_t bytes, Memory memory, int device) {
  // At least a page each, so that no address lies in two of them and one past the end belongs to nobody.
  void* const pointer =
      mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(pointer != MAP_FAILED, cudaErrorMemoryAllocation);
  std::memset(pointer, poison, bytes);
  auto& all = ranges();
  const std::scoped_lock lock(all.mutex);
  all.of[address(pointer)] = {.bytes = bytes, .memory = memory, .device = device};
  return pointer;
}

void remove_range(void* pointer, Memory memory, bool registered = false) {
  auto& all = ranges();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.of.find(address(pointer));
  require(found != all.of.end() && found->second.memory == memory && found->second.registered == registered);
  if (memory == Memory::device) all.used[found->second.device] -= found->second.bytes;
  if (!registered) munmap(pointer, found->second.bytes + 4096);
  all.of.erase(found);
}

// The range that holds `pointer`; null for memory of the program's own.
const std::pair<const std::uintptr_t, Range>* range_of(const void* pointer) {
  auto& all = ranges();
  auto after = all.of.upper_bound(address(pointer));
  if (after == all.of.begin()) return nullptr;
  const auto& range = *--after;
  return address(pointer) < range.first + range.second.bytes ? &range : nullptr;
}

bool is_host(Memory memory) { return memory != Memory::device; }

void check_kind(cudaMemcpyKind kind, Memory to, Memory from) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return require(is_host(to) && is_host(from), cudaErrorInvalidValue);
    case cudaMemcpyHostToDevice:
      return require(!is_host(to) && is_host(from), cudaErrorInvalidValue);
    case cudaMemcpyDeviceToHost:
      return require(is_host(to) && !is_host(from), cudaErrorInvalidValue);
    case cudaMemcpyDeviceToDevice:
      return require(!is_host(to) && !is_host(from), cudaErrorInvalidValue);
    case cudaMemcpyDefault:
      return;
  }
  throw Failure{cudaErrorInvalidMemcpyDirection};
}

// Pageable memory is read before the call returns, and written before it returns, as the real runtime does.
void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (bytes == 0) return;
  require(to != nullptr && from != nullptr);
  const auto to_memory = memory_of(to, bytes);
  const auto from_memory = memory_of(from, bytes);
  check_kind(kind, to_memory, from_memory);
  if (from_memory == Memory::pageable && !capturing(stream)) {
    const auto* const first = static_cast<const unsigned char*>(from);
    auto staged = std::make_shared<std::vector<unsigned char>>(first, first + bytes);
    submit(stream, [=] { return [=] { std::memcpy(to, staged->data(), bytes); }; });
  } else {
    submit(stream, [=] { return [=] { std::memmove(to, from, bytes); }; });
  }
  if (to_memory == Memory::pageable && !capturing(stream)) synchronize(stream);
}

void fill(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  require(to != nullptr);
  require(memory_of(to, bytes) != Memory::pageable);
  submit(stream, [=] { return [=] { std::memset(to, value, bytes); }; });
}

}  // namespace

Memory memory_of(const void* pointer, std::size_t bytes) {
  const std::scoped_lock lock(ranges().mutex);
  const auto* const range = range_of(pointer);
  if (range == nullptr) return Memory::pageable;
  require(address(pointer) + bytes <= range->first + range->second.bytes);
  return range->second.memory;
}

void* allocate(std::size_t bytes, int device) {
  const auto* const limit = fault("out_of_memory");
  require(limit == nullptr || bytes <= limit->bytes, cudaErrorMemoryAllocation);
  {
    const std::scoped_lock lock(ranges().mutex);
    auto& used = ranges().used[device];
    require(bytes <= device_memory() - used, cudaErrorMemoryAllocation);
    used += bytes;
  }
  return add_range(bytes, Memory::device, device);
}

void release(void* pointer) { remove_range(pointer, Memory::device); }

}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return entry([&] {
    require(pointer != nullptr);
    forbid_while_capturing();
    *pointer = bytes == 0 ? nullptr : allocate(bytes, current_device());
  });
}

cudaError_t cudaFree(void* pointer) {
  return entry([&] {
    if (pointer == nullptr) return;
    forbid_while_capturing();
    synchronize_device(current_device());
    release(pointer);
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return entry([&] {
    require(pointer != nullptr);
    check(stream);
    *pointer = bytes == 0 ? nullptr : allocate(bytes, current_device());
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return entry([&] {
    if (pointer == nullptr) return;
    require(memory_of(pointer, 0) == Memory::device);
    submit(stream, [=] { return [=] { release(pointer); }; });
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
  return entry([&] {
    require(pointer != nullptr);
    *pointer = bytes == 0 ? nullptr : add_range(bytes, Memory::pinned, current_device());
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault); }

cudaError_t cudaFreeHost(void* pointer) {
  return entry([&] {
    if (pointer == nullptr) return;
    synchronize_device(current_device());
    remove_range(pointer, Memory::pinned);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  return entry([&] {
    require(pointer != nullptr && bytes > 0);
    const int device = current_device();
    const std::scoped_lock lock(ranges().mutex);
    require(range_of(pointer) == nullptr, cudaErrorHostMemoryAlreadyRegistered);
    ranges().of[address(pointer)] = {.bytes = bytes, .memory = Memory::pinned, .device = device, .registered = true};
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return entry([&] {
    {
      const std::scoped_lock lock(ranges().mutex);
      const auto* const range = range_of(pointer);
      require(range != nullptr && range->second.registered, cudaErrorHostMemoryNotRegistered);
    }
    synchronize_device(current_device());
    remove_range(pointer, Memory::pinned, true);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* pointer, unsigned int) {
  return entry([&] {
    require(device != nullptr && memory_of(pointer, 0) == Memory::pinned);
    *device = pointer;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  return entry([&] {
    require(free_bytes != nullptr && total != nullptr);
    const std::scoped_lock lock(ranges().mutex);
    *total = device_memory();
    *free_bytes = *total - ranges().used[current_device()];
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return entry([&] {
    require(attributes != nullptr);
    *attributes = {};
    const std::scoped_lock lock(ranges().mutex);
    const auto* const range = range_of(pointer);
    attributes->device = range == nullptr ? -2 : range->second.device;  // -2: what the real runtime gives
    attributes->type = cudaMemoryTypeUnregistered;
    if (range == nullptr) return;
    const bool device = range->second.memory == Memory::device;
    attributes->type = device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer = device ? nullptr : const_cast<void*>(pointer);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return entry([&] {
    forbid_while_capturing();
    copy(to, from, bytes, kind, nullptr);
    if (bytes == 0) return;
    // From device to device the host does not wait.
    if (memory_of(to, bytes) != Memory::device || memory_of(from, bytes) != Memory::device) synchronize(nullptr);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return entry([&] { copy(to, from, bytes, kind, stream); });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return entry([&] {
    forbid_while_capturing();
    fill(to, value, bytes, nullptr);
  });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return entry([&] { fill(to, value, bytes, stream); });
}

}  // extern "C"
