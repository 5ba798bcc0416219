// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/loss.hpp"

namespace busbar::gpu {

template <class T>
void softmax_cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t images, std::uint32_t classes,
                           float loss_scale, T* dscores, float* loss, void* scratch, const cuda::Stream& on) {
  cuda::launch(cross_entropy<T>, {.blocks = images, .threads = loss_threads}, on, scores, labels, classes, loss_scale,
               dscores, loss, scratch);
}

template void softmax_cross_entropy(const __half*, const std::int32_t*, std::uint32_t, std::uint32_t, float, __half*,
                                    float*, void*, const cuda::Stream&);
template void softmax_cross_entropy(const __nv_bfloat16*, const std::int32_t*, std::uint32_t, std::uint32_t, float,
                                    __nv_bfloat16*, float*, void*, const cuda::Stream&);

}  // namespace busbar::gpu
