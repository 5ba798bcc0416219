// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/columns.hpp"
#include "workloads/compute/cudnn/kernels.hpp"

/// Batch norm on the device. V: elements that a thread moves at a time. Grids follow `columns`.
namespace busbar::gpu {

/// How backward finds relu's mask.
enum class Mask {
  none,       ///< no relu
  from_x,     ///< recompute y from x, as in forward
  from_y,     ///< read y
  from_bits,  ///< read forward's sign bits of y; requires V = 8
};

/// Computes mean, inverse deviation and running statistics.
template <class T, unsigned V>
__global__ void norm_statistics(NormForward<T> call, Columns columns);
/// Computes y.
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

}  // namespace busbar::gpu
