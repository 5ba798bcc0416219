// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "core/cuda/launch.hpp"

/// Known values for verifying an exchange, and reductions over a whole array. Kernels take any grid size.
namespace busbar::gpu {

template <class T>
__global__ void write_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank,
                            std::uint32_t ranks);
template <class T>
__global__ void compare_known(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                              unsigned long long* first);
/// Adds the hashes to *hash.
__global__ void add_hashes(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash);
/// Adds the number of infinite and NaN values to *count.
template <class T>
__global__ void add_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count);

/// Fills the input of rank `rank` of `ranks` for an exchange with a known sum: 1 + i % 7 if i % ranks == rank, else 0,
/// for i in [begin, end). Exact in any type. T may also be float.
template <class T>
void fill_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank, std::uint32_t ranks,
                const cuda::Stream& on) {
  cuda::launch(write_known<T>, cuda::grid_over(end - begin), on, gradients, begin, end, rank, ranks);
}

/// Sets *first to the minimum of itself and all i in [begin, end) with gradients[i] != T((1 + i % 7) * factor). T may
/// also be float. The caller first sets *first to the maximum value.
template <class T>
void find_unexpected(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                     unsigned long long* first, const cuda::Stream& on) {
  cuda::launch(compare_known<T>, cuda::grid_over(end - begin), on, gradients, begin, end, factor, first);
}

/// Hashes the bits and positions of weights [begin, end). Equal weights have equal hashes; different weights almost
/// surely do not. *hash is the sum modulo 2^64 of mix(i * 0x9e3779b97f4a7c15 + bits), with mix the finaliser of
/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), so that
/// the order of adding does not matter. i counts from the start of the array, so hashes of parts add up to the hash of
/// the whole. Differs from hash_of() of workloads/networks/optimiser.hpp, which is sequential.
inline void hash_weights(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash,
                         const cuda::Stream& on) {
  cuda::check(cudaMemsetAsync(hash, 0, sizeof *hash, on.handle()), "cudaMemsetAsync");
  cuda::launch(add_hashes, cuda::grid_over(end - begin), on, weights, begin, end, hash);
}

/// *count: number of infinite or NaN values in [begin, end). T may also be float. Moves each once.
template <class T>
void count_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count,
                      const cuda::Stream& on) {
  cuda::check(cudaMemsetAsync(count, 0, sizeof *count, on.handle()), "cudaMemsetAsync");
  cuda::launch(add_not_finite<T>, cuda::grid_over((end - begin) / 8), on, values, begin, end, count);
}

}  // namespace busbar::gpu
