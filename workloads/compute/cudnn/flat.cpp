// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/flat.hpp"

#include "core/cuda/launch.hpp"

namespace busbar::gpu {

template <class From, class To>
void convert(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor, const cuda::Stream& on) {
  cuda::launch(convert_each<From, To>, cuda::grid_over((end - begin) / 8), on, from, to, begin, end, factor);
}

template <class T>
void add(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on) {
  cuda::launch(add_each<T>, cuda::grid_over((end - begin) / 8), on, a, b, to, begin, end);
}

template <class T>
void add_relu_forward(const T* a, const T* b, T* y, std::uint64_t elements, const cuda::Stream& on) {
  cuda::launch(add_relu_each<T>, cuda::grid_over(elements / 8), on, a, b, y, elements);
}

template <class T>
void add_relu_backward(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements, const cuda::Stream& on) {
  cuda::launch(mask_each<T>, cuda::grid_over(elements / 8), on, y, dy, dy2, dx, elements);
}

template void convert(const float*, float*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const float*, __half*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const __half*, float*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const __half*, __half*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const float*, __nv_bfloat16*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const __nv_bfloat16*, float*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void convert(const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t, std::uint64_t, float, const cuda::Stream&);
template void add(const float*, const float*, float*, std::uint64_t, std::uint64_t, const cuda::Stream&);
template void add(const __half*, const __half*, __half*, std::uint64_t, std::uint64_t, const cuda::Stream&);
template void add(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t, std::uint64_t,
                  const cuda::Stream&);
template void add_relu_forward(const __half*, const __half*, __half*, std::uint64_t, const cuda::Stream&);
template void add_relu_backward(const __half*, const __half*, const __half*, __half*, std::uint64_t,
                                const cuda::Stream&);
template void add_relu_forward(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, std::uint64_t,
                               const cuda::Stream&);
template void add_relu_backward(const __nv_bfloat16*, const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*,
                                std::uint64_t, const cuda::Stream&);

}  // namespace busbar::gpu
