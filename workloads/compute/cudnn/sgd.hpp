// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "core/cuda/launch.hpp"
#include "workloads/networks/optimiser.hpp"

namespace busbar::gpu {

/// Sgd (workloads/networks/optimiser.hpp) on the device. `factor` scales the gradients: it undoes the loss scale and
/// turns sums over ranks into means. Pointers are to whole arrays; only [begin, end) changes. G: float or T.
template <class G, class T>
struct SgdUpdate {
  Sgd::Settings settings;
  float factor = 1;
  float *weights = nullptr, *momenta = nullptr;
  const G* gradients = nullptr;
  T* copy = nullptr;  ///< optional: weights as the layers read them
  /// Optional device counter, see count_not_finite(): if it is not 0, the update changes nothing.
  const unsigned long long* skip = nullptr;
};

/// Updates elements [begin, end). Any grid size with at least 256 threads: each unaligned end has up to 7 elements.
template <class G, class T>
__global__ void descend(SgdUpdate<G, T> call, std::uint64_t begin, std::uint64_t end);

/// Reads weights, momenta and gradients once; writes weights, momenta and copy once. One launch for any range.
template <class G, class T>
void sgd_update(const SgdUpdate<G, T>& call, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on) {
  cuda::launch(descend<G, T>, cuda::grid_over((end - begin) / 8), on, call, begin, end);
}

}  // namespace busbar::gpu
