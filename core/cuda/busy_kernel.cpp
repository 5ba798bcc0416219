// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/busy_kernel.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

#include "core/cuda/busy_kernels.hpp"

namespace busbar::cuda {
namespace {

constexpr unsigned threads = 128;  // a warp for each of the four schedulers of a multiprocessor

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

Grid grid_of(int multiprocessors) {
  const int all = attribute(cudaDevAttrMultiProcessorCount), taken = multiprocessors == 0 ? all : multiprocessors;
  const int shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(&keep_busy), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared_bytes),
        "cudaFuncSetAttribute");
  return {.blocks = static_cast<unsigned>(std::min(all, taken)),
          .threads = threads,
          .shared_bytes = static_cast<std::size_t>(shared_bytes)};
}

}  // namespace

BusyKernel::BusyKernel(int multiprocessors) : grid_(grid_of(multiprocessors)) {}

/// Polls and yields, so that a rank which waits leaves its CPU to the threads of the library.
void BusyKernel::wait() const {
  while (!stream_.passed()) std::this_thread::yield();
}

void BusyKernel::run(int steps) {
  launch(keep_busy, grid_, stream_, static_cast<std::uint32_t>(steps), sink_.data());
  wait();
}

/// Device time of one launch, seconds.
double BusyKernel::time(int steps) {
  begin_.record(stream_);
  launch(keep_busy, grid_, stream_, static_cast<std::uint32_t>(steps), sink_.data());
  end_.record(stream_);
  wait();
  return seconds_between(begin_, end_);
}

/// A launch has a fixed cost, so the speed is that between a short and a long one.
void BusyKernel::set(double seconds) {
  constexpr int few = 5'000, many = 4 * few;
  std::array<double, 3> a_step_s{};
  for (double& s : a_step_s) s = (time(many) - time(few)) / (many - few);
  const auto middle = a_step_s.begin() + a_step_s.size() / 2;
  std::ranges::nth_element(a_step_s, middle);
  constexpr double most = std::numeric_limits<int>::max();
  steps_ = *middle > 0 ? static_cast<int>(std::clamp(seconds / *middle, 1.0, most)) : many;
}

}  // namespace busbar::cuda
