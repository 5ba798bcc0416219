// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/columns.hpp"

/// Pooling on the device. V: channels that a thread handles at a time. Kernels take any grid size.
namespace busbar::gpu {

/// Square windows over NHWC images; padding never contributes. kernel * kernel <= 256, pad < kernel.
struct Windows {
  std::uint32_t images = 0, channels = 0;
  std::uint32_t in_height = 0, in_width = 0, out_height = 0, out_width = 0;
  std::uint32_t kernel = 1, stride = 1, pad = 0;
};

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

/// y: maximum of each window; place: its position in the window, row * kernel + column, the first if equal. NaN is
/// greater than any number. place is [images, out_height, out_width, channels]. Moves x, y and place once if
/// overlapping windows hit the cache.
template <class T>
void max_pool_forward(const Windows& w, const T* x, T* y, std::uint8_t* place, const cuda::Stream& on) {
  const auto pixels = static_cast<std::uint64_t>(w.out_height) * w.out_width;
  cuda::launch(vector_of(w.channels) == 8 ? greatest_of_windows<T, 8> : greatest_of_windows<T, 1>,
               grid_of_pixels(w.images, pixels, w.channels), on, w, x, y, place);
}

/// dx: each pixel gathers from the windows that cover it. dy2: optional second summand of dy. Moves dx once, and dy,
/// dy2 and place once if neighbours hit the cache.
template <class T>
void max_pool_backward(const Windows& w, const T* dy, const T* dy2, const std::uint8_t* place, T* dx,
                       const cuda::Stream& on) {
  const auto pixels = static_cast<std::uint64_t>(w.in_height) * w.in_width;
  cuda::launch(vector_of(w.channels) == 8 ? gather_from_windows<T, 8> : gather_from_windows<T, 1>,
               grid_of_pixels(w.images, pixels, w.channels), on, w, dy, dy2, place, dx);
}

/// y [images, channels]: mean of x [images, pixels, channels] over pixels. Moves each once.
template <class T>
void average_pool_forward(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                          const cuda::Stream& on) {
  cuda::launch(vector_of(channels) == 8 ? mean_of_pixels<T, 8> : mean_of_pixels<T, 1>,
               grid_of_pixels(images, 1, channels), on, x, y, images, pixels, channels);
}

/// dx [images, pixels, channels] = dy / pixels. Moves each once.
template <class T>
void average_pool_backward(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                           const cuda::Stream& on) {
  cuda::launch(vector_of(channels) == 8 ? spread_to_pixels<T, 8> : spread_to_pixels<T, 1>,
               grid_of_pixels(images, pixels, channels), on, dy, dx, images, pixels, channels);
}

}  // namespace busbar::gpu
