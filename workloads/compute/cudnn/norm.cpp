// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/norm.hpp"

namespace busbar::gpu {
namespace {

template <class T>
using Backward = void (*)(NormBackward<T>, Columns);

template <class T, Mask mask>
Backward<T> sums_of(bool vectors) {
  return vectors ? norm_sums<T, 8, mask> : norm_sums<T, 1, mask>;
}
template <class T, Mask mask>
Backward<T> gradient_of(bool vectors) {
  return vectors ? norm_gradient<T, 8, mask> : norm_gradient<T, 1, mask>;
}

}  // namespace

template <class T>
void norm_forward(const NormForward<T>& call, const cuda::Stream& on) {
  const bool vectors = vector_of(call.channels) == 8;
  const Columns sums = columns_to_sum(call.rows, call.channels),
                map = columns_to_map(call.rows, call.channels, apply_blocks);
  cuda::launch(vectors ? norm_statistics<T, 8> : norm_statistics<T, 1>, grid_of(sums, sum_threads), on, call, sums);
  cuda::launch(vectors ? norm_apply<T, 8> : norm_apply<T, 1>, grid_of(map, map_threads), on, call, map);
}

template <class T>
void norm_backward(const NormBackward<T>& call, const cuda::Stream& on) {
  const bool vectors = vector_of(call.channels) == 8, residual = call.dresidual != nullptr;
  const Columns sums = columns_to_sum(call.rows, call.channels),
                map = columns_to_map(call.rows, call.channels, gradient_blocks);
  const Backward<T> first = !call.relu                            ? sums_of<T, Mask::none>(vectors)
                            : !residual                           ? sums_of<T, Mask::from_x>(vectors)
                            : vectors && call.positive != nullptr ? norm_sums<T, 8, Mask::from_bits>
                                                                  : sums_of<T, Mask::from_y>(vectors);
  cuda::launch(first, grid_of(sums, sum_threads), on, call, sums);

  NormBackward<T> rest = call;
  if (residual) {
    rest.dy = call.dresidual;
    rest.dy2 = nullptr;
  }
  const bool masked = residual || !call.relu;
  cuda::launch(masked ? gradient_of<T, Mask::none>(vectors) : gradient_of<T, Mask::from_x>(vectors),
               grid_of(map, map_threads), on, rest, map);
}

template <class T>
void column_sums(const T* x, std::uint64_t rows, std::uint32_t channels, float* sums, void* scratch,
                 const cuda::Stream& on) {
  const Columns columns = columns_to_sum(rows, channels);
  cuda::launch(vector_of(channels) == 8 ? sum_columns<T, 8> : sum_columns<T, 1>, grid_of(columns, sum_threads), on, x,
               columns, sums, scratch);
}

template void norm_forward(const NormForward<__half>&, const cuda::Stream&);
template void norm_forward(const NormForward<__nv_bfloat16>&, const cuda::Stream&);
template void norm_backward(const NormBackward<__half>&, const cuda::Stream&);
template void norm_backward(const NormBackward<__nv_bfloat16>&, const cuda::Stream&);
template void column_sums(const __half*, std::uint64_t, std::uint32_t, float*, void*, const cuda::Stream&);
template void column_sums(const __nv_bfloat16*, std::uint64_t, std::uint32_t, float*, void*, const cuda::Stream&);

}  // namespace busbar::gpu
