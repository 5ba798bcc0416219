// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/gate.hpp"

#include <atomic>

#include <cuda.h>
#include <dlfcn.h>

namespace busbar::cuda {
namespace {

using WaitValue = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned int);

/// Function of the driver, which is loaded and not linked; null if the driver lacks it.
WaitValue wait_value() {
  constexpr auto name = "cuStreamWaitValue32_v2";
  static const auto found = [] {
    void* symbol = ::dlsym(RTLD_DEFAULT, name);
    if (symbol == nullptr)
      if (void* driver = ::dlopen("libcuda.so.1", RTLD_NOW); driver != nullptr) symbol = ::dlsym(driver, name);
    return reinterpret_cast<WaitValue>(symbol);
  }();
  return found;
}

}  // namespace

Gate::Gate() {
  void* made = nullptr;
  check(cudaHostAlloc(&made, sizeof(std::uint32_t), cudaHostAllocMapped), "cudaHostAlloc");
  value_.reset(static_cast<std::uint32_t*>(made));
  *value_ = 0;
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, made, 0), "cudaHostGetDevicePointer");
  on_device_ = reinterpret_cast<std::uint64_t>(address);
}

std::optional<Gate> make_gate() { return wait_value() == nullptr ? std::nullopt : std::optional(Gate()); }

void Gate::close(const Stream& stream) {
  if (wait_value()(stream.handle(), on_device_, ++turn_, CU_STREAM_WAIT_VALUE_GEQ) != CUDA_SUCCESS)
    throw Error("cuStreamWaitValue32 failed");
}

void Gate::open() noexcept { std::atomic_ref(*value_).store(turn_, std::memory_order_release); }

}  // namespace busbar::cuda
