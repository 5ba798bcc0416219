// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/packed.hpp"
#include "workloads/compute/cudnn/sgd.hpp"

namespace busbar::gpu {

template <class G, class T>
__global__ void descend(SgdUpdate<G, T> call, std::uint64_t begin, std::uint64_t end) {
  if (call.skip != nullptr && *call.skip != 0) return;
  over_range(begin, end, [&](auto width, std::uint64_t i) {
    constexpr unsigned V = decltype(width)::value;
    float weight[V], momentum[V], gradient[V];
    load(call.weights + i, weight);
    load(call.momenta + i, momentum);
    load(call.gradients + i, gradient);
    for (unsigned k = 0; k < V; ++k) {
      const float slope = fmaf(call.settings.decay, weight[k], gradient[k] * call.factor);
      momentum[k] = fmaf(call.settings.momentum, momentum[k], slope);
      weight[k] = fmaf(-call.settings.rate, momentum[k], weight[k]);
    }
    store(call.weights + i, weight);
    store(call.momenta + i, momentum);
    if (call.copy != nullptr) store(call.copy + i, weight);
  });
}

template __global__ void descend(SgdUpdate<float, __half>, std::uint64_t, std::uint64_t);
template __global__ void descend(SgdUpdate<__half, __half>, std::uint64_t, std::uint64_t);
template __global__ void descend(SgdUpdate<float, __nv_bfloat16>, std::uint64_t, std::uint64_t);
template __global__ void descend(SgdUpdate<__nv_bfloat16, __nv_bfloat16>, std::uint64_t, std::uint64_t);

}  // namespace busbar::gpu
