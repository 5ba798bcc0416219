// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/pool.hpp"

#include <limits>

#include "core/base/error.hpp"
#include "core/cuda/launch.hpp"
#include "workloads/compute/cudnn/columns.hpp"

namespace busbar::gpu {
namespace {

/// One thread per vector of channels. Kernels use 32-bit indices, since 64-bit divisions would cost more than the
/// memory traffic.
cuda::Grid grid_for(std::uint64_t images, std::uint64_t pixels, std::uint32_t channels) {
  const std::uint64_t items = images * pixels * (channels / static_cast<std::uint32_t>(vector_of(channels)));
  if (items > std::numeric_limits<std::uint32_t>::max())
    throw Error("a pooling layer has more than 2^32 vectors of channels; a smaller batch has fewer");
  return cuda::grid_over(items);
}

}  // namespace

template <class T>
void max_pool_forward(const Windows& w, const T* x, T* y, std::uint8_t* place, const cuda::Stream& on) {
  const auto pixels = static_cast<std::uint64_t>(w.out_height) * w.out_width;
  cuda::launch(vector_of(w.channels) == 8 ? greatest_of_windows<T, 8> : greatest_of_windows<T, 1>,
               grid_for(w.images, pixels, w.channels), on, w, x, y, place);
}

template <class T>
void max_pool_backward(const Windows& w, const T* dy, const T* dy2, const std::uint8_t* place, T* dx,
                       const cuda::Stream& on) {
  const auto pixels = static_cast<std::uint64_t>(w.in_height) * w.in_width;
  cuda::launch(vector_of(w.channels) == 8 ? gather_from_windows<T, 8> : gather_from_windows<T, 1>,
               grid_for(w.images, pixels, w.channels), on, w, dy, dy2, place, dx);
}

template <class T>
void average_pool_forward(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                          const cuda::Stream& on) {
  cuda::launch(vector_of(channels) == 8 ? mean_of_pixels<T, 8> : mean_of_pixels<T, 1>, grid_for(images, 1, channels),
               on, x, y, images, pixels, channels);
}

template <class T>
void average_pool_backward(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                           const cuda::Stream& on) {
  cuda::launch(vector_of(channels) == 8 ? spread_to_pixels<T, 8> : spread_to_pixels<T, 1>,
               grid_for(images, pixels, channels), on, dy, dx, images, pixels, channels);
}

template void max_pool_forward(const Windows&, const __half*, __half*, std::uint8_t*, const cuda::Stream&);
template void max_pool_backward(const Windows&, const __half*, const __half*, const std::uint8_t*, __half*,
                                const cuda::Stream&);
template void average_pool_forward(const __half*, __half*, std::uint32_t, std::uint32_t, std::uint32_t,
                                   const cuda::Stream&);
template void average_pool_backward(const __half*, __half*, std::uint32_t, std::uint32_t, std::uint32_t,
                                    const cuda::Stream&);
template void max_pool_forward(const Windows&, const __nv_bfloat16*, __nv_bfloat16*, std::uint8_t*,
                               const cuda::Stream&);
template void max_pool_backward(const Windows&, const __nv_bfloat16*, const __nv_bfloat16*, const std::uint8_t*,
                                __nv_bfloat16*, const cuda::Stream&);
template void average_pool_forward(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t, std::uint32_t, std::uint32_t,
                                   const cuda::Stream&);
template void average_pool_backward(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t, std::uint32_t, std::uint32_t,
                                    const cuda::Stream&);

}  // namespace busbar::gpu
