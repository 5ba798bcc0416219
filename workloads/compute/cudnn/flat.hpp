// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

/// Elementwise kernels over elements [begin, end) of flat arrays. Any grid size, with 256 threads per block.
namespace busbar::gpu {

template <class From, class To>
__global__ void convert_each(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor);
template <class T>
__global__ void add_each(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end);
template <class T>
__global__ void add_relu_each(const T* a, const T* b, T* y, std::uint64_t elements);
template <class T>
__global__ void mask_each(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements);

}  // namespace busbar::gpu
