// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <stdlib.h>

#include "faults.hpp"

namespace fake_gpu {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int device_of_thread = 0;
std::atomic<cudaError_t> sticky_error = cudaSuccess;

std::vector<int> visible_devices() {
  const auto all = static_cast<int>(setting("FAKE_GPU_COUNT", 1));
  std::vector<int> devices;
  const char* text = getenv("CUDA_VISIBLE_DEVICES");
  if (text == nullptr) {
    for (int i = 0; i < all; ++i) devices.push_back(i);
    return devices;
  }
  std::string word;
  for (const char* at = text;; ++at) {
    if (*at != ',' && *at != '\0') {
      word += *at;
      continue;
    }
    char* end = nullptr;
    const auto index = strtol(word.c_str(), &end, 10);
    // The real runtime ignores entries after the first invalid one, too.
    if (word.empty() || *end != '\0' || index < 0 || index >= all) break;
    devices.push_back(static_cast<int>(index));
    word.clear();
    if (*at == '\0') break;
  }
  return devices;
}

const std::vector<int>& devices() {
  static const auto* const found = new std::vector<int>(visible_devices());
  return *found;
}

}  // namespace

cudaError_t remember(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}

void stick(cudaError_t code) { sticky_error = code; }

cudaError_t stuck() { return sticky_error; }

int device_count() { return static_cast<int>(devices().size()); }

int physical_device(int device) { return devices().at(static_cast<std::size_t>(device)); }

int current_device() {
  require(device_count() > 0, cudaErrorNoDevice);
  return device_of_thread;
}

std::size_t device_memory() { return setting("FAKE_GPU_MEMORY", std::size_t{8} << 30U); }

}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaGetLastError() {
  if (const auto error = stuck(); error != cudaSuccess) return error;
  return std::exchange(last_error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() { return stuck() != cudaSuccess ? stuck() : last_error; }

cudaError_t cudaGetDeviceCount(int* count) {
  return entry([&] {
    require(count != nullptr);
    *count = device_count();
    require(*count > 0, cudaErrorNoDevice);
  });
}

cudaError_t cudaGetDevice(int* device) {
  return entry([&] {
    require(device != nullptr);
    *device = current_device();
  });
}

cudaError_t cudaSetDevice(int device) {
  return entry([&] {
    require(device_count() > 0, cudaErrorNoDevice);
    require(device >= 0 && device < device_count(), cudaErrorInvalidDevice);
    device_of_thread = device;
  });
}

}  // extern "C"
