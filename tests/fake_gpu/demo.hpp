// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_bf16.h>
#include <cuda_runtime_api.h>

/// Exports of the test module of kernels: launches on a stream, compiled by nvcc.
namespace fake_gpu_demo {

template <class T>
cudaError_t fill(T* data, std::size_t count, T value, cudaStream_t stream);
/// Adds the sum of `data` to *sum: warps by shuffles, blocks by shared memory of `threads / 32` floats.
cudaError_t add_up(const float* data, std::size_t count, float* sum, unsigned int threads, cudaStream_t stream);
/// Lowers *index to the first element in which the two differ.
cudaError_t first_difference(const int* a, const int* b, std::size_t count, unsigned long long* index,
                             cudaStream_t stream);
/// Reverses each block's part of `data` through shared memory of static size.
cudaError_t turn_round(float* data, unsigned int threads, unsigned int blocks, cudaStream_t stream);
/// Of one block of `threads`: what each of 8 warp operations gives a thread, 8 numbers a thread.
cudaError_t exchange_in_warps(double* results, unsigned int threads, cudaStream_t stream);
/// Some threads do not reach the barrier.
cudaError_t diverge(int* data, cudaStream_t stream);

}  // namespace fake_gpu_demo
