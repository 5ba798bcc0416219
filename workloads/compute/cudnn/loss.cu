// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/column_threads.hpp"
#include "workloads/compute/cudnn/loss.hpp"

namespace busbar::gpu {
namespace {

/// Tree reduction with `join` over the block's values; all threads get the result.
template <class Join>
__device__ float over_block(float value, const Join& join) {
  __shared__ float values[loss_threads];
  __syncthreads();  // other threads may still read the previous result
  values[threadIdx.x] = value;
  for (unsigned half = loss_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] = join(values[threadIdx.x], values[threadIdx.x + half]);
  }
  __syncthreads();
  return values[0];
}

__device__ float sum_over_block(float value) {
  return over_block(value, [](float a, float b) { return a + b; });
}

}  // namespace

template <class T>
__global__ void __launch_bounds__(loss_threads)
    cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t classes, float loss_scale, T* dscores,
                  float* loss, void* scratch) {
  const Scratch space(scratch);
  const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * classes;
  const auto label = static_cast<std::uint32_t>(labels[blockIdx.x]);
  float most = -INFINITY;
  for (std::uint32_t c = threadIdx.x; c < classes; c += loss_threads) most = fmaxf(most, to_float(scores[row + c]));
  most = over_block(most, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (std::uint32_t c = threadIdx.x; c < classes; c += loss_threads) sum += expf(to_float(scores[row + c]) - most);
  sum = sum_over_block(sum);
  const float of_label = to_float(scores[row + label]) - most;
  __syncthreads();  // dscores may alias scores
  const float factor = loss_scale / static_cast<float>(gridDim.x);
  for (std::uint32_t c = threadIdx.x; c < classes; c += loss_threads) {
    const float p = expf(to_float(scores[row + c]) - most) / sum;
    dscores[row + c] = from_float<T>((c == label ? p - 1.0F : p) * factor);
  }
  if (threadIdx.x == 0) space.sums[blockIdx.x] = logf(sum) - of_label;
  if (!last_to_arrive(space.ticket, gridDim.x)) return;
  float losses = 0;
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += loss_threads) losses += space.sums[i];
  losses = sum_over_block(losses);
  if (threadIdx.x == 0) *loss = losses / static_cast<float>(gridDim.x);
}

template __global__ void cross_entropy(const __half*, const std::int32_t*, std::uint32_t, float, __half*, float*,
                                       void*);
template __global__ void cross_entropy(const __nv_bfloat16*, const std::int32_t*, std::uint32_t, float, __nv_bfloat16*,
                                       float*, void*);

}  // namespace busbar::gpu
