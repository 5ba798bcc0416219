// SPDX-License-Identifier: Apache-2.0
// Kernels that use what the emulator has. nvcc compiles this file for a module, g++ for the emulator.
#include <cuda_runtime.h>

#include "demo.hpp"

namespace fake_gpu_demo {

template <class T>
__global__ void fill_kernel(T* __restrict__ data, std::size_t count, T value) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = value;
}

namespace {

__device__ __forceinline__ float sum_of_warp(float value) {
#pragma unroll
  for (unsigned int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xFFFFFFFFU, value, delta);
  return value;
}

__global__ void __launch_bounds__(1024) add_up_kernel(const float* data, std::size_t count, float* sum) {
  extern __shared__ float of_warps[];
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  float value = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    value += __ldg(data + i);
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = sum_of_warp(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(sum, value);
}

}  // namespace

__global__ void first_difference_kernel(const int* a, const int* b, std::size_t count, unsigned long long* index) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count && a[i] != b[i]) atomicMin(index, static_cast<unsigned long long>(i));
}

template <unsigned int size>
__global__ void turn_round_kernel(float* data) {
  __shared__ float part[size];
  float* const own = data + blockIdx.x * blockDim.x;
  part[threadIdx.x] = own[threadIdx.x];
  __syncthreads();
  own[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

__global__ void exchange_kernel(double* results) {
  constexpr unsigned int all = 0xFFFFFFFFU;
  const int i = static_cast<int>(threadIdx.x);
  double* const own = results + 8 * i;
  own[0] = __shfl_xor_sync(all, static_cast<double>(i), 1);
  own[1] = __shfl_up_sync(all, i, 2);
  own[2] = __shfl_down_sync(all, static_cast<float>(i), 3, 8);
  own[3] = __shfl_sync(all, i, 5, 16);
  own[4] = __ballot_sync(all, i % 2);
  own[5] = __any_sync(all, i == 40) + 2 * __all_sync(all, i < 40);
  own[6] = __syncthreads_count(i < 7);
  own[7] = -1;
  // Half of each warp by itself.
  if (i % 32 < 16) own[7] = __shfl_sync(0xFFFFU, i, 0);
  __syncwarp();
}

__global__ void diverge_kernel(int* data) {
  if (threadIdx.x < 7) return;
  __syncthreads();
  data[threadIdx.x] = 1;
}

namespace {

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                   Arguments... arguments) {
  void* pointers[] = {&arguments...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, shared_bytes, stream);
}

}  // namespace

template <class T>
cudaError_t fill(T* data, std::size_t count, T value, cudaStream_t stream) {
  return launch(&fill_kernel<T>, 3, 64, 0, stream, data, count, value);
}
template cudaError_t fill(float*, std::size_t, float, cudaStream_t);
template cudaError_t fill(unsigned char*, std::size_t, unsigned char, cudaStream_t);
template cudaError_t fill(__nv_bfloat16*, std::size_t, __nv_bfloat16, cudaStream_t);

cudaError_t add_up(const float* data, std::size_t count, float* sum, unsigned int threads, cudaStream_t stream) {
  return launch(&add_up_kernel, 4, threads, threads / 32 * sizeof(float), stream, data, count, sum);
}

cudaError_t first_difference(const int* a, const int* b, std::size_t count, unsigned long long* index,
                             cudaStream_t stream) {
  const auto blocks = static_cast<unsigned int>((count + 255) / 256);
  return launch(&first_difference_kernel, blocks, 256, 0, stream, a, b, count, index);
}

cudaError_t turn_round(float* data, unsigned int threads, unsigned int blocks, cudaStream_t stream) {
  return launch(&turn_round_kernel<1024>, blocks, threads, 0, stream, data);
}

cudaError_t exchange_in_warps(double* results, unsigned int threads, cudaStream_t stream) {
  return launch(&exchange_kernel, 1, threads, 0, stream, results);
}

cudaError_t diverge(int* data, cudaStream_t stream) { return launch(&diverge_kernel, 1, 32, 0, stream, data); }

}  // namespace fake_gpu_demo
