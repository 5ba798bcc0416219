// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/sgd.hpp"

#include "core/cuda/launch.hpp"

namespace busbar::gpu {

template <class G, class T>
void sgd_update(const SgdUpdate<G, T>& call, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on) {
  cuda::launch(descend<G, T>, cuda::grid_over((end - begin) / 8), on, call, begin, end);
}

template void sgd_update(const SgdUpdate<float, __half>&, std::uint64_t, std::uint64_t, const cuda::Stream&);
template void sgd_update(const SgdUpdate<__half, __half>&, std::uint64_t, std::uint64_t, const cuda::Stream&);
template void sgd_update(const SgdUpdate<float, __nv_bfloat16>&, std::uint64_t, std::uint64_t, const cuda::Stream&);
template void sgd_update(const SgdUpdate<__nv_bfloat16, __nv_bfloat16>&, std::uint64_t, std::uint64_t,
                         const cuda::Stream&);

}  // namespace busbar::gpu
