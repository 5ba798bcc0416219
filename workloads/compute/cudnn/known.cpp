// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/known.hpp"

#include "core/cuda/launch.hpp"

namespace busbar::gpu {
namespace {

void clear(unsigned long long* number, const cuda::Stream& on) {
  cuda::check(cudaMemsetAsync(number, 0, sizeof *number, on.handle()), "cudaMemsetAsync");
}

}  // namespace

template <class T>
void fill_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank, std::uint32_t ranks,
                const cuda::Stream& on) {
  cuda::launch(write_known<T>, cuda::grid_over(end - begin), on, gradients, begin, end, rank, ranks);
}

template <class T>
void find_unexpected(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                     unsigned long long* first, const cuda::Stream& on) {
  cuda::launch(compare_known<T>, cuda::grid_over(end - begin), on, gradients, begin, end, factor, first);
}

void hash_weights(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash,
                  const cuda::Stream& on) {
  clear(hash, on);
  cuda::launch(add_hashes, cuda::grid_over(end - begin), on, weights, begin, end, hash);
}

template <class T>
void count_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count,
                      const cuda::Stream& on) {
  clear(count, on);
  cuda::launch(add_not_finite<T>, cuda::grid_over((end - begin) / 8), on, values, begin, end, count);
}

template void fill_known(float*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, const cuda::Stream&);
template void find_unexpected(const float*, std::uint64_t, std::uint64_t, float, unsigned long long*,
                              const cuda::Stream&);
template void count_not_finite(const float*, std::uint64_t, std::uint64_t, unsigned long long*, const cuda::Stream&);
template void fill_known(__half*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, const cuda::Stream&);
template void find_unexpected(const __half*, std::uint64_t, std::uint64_t, float, unsigned long long*,
                              const cuda::Stream&);
template void count_not_finite(const __half*, std::uint64_t, std::uint64_t, unsigned long long*, const cuda::Stream&);
template void fill_known(__nv_bfloat16*, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t,
                         const cuda::Stream&);
template void find_unexpected(const __nv_bfloat16*, std::uint64_t, std::uint64_t, float, unsigned long long*,
                              const cuda::Stream&);
template void count_not_finite(const __nv_bfloat16*, std::uint64_t, std::uint64_t, unsigned long long*,
                               const cuda::Stream&);

}  // namespace busbar::gpu
