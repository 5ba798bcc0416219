// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/known.hpp"
#include "workloads/compute/cudnn/packed.hpp"

namespace busbar::gpu {
namespace {

__device__ float known_sum(std::uint64_t i) { return static_cast<float>(1 + i % 7); }

/// Finaliser of SplitMix64.
__device__ std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

template <class T>
__global__ void write_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank,
                            std::uint32_t ranks) {
  for (std::uint64_t i = begin + first_item(); i < end; i += items_a_step())
    gradients[i] = from_float<T>(i % ranks == rank ? known_sum(i) : 0.0F);
}

template <class T>
__global__ void compare_known(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                              unsigned long long* first) {
  for (std::uint64_t i = begin + first_item(); i < end; i += items_a_step()) {
    if (to_float(gradients[i]) == rounded<T>(known_sum(i) * factor)) continue;
    atomicMin(first, static_cast<unsigned long long>(i));
    return;  // later mismatches of this thread have larger indices
  }
}

__global__ void add_hashes(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = begin + first_item(); i < end; i += items_a_step()) {
    std::uint32_t bits = 0;
    memcpy(&bits, weights + i, sizeof bits);
    sum += mix(i * 0x9e3779b97f4a7c15U + bits);
  }
  if (sum != 0) atomicAdd(hash, static_cast<unsigned long long>(sum));
}

template <class T>
__global__ void add_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count) {
  unsigned found = 0;
  over_range(begin, end, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float v[V];
    load(values + i, v);
    for (unsigned k = 0; k < V; ++k) found += isfinite(v[k]) ? 0U : 1U;
  });
  if (found != 0) atomicAdd(count, static_cast<unsigned long long>(found));
}

template __global__ void write_known(float*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t);
template __global__ void compare_known(const float*, std::uint64_t, std::uint64_t, float, unsigned long long*);
template __global__ void add_not_finite(const float*, std::uint64_t, std::uint64_t, unsigned long long*);
template __global__ void write_known(__half*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t);
template __global__ void compare_known(const __half*, std::uint64_t, std::uint64_t, float, unsigned long long*);
template __global__ void add_not_finite(const __half*, std::uint64_t, std::uint64_t, unsigned long long*);
template __global__ void write_known(__nv_bfloat16*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t);
template __global__ void compare_known(const __nv_bfloat16*, std::uint64_t, std::uint64_t, float, unsigned long long*);
template __global__ void add_not_finite(const __nv_bfloat16*, std::uint64_t, std::uint64_t, unsigned long long*);

}  // namespace busbar::gpu
