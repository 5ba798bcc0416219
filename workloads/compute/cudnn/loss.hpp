// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "core/cuda/launch.hpp"

namespace busbar::gpu {

inline constexpr unsigned loss_threads = 256;

/// One block of loss_threads per image. The last block to finish adds up the losses.
template <class T>
__global__ void cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t classes, float loss_scale,
                              T* dscores, float* loss, void* scratch);

/// loss: one float, the mean of -log softmax(scores)[label] over images, in fp32; the maximum score is subtracted for
/// stability. dscores: its gradient times `loss_scale`; may alias scores. scores: [images, classes]; labels in [0,
/// classes). Reads scores three times (from cache after the first), writes dscores once.
template <class T>
void softmax_cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t images, std::uint32_t classes,
                           float loss_scale, T* dscores, float* loss, void* scratch, const cuda::Stream& on) {
  cuda::launch(cross_entropy<T>, {.blocks = images, .threads = loss_threads}, on, scores, labels, classes, loss_scale,
               dscores, loss, scratch);
}

}  // namespace busbar::gpu
