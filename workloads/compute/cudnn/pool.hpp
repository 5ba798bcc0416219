// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

/// Pooling on the device. V: channels that a thread handles at a time. Any grid size.
namespace busbar::gpu {

template <class T, unsigned V>
__global__ void greatest_of_windows(Windows windows, const T* x, T* y, std::uint8_t* place);
/// Each pixel of dx gathers from the windows that cover it.
template <class T, unsigned V>
__global__ void gather_from_windows(Windows windows, const T* dy, const T* dy2, const std::uint8_t* place, T* dx);
template <class T, unsigned V>
__global__ void mean_of_pixels(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels);
template <class T, unsigned V>
__global__ void spread_to_pixels(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels,
                                 std::uint32_t channels);

}  // namespace busbar::gpu
