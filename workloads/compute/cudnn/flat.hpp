// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "core/cuda/launch.hpp"

/// Elementwise work on elements [begin, end) of flat arrays. Kernels take any grid size, with 256 threads per block.
namespace busbar::gpu {

template <class From, class To>
__global__ void convert_each(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor);
template <class T>
__global__ void add_each(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end);
template <class T>
__global__ void add_relu_each(const T* a, const T* b, T* y, std::uint64_t elements);
template <class T>
__global__ void mask_each(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements);

/// to[i] = from[i] * factor for i in [begin, end), computed in fp32 and rounded once. From, To: float or T (one T).
/// `to` may alias `from` if the types are the same. Moves each once.
template <class From, class To>
void convert(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor, const cuda::Stream& on) {
  cuda::launch(convert_each<From, To>, cuda::grid_over((end - begin) / 8), on, from, to, begin, end, factor);
}

/// to[i] = a[i] + b[i] for i in [begin, end), computed in fp32 and rounded once. T may also be float. `to` may alias a
/// or b.
template <class T>
void add(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on) {
  cuda::launch(add_each<T>, cuda::grid_over((end - begin) / 8), on, a, b, to, begin, end);
}

/// y = relu(a + b). Moves each once. y may alias a or b.
template <class T>
void add_relu_forward(const T* a, const T* b, T* y, std::uint64_t elements, const cuda::Stream& on) {
  cuda::launch(add_relu_each<T>, cuda::grid_over(elements / 8), on, a, b, y, elements);
}

/// dx = y > 0 ? dy + dy2 : 0, the gradient of both summands. dy2 is optional. Moves each once. dx may alias dy or dy2.
template <class T>
void add_relu_backward(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements, const cuda::Stream& on) {
  cuda::launch(mask_each<T>, cuda::grid_over(elements / 8), on, y, dy, dy2, dx, elements);
}

}  // namespace busbar::gpu
