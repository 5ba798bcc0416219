// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/columns.hpp"

/// Batch norm on the device. V: elements that a thread moves at a time. Grids follow `columns`.
namespace busbar::gpu {

/// Batch norm's epsilon and the momentum of running statistics: the defaults of torchvision and torch.
inline constexpr float norm_epsilon = 1e-5F, norm_momentum = 0.1F;

/// y = relu?(scale * (x - mean) / sqrt(variance + epsilon) + shift (+ residual)), with this batch's mean and biased
/// variance.
template <class T>
struct NormForward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* residual = nullptr;  ///< optional, [rows, channels]: other summand of the fused add layer
  bool relu = false;            ///< applied last
  const float *scale = nullptr, *shift = nullptr;
  /// Optional: sums of x and of x * x over the rows, one per channel, as the convolution that wrote x left them.
  const float *sum = nullptr, *squares = nullptr;
  T* y = nullptr;  ///< may alias x or residual if that is no longer needed
  /// Optional output: whether y > 0, one bit per element: bit c % 8 of byte [row, c / 8]. Requires channels to be a
  /// multiple of 8.
  std::uint8_t* positive = nullptr;
  float *mean = nullptr, *inverse_deviation = nullptr;  ///< outputs, for backward; 1 / sqrt(variance + epsilon)
  /// Optional, updated as in torch: (1 - momentum) * old + momentum * new, with the unbiased variance.
  float *running_mean = nullptr, *running_variance = nullptr;
  void* scratch = nullptr;
};

/// Arguments of the gradient of norm_forward().
template <class T>
struct NormBackward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* y = nullptr;  ///< read only with relu and dresidual; without a residual, the sign of y is recomputed from x
  const std::uint8_t* positive = nullptr;  ///< optional, from forward: replaces y at a sixteenth of its bytes
  const T* dy = nullptr;                   ///< gradient of y
  const T* dy2 = nullptr;                  ///< optional second summand of it, if two layers read y
  bool relu = false;
  const float *scale = nullptr, *shift = nullptr, *mean = nullptr, *inverse_deviation = nullptr;  ///< from forward
  float *dscale = nullptr, *dshift = nullptr;                                                     ///< outputs
  T* dx = nullptr;  ///< output; may alias dy or dy2
  /// Set if and only if forward had a residual: its gradient, dy + dy2 under relu's mask. May alias dy or dy2, not dx.
  T* dresidual = nullptr;
  void* scratch = nullptr;
};

/// How backward finds relu's mask.
enum class Mask {
  none,       ///< no relu
  from_x,     ///< recompute y from x, as in forward
  from_y,     ///< read y
  from_bits,  ///< read forward's sign bits of y; requires V = 8
};

/// Computes mean, inverse deviation and running statistics from x.
template <class T, unsigned V>
__global__ void norm_statistics(NormForward<T> call, Columns columns);
/// Computes y and, if sums are given, all statistics from them.
template <class T, unsigned V>
__global__ void norm_apply(NormForward<T> call, Columns columns);
/// Computes dscale, dshift and, if requested, dresidual.
template <class T, unsigned V, Mask mask>
__global__ void norm_sums(NormBackward<T> call, Columns columns);
/// Computes dx.
template <class T, unsigned V, Mask mask>
__global__ void norm_gradient(NormBackward<T> call, Columns columns);
/// Computes sums[channel] of x.
template <class T, unsigned V>
__global__ void sum_columns(const T* x, Columns columns, float* sums, void* scratch);

/// Moves x twice, y once, and the residual and bits once. Two launches. Sums x minus its first row, and squares of
/// that, so that a large mean does not cancel (T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for Computing the
/// Sample Variance, The American Statistician 37, 1983: "shifted data"). With given sums, moves x once in one launch;
/// a mean of many deviations does cancel then.
template <class T>
void norm_forward(const NormForward<T>& call, const cuda::Stream& on) {
  const bool vectors = vector_of(call.channels) == 8;
  const Columns sums = columns_to_sum(call.rows, call.channels),
                map = columns_to_map(call.rows, call.channels, apply_blocks);
  if (call.sum == nullptr)
    cuda::launch(vectors ? norm_statistics<T, 8> : norm_statistics<T, 1>, grid_of(sums, sum_threads), on, call, sums);
  cuda::launch(vectors ? norm_apply<T, 8> : norm_apply<T, 1>, grid_of(map, map_threads), on, call, map);
}

namespace detail {
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
}  // namespace detail

/// Without a residual: moves x and dy twice, dx once (and dy2 twice). With one: the first pass reads x, y or the bits,
/// dy and dy2, and writes dresidual; the second reads x and dresidual and writes dx. Two launches.
template <class T>
void norm_backward(const NormBackward<T>& call, const cuda::Stream& on) {
  using detail::sums_of, detail::gradient_of;
  const bool vectors = vector_of(call.channels) == 8, residual = call.dresidual != nullptr;
  const Columns sums = columns_to_sum(call.rows, call.channels),
                map = columns_to_map(call.rows, call.channels, gradient_blocks);
  const detail::Backward<T> first = !call.relu                            ? sums_of<T, Mask::none>(vectors)
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

/// sums[c] = sum of x[row, c] over rows; computes bias gradients. Moves x once.
template <class T>
void column_sums(const T* x, std::uint64_t rows, std::uint32_t channels, float* sums, void* scratch,
                 const cuda::Stream& on) {
  const Columns columns = columns_to_sum(rows, channels);
  cuda::launch(vector_of(channels) == 8 ? sum_columns<T, 8> : sum_columns<T, 1>, grid_of(columns, sum_threads), on, x,
               columns, sums, scratch);
}

}  // namespace busbar::gpu
