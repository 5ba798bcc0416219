// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "core/cuda/pattern_kernels.hpp"
#include "core/cuda/threads.hpp"

namespace busbar::cuda {
namespace {

/// Position in a periodic table, advanced in constant steps: divides only at the start.
struct Walk {
  std::uint32_t at, step, period;
  __device__ Walk(std::uint64_t first, std::uint64_t by, std::uint32_t length)
      : at(static_cast<std::uint32_t>(first % length)), step(static_cast<std::uint32_t>(by % length)), period(length) {}
  __device__ void advance() {
    at += step;
    if (at >= period) at -= period;
  }
};

template <class T>
__device__ T quotient(T value, int divisor) {
  if constexpr (std::is_same_v<T, double> || std::is_integral_v<T>)
    return value / static_cast<T>(divisor);
  else
    return T(static_cast<float>(value) / static_cast<float>(divisor));
}

}  // namespace

template <class Word>
__global__ void fill_periodic(Word* to, std::uint64_t count, const Word* table, std::uint32_t period,
                              std::uint32_t start) {
  const std::uint64_t first = first_item(), step = items_a_step();
  Walk walk(start + first, step, period);
  for (std::uint64_t i = first; i < count; i += step, walk.advance()) to[i] = table[walk.at];
}

template <class Word>
__global__ void fill_strided(Word* to, std::uint64_t count, std::uint64_t every, std::uint64_t from, Word value) {
  const std::uint64_t step = items_a_step() * every;
  for (std::uint64_t i = from + first_item() * every; i < count; i += step) to[i] = value;
}

template <class Word>
__global__ void find_difference(const Word* in, std::uint64_t count, std::uint64_t every, const Word* table,
                                std::uint32_t period, std::uint32_t start, unsigned long long* first) {
  const std::uint64_t begin = first_item() * every, step = items_a_step() * every;
  Walk walk(start + begin, step, period);
  for (std::uint64_t i = begin; i < count; i += step, walk.advance()) {
    if (in[i] == table[walk.at]) continue;
    atomicMin(first, static_cast<unsigned long long>(i));
    return;  // later differences of this thread have larger indices
  }
}

template <class T>
__global__ void divide_by(T* values, std::uint64_t count, int divisor) {
  for (std::uint64_t i = first_item(); i < count; i += items_a_step()) values[i] = quotient(values[i], divisor);
}

template __global__ void fill_periodic(std::uint8_t*, std::uint64_t, const std::uint8_t*, std::uint32_t, std::uint32_t);
template __global__ void fill_strided(std::uint8_t*, std::uint64_t, std::uint64_t, std::uint64_t, std::uint8_t);
template __global__ void find_difference(const std::uint8_t*, std::uint64_t, std::uint64_t, const std::uint8_t*,
                                         std::uint32_t, std::uint32_t, unsigned long long*);
template __global__ void fill_periodic(std::uint16_t*, std::uint64_t, const std::uint16_t*, std::uint32_t,
                                       std::uint32_t);
template __global__ void fill_strided(std::uint16_t*, std::uint64_t, std::uint64_t, std::uint64_t, std::uint16_t);
template __global__ void find_difference(const std::uint16_t*, std::uint64_t, std::uint64_t, const std::uint16_t*,
                                         std::uint32_t, std::uint32_t, unsigned long long*);
template __global__ void fill_periodic(std::uint32_t*, std::uint64_t, const std::uint32_t*, std::uint32_t,
                                       std::uint32_t);
template __global__ void fill_strided(std::uint32_t*, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t);
template __global__ void find_difference(const std::uint32_t*, std::uint64_t, std::uint64_t, const std::uint32_t*,
                                         std::uint32_t, std::uint32_t, unsigned long long*);
template __global__ void fill_periodic(std::uint64_t*, std::uint64_t, const std::uint64_t*, std::uint32_t,
                                       std::uint32_t);
template __global__ void fill_strided(std::uint64_t*, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
template __global__ void find_difference(const std::uint64_t*, std::uint64_t, std::uint64_t, const std::uint64_t*,
                                         std::uint32_t, std::uint32_t, unsigned long long*);

template __global__ void divide_by(std::int8_t*, std::uint64_t, int);
template __global__ void divide_by(std::int32_t*, std::uint64_t, int);
template __global__ void divide_by(std::int64_t*, std::uint64_t, int);
template __global__ void divide_by(std::uint8_t*, std::uint64_t, int);
template __global__ void divide_by(std::uint32_t*, std::uint64_t, int);
template __global__ void divide_by(std::uint64_t*, std::uint64_t, int);
template __global__ void divide_by(__half*, std::uint64_t, int);
template __global__ void divide_by(__nv_bfloat16*, std::uint64_t, int);
template __global__ void divide_by(__nv_fp8_e4m3*, std::uint64_t, int);
template __global__ void divide_by(__nv_fp8_e5m2*, std::uint64_t, int);
template __global__ void divide_by(float*, std::uint64_t, int);
template __global__ void divide_by(double*, std::uint64_t, int);

}  // namespace busbar::cuda
