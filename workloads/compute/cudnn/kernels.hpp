// SPDX-License-Identifier: Apache-2.0
// The parts of a convolutional network's training step other than convolutions and matrix products, on an NVIDIA GPU.
// All are memory-bound, so each docstring in these headers counts the memory passes over a tensor. Each header declares
// kernels, which are in the .cu beside it, and has the functions with which C++ files launch them.
//
// T is __nv_bfloat16 or __half: activations, the weight copies that layers read, and gradients of both. Sums,
// statistics, master weights and momenta are fp32. Activations are NHWC: [rows, channels] with rows = images * height
// * width. All pointers are to memory of the current device, owned by the caller; activations and flat arrays start at
// multiples of 16 bytes. If channels are not a multiple of 8, kernels move elements one at a time.
//
// Functions submit work to a stream and return; all of it can be captured into a graph. They throw cuda::Error if a
// launch fails. Results are bitwise reproducible on the same kind of GPU: the order of summation depends only on sizes
// and the number of multiprocessors, and there are no floating-point atomics.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "workloads/compute/cudnn/flat.hpp"
#include "workloads/compute/cudnn/known.hpp"
#include "workloads/compute/cudnn/loss.hpp"
#include "workloads/compute/cudnn/norm.hpp"
#include "workloads/compute/cudnn/pool.hpp"
#include "workloads/compute/cudnn/sgd.hpp"
