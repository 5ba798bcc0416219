// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include <cuda_runtime_api.h>

/// Common parts of the entry points of the fake CUDA runtime: errors, devices, memory ranges.
namespace fake_gpu {

/// Thrown inside an entry point; `entry` turns it into the return code.
struct Failure {
  cudaError_t code;
};

inline void require(bool holds, cudaError_t otherwise = cudaErrorInvalidValue) {
  if (!holds) throw Failure{otherwise};
}

/// Sets this thread's last error to `code` unless it is cudaSuccess; returns `code`.
cudaError_t remember(cudaError_t code);

/// From now on every call of this process fails with `code`, as after a fault on a real device.
void stick(cudaError_t code);

/// The error this process is stuck with; cudaSuccess where there is none.
cudaError_t stuck();

/// Runs the body of an entry point and turns exceptions into a return code.
template <class Body>
cudaError_t entry(Body&& body) noexcept {
  if (const auto error = stuck(); error != cudaSuccess) return remember(error);
  try {
    std::forward<Body>(body)();
    return cudaSuccess;
  } catch (const Failure& failure) {
    return remember(failure.code);
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::exception&) {
    return remember(cudaErrorUnknown);
  }
}

/// Devices of this process: FAKE_GPU_COUNT, or the number of entries of CUDA_VISIBLE_DEVICES where that is smaller.
int device_count();
/// The index of device `device` before CUDA_VISIBLE_DEVICES: what its uuid and its PCI address are made of.
int physical_device(int device);
int current_device();
/// Bytes of memory of each device: FAKE_GPU_MEMORY.
std::size_t device_memory();

enum class Memory { pageable, pinned, device };

/// The kind of this memory. \throws Failure if [pointer, pointer + bytes) exceeds its allocation.
Memory memory_of(const void* pointer, std::size_t bytes);

/// Memory of `device`, filled with 0xCB. \throws Failure where it has no more.
void* allocate(std::size_t bytes, int device);
/// \throws Failure where `pointer` is nothing that `allocate` gave.
void release(void* pointer);

}  // namespace fake_gpu
