// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/flat.hpp"
#include "workloads/compute/cudnn/packed.hpp"

namespace busbar::gpu {

template <class From, class To>
__global__ void convert_each(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor) {
  over_range(begin, end, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float v[V];
    load(from + i, v);
    for (unsigned k = 0; k < V; ++k) v[k] *= factor;
    store(to + i, v);
  });
}

template <class T>
__global__ void add_each(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end) {
  over_range(begin, end, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float v[V], more[V];
    load(a + i, v);
    load(b + i, more);
    for (unsigned k = 0; k < V; ++k) v[k] += more[k];
    store(to + i, v);
  });
}

template <class T>
__global__ void add_relu_each(const T* a, const T* b, T* y, std::uint64_t elements) {
  over_range(0, elements, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float v[V], more[V];
    load(a + i, v);
    load(b + i, more);
    for (unsigned k = 0; k < V; ++k) v[k] = relu_of(v[k] + more[k]);
    store(y + i, v);
  });
}

template <class T>
__global__ void mask_each(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements) {
  over_range(0, elements, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float sign[V], g[V], more[V];
    load(y + i, sign);
    load(dy + i, g);
    if (dy2 != nullptr) {
      load(dy2 + i, more);
      for (unsigned k = 0; k < V; ++k) g[k] += more[k];
    }
    for (unsigned k = 0; k < V; ++k) g[k] = sign[k] > 0 ? g[k] : 0.0F;
    store(dx + i, g);
  });
}

template __global__ void convert_each(const float*, float*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const float*, __half*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const __half*, float*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const __half*, __half*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const float*, __nv_bfloat16*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const __nv_bfloat16*, float*, std::uint64_t, std::uint64_t, float);
template __global__ void convert_each(const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t, std::uint64_t, float);
template __global__ void add_each(const float*, const float*, float*, std::uint64_t, std::uint64_t);
template __global__ void add_each(const __half*, const __half*, __half*, std::uint64_t, std::uint64_t);
template __global__ void add_each(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t,
                                  std::uint64_t);
template __global__ void add_relu_each(const __half*, const __half*, __half*, std::uint64_t);
template __global__ void mask_each(const __half*, const __half*, const __half*, __half*, std::uint64_t);
template __global__ void add_relu_each(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t);
template __global__ void mask_each(const __nv_bfloat16*, const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*,
                                   std::uint64_t);

}  // namespace busbar::gpu
