// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/packed.hpp"
#include "workloads/compute/cudnn/pool.hpp"

namespace busbar::gpu {
namespace {

/// One vector of channels of a pixel.
struct Pixel {
  std::uint32_t image, row, column, channel;
  __device__ Pixel(std::uint32_t item, std::uint32_t height, std::uint32_t width, std::uint32_t vectors, unsigned V)
      : channel(item % vectors * V) {
    item /= vectors;
    column = item % width;
    item /= width;
    row = item % height;
    image = item / height;
  }
};

__device__ std::uint64_t offset_of(std::uint32_t image, std::uint32_t row, std::uint32_t column, std::uint32_t height,
                                   std::uint32_t width, std::uint32_t channels) {
  return ((static_cast<std::uint64_t>(image) * height + row) * width + column) * channels;
}

/// The part of a window of size `kernel` that lies inside [0, size). `first` may be negative.
struct Inside {
  int begin, end;
  __device__ Inside(int first, std::uint32_t kernel, std::uint32_t size)
      : begin(first < 0 ? -first : 0), end(static_cast<int>(size) - first) {
    if (end > static_cast<int>(kernel)) end = static_cast<int>(kernel);
  }
};

/// Range of windows that cover a pixel, along one axis.
struct Covering {
  std::uint32_t begin, end;
  __device__ Covering(std::uint32_t at, const Windows& w, std::uint32_t windows) {
    const std::uint32_t padded = at + w.pad;
    begin = padded < w.kernel ? 0 : (padded - w.kernel) / w.stride + 1;
    end = padded / w.stride + 1;
    if (end > windows) end = windows;
  }
};

template <unsigned V>
__device__ void bytes_of(const Packed<std::uint8_t, V>& packed, std::uint8_t (&to)[V]) {
  memcpy(to, &packed, V);
}

}  // namespace

template <class T, unsigned V>
__global__ void greatest_of_windows(Windows w, const T* x, T* y, std::uint8_t* place) {
  const std::uint32_t vectors = w.channels / V;
  const std::uint64_t items = static_cast<std::uint64_t>(w.images) * w.out_height * w.out_width * vectors;
  for (std::uint64_t item = first_item(); item < items; item += items_a_step()) {
    const Pixel at(static_cast<std::uint32_t>(item), w.out_height, w.out_width, vectors, V);
    const int top = static_cast<int>(at.row * w.stride) - static_cast<int>(w.pad);
    const int left = static_cast<int>(at.column * w.stride) - static_cast<int>(w.pad);
    const Inside rows(top, w.kernel, w.in_height), columns(left, w.kernel, w.in_width);
    float most[V];
    std::uint8_t where[V];
    for (unsigned k = 0; k < V; ++k) {
      most[k] = -INFINITY;
      where[k] = static_cast<std::uint8_t>(rows.begin * static_cast<int>(w.kernel) + columns.begin);
    }
    for (int i = rows.begin; i < rows.end; ++i)
      for (int j = columns.begin; j < columns.end; ++j) {
        float v[V];
        load(x + at.channel +
                 offset_of(at.image, static_cast<std::uint32_t>(top + i), static_cast<std::uint32_t>(left + j),
                           w.in_height, w.in_width, w.channels),
             v);
        const auto here = static_cast<std::uint8_t>(i * static_cast<int>(w.kernel) + j);
        for (unsigned k = 0; k < V; ++k)
          if (v[k] > most[k] || isnan(v[k])) {
            most[k] = v[k];
            where[k] = here;
          }
      }
    const std::uint64_t to = item * V;
    store(y + to, most);
    Packed<std::uint8_t, V> packed;
    memcpy(&packed, where, V);
    put<V>(place + to, packed);
  }
}

template <class T, unsigned V>
__global__ void gather_from_windows(Windows w, const T* dy, const T* dy2, const std::uint8_t* place, T* dx) {
  const std::uint32_t vectors = w.channels / V;
  const std::uint64_t items = static_cast<std::uint64_t>(w.images) * w.in_height * w.in_width * vectors;
  for (std::uint64_t item = first_item(); item < items; item += items_a_step()) {
    const Pixel at(static_cast<std::uint32_t>(item), w.in_height, w.in_width, vectors, V);
    const Covering rows(at.row, w, w.out_height), columns(at.column, w, w.out_width);
    float sum[V];
    for (unsigned k = 0; k < V; ++k) sum[k] = 0;
    for (std::uint32_t i = rows.begin; i < rows.end; ++i)
      for (std::uint32_t j = columns.begin; j < columns.end; ++j) {
        const std::uint64_t from = offset_of(at.image, i, j, w.out_height, w.out_width, w.channels) + at.channel;
        const auto here =
            static_cast<std::uint8_t>((at.row + w.pad - i * w.stride) * w.kernel + (at.column + w.pad - j * w.stride));
        std::uint8_t where[V];
        bytes_of(fetch<V>(place + from), where);
        float g[V];
        load(dy + from, g);
        if (dy2 != nullptr) {
          float more[V];
          load(dy2 + from, more);
          for (unsigned k = 0; k < V; ++k) g[k] += more[k];
        }
        for (unsigned k = 0; k < V; ++k) sum[k] += where[k] == here ? g[k] : 0.0F;
      }
    store(dx + item * V, sum);
  }
}

template <class T, unsigned V>
__global__ void mean_of_pixels(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels) {
  const std::uint32_t vectors = channels / V;
  const std::uint64_t items = static_cast<std::uint64_t>(images) * vectors;
  for (std::uint64_t item = first_item(); item < items; item += items_a_step()) {
    const T* const from = x + item / vectors * pixels * channels + item % vectors * V;
    float sum[V];
    for (unsigned k = 0; k < V; ++k) sum[k] = 0;
    for (std::uint32_t p = 0; p < pixels; ++p) {
      float v[V];
      load(from + static_cast<std::uint64_t>(p) * channels, v);
      for (unsigned k = 0; k < V; ++k) sum[k] += v[k];
    }
    for (unsigned k = 0; k < V; ++k) sum[k] /= static_cast<float>(pixels);
    store(y + item * V, sum);
  }
}

template <class T, unsigned V>
__global__ void spread_to_pixels(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels,
                                 std::uint32_t channels) {
  const std::uint32_t vectors = channels / V;
  const std::uint64_t items = static_cast<std::uint64_t>(images) * pixels * vectors;
  for (std::uint64_t item = first_item(); item < items; item += items_a_step()) {
    const auto i = static_cast<std::uint32_t>(item);
    float g[V];
    load(dy + static_cast<std::uint64_t>(i / vectors / pixels) * channels + i % vectors * V, g);
    for (unsigned k = 0; k < V; ++k) g[k] /= static_cast<float>(pixels);
    store(dx + item * V, g);
  }
}

template __global__ void greatest_of_windows<__half, 1>(Windows, const __half*, __half*, std::uint8_t*);
template __global__ void gather_from_windows<__half, 1>(Windows, const __half*, const __half*, const std::uint8_t*,
                                                        __half*);
template __global__ void mean_of_pixels<__half, 1>(const __half*, __half*, std::uint32_t, std::uint32_t, std::uint32_t);
template __global__ void spread_to_pixels<__half, 1>(const __half*, __half*, std::uint32_t, std::uint32_t,
                                                     std::uint32_t);
template __global__ void greatest_of_windows<__half, 8>(Windows, const __half*, __half*, std::uint8_t*);
template __global__ void gather_from_windows<__half, 8>(Windows, const __half*, const __half*, const std::uint8_t*,
                                                        __half*);
template __global__ void mean_of_pixels<__half, 8>(const __half*, __half*, std::uint32_t, std::uint32_t, std::uint32_t);
template __global__ void spread_to_pixels<__half, 8>(const __half*, __half*, std::uint32_t, std::uint32_t,
                                                     std::uint32_t);
template __global__ void greatest_of_windows<__nv_bfloat16, 1>(Windows, const __nv_bfloat16*, __nv_bfloat16*,
                                                               std::uint8_t*);
template __global__ void gather_from_windows<__nv_bfloat16, 1>(Windows, const __nv_bfloat16*, const __nv_bfloat16*,
                                                               const std::uint8_t*, __nv_bfloat16*);
template __global__ void mean_of_pixels<__nv_bfloat16, 1>(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t,
                                                          std::uint32_t, std::uint32_t);
template __global__ void spread_to_pixels<__nv_bfloat16, 1>(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t,
                                                            std::uint32_t, std::uint32_t);
template __global__ void greatest_of_windows<__nv_bfloat16, 8>(Windows, const __nv_bfloat16*, __nv_bfloat16*,
                                                               std::uint8_t*);
template __global__ void gather_from_windows<__nv_bfloat16, 8>(Windows, const __nv_bfloat16*, const __nv_bfloat16*,
                                                               const std::uint8_t*, __nv_bfloat16*);
template __global__ void mean_of_pixels<__nv_bfloat16, 8>(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t,
                                                          std::uint32_t, std::uint32_t);
template __global__ void spread_to_pixels<__nv_bfloat16, 8>(const __nv_bfloat16*, __nv_bfloat16*, std::uint32_t,
                                                            std::uint32_t, std::uint32_t);

}  // namespace busbar::gpu
