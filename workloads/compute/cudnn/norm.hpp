// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/columns.hpp"
#include "workloads/compute/cudnn/kernels.hpp"

/// Batch norm on the device. V: elements that a thread moves at a time. Grids as `columns` says.
namespace busbar::gpu {

/// How backward finds what relu let pass.
enum class Mask {
  none,       ///< there was no relu
  from_x,     ///< y is found from x again, as forward did
  from_y,     ///< y is read
  from_bits,  ///< what forward kept of y's signs is read; V is 8
};

/// Mean and inverse deviation, and running values.
template <class T, unsigned V>
__global__ void norm_statistics(NormForward<T> call, Columns columns);
/// y.
template <class T, unsigned V>
__global__ void norm_apply(NormForward<T> call, Columns columns);
/// dscale, dshift, and dresidual where it is wanted.
template <class T, unsigned V, Mask mask>
__global__ void norm_sums(NormBackward<T> call, Columns columns);
/// dx.
template <class T, unsigned V, Mask mask>
__global__ void norm_gradient(NormBackward<T> call, Columns columns);
/// sums[channel] of x.
template <class T, unsigned V>
__global__ void sum_columns(const T* x, Columns columns, float* sums, void* scratch);

}  // namespace busbar::gpu
