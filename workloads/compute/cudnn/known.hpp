// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

/// Values of an exchange that are known, and facts of a whole array. Grids may be of any size.
namespace busbar::gpu {

template <class T>
__global__ void write_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank,
                            std::uint32_t ranks);
/// Sets *first to the least of itself and what is found.
template <class T>
__global__ void compare_known(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                              unsigned long long* first);
/// Adds to *hash.
__global__ void add_hashes(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash);
/// Adds to *count.
template <class T>
__global__ void add_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count);

}  // namespace busbar::gpu
