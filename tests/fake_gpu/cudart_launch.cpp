// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "faults.hpp"
#include "kernels.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace fake_gpu {
namespace {

constexpr unsigned int max_threads = 1024;

struct Configuration {
  Shape shape;
  cudaStream_t stream;
};

std::vector<Configuration>& configurations() {
  static thread_local std::vector<Configuration> all;
  return all;
}

void check_shape(const Shape& shape, const Function& function) {
  const auto& block = shape.block;
  const auto& grid = shape.grid;
  const bool some = block.x > 0 && block.y > 0 && block.z > 0 && grid.x > 0 && grid.y > 0 && grid.z > 0;
  const auto threads = std::size_t{block.x} * block.y * block.z;
  require(some && threads <= max_threads && block.z <= 64 && grid.y <= 65535 && grid.z <= 65535,
          cudaErrorInvalidConfiguration);
  require(shape.shared_bytes <= static_cast<std::size_t>(function.max_dynamic_shared), cudaErrorInvalidValue);
}

bool launch_fails() {
  static std::atomic<std::uint64_t> launches = 0;
  const auto* const wrong = fault("launch_failure");
  return ++launches == (wrong == nullptr ? 0 : wrong->call);
}

void launch(const void* host_function, const Shape& shape, void** arguments, cudaStream_t stream) {
  const auto& function = function_of(host_function);
  check_shape(shape, function);
  const auto* const kernel = emulation_of(function.name);
  if (kernel == nullptr) {
    std::fprintf(stderr, "fake GPU: no library of FAKE_GPU_KERNELS emulates: %s\n", function.name.c_str());
    throw Failure{cudaErrorInvalidDeviceFunction};
  }
  submit(stream, [name = function.name, run = kernel->bind(arguments, shape)] {
    return [name, run, fails = launch_fails()] {
      if (fails) throw Failure{cudaErrorLaunchFailure};
      try {
        run();
      } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "fake GPU: %s: %s\n", name.c_str(), error.what());
        throw Failure{cudaErrorLaunchFailure};
      }
    };
  });
}

int blocks_per_multiprocessor(int threads, std::size_t shared_bytes) {
  const auto rounded = (threads + 31) / 32 * 32;
  const auto by_shared = 228 * 1024 / static_cast<int>(shared_bytes + 1024);
  return std::min({32, 2048 / rounded, by_shared});
}

}  // namespace
}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return entry(
      [&] { launch(function, {.grid = grid, .block = block, .shared_bytes = shared_bytes}, arguments, stream); });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  return cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                          config->stream);
}

// What nvcc makes of kernel<<<...>>>(...).
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  configurations().push_back({.shape = {.grid = grid, .block = block, .shared_bytes = shared_bytes}, .stream = stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configurations().empty()) return remember(cudaErrorInvalidConfiguration);
  const auto last = configurations().back();
  configurations().pop_back();
  *grid = last.shape.grid;
  *block = last.shape.block;
  *shared_bytes = last.shape.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

// The handle is the host function itself.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return entry([&] {
    auto& found = function_of(function);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      require(value >= 0 && value <= 227 * 1024);
      found.max_dynamic_shared = value;
    } else {
      require(attribute == cudaFuncAttributePreferredSharedMemoryCarveout, cudaErrorNotSupported);
    }
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return entry([&] {
    require(attributes != nullptr);
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(max_threads);
    attributes->maxDynamicSharedSizeBytes = function_of(function).max_dynamic_shared;
    attributes->numRegs = 32;
    attributes->binaryVersion = static_cast<int>(setting("FAKE_GPU_SM", 90));
    attributes->ptxVersion = attributes->binaryVersion;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t shared_bytes, unsigned int) {
  return entry([&] {
    require(blocks != nullptr && threads > 0);
    function_of(function);
    *blocks = threads > static_cast<int>(max_threads) ? 0 : blocks_per_multiprocessor(threads, shared_bytes);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, 0);
}

}  // extern "C"
