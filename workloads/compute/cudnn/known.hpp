// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

/// Known values for verifying an exchange, and reductions over a whole array. Any grid size.
namespace busbar::gpu {

template <class T>
__global__ void write_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank,
                            std::uint32_t ranks);
/// Sets *first to the minimum of itself and the mismatching indices.
template <class T>
__global__ void compare_known(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                              unsigned long long* first);
/// Adds the hashes to *hash.
__global__ void add_hashes(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash);
/// Adds the number of infinite and NaN values to *count.
template <class T>
__global__ void add_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count);

}  // namespace busbar::gpu
