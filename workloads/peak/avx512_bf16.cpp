// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <immintrin.h>

#include "workloads/peak/instructions.hpp"

namespace busbar {
namespace {

constexpr std::size_t chains = 16;  ///< as for fp32 (loop.hpp)

/// VDPBF16PS: adds two bf16 products to each of 16 fp32 sums (Intel SDM, volume 2).
float multiply_add(std::int64_t rounds) {
  const volatile std::uint32_t unknown = 0x35803580;  // two bf16 values of 2^-20: sums stay finite
  const auto factors = std::bit_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(unknown)));
  __m512 sums[chains];
  for (std::size_t i = 0; i < chains; ++i)  // different values, so that the compiler does not merge the chains
    sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], factors, factors);
  }
  __m512 all = _mm512_setzero_ps();
  for (const __m512& sum : sums) all = _mm512_add_ps(all, sum);
  return _mm512_cvtss_f32(all);
}

}  // namespace

extern constinit const peak::Instructions avx512_bf16 = {.name = "AVX512-BF16",
                                                         .type = DType::bf16,
                                                         .feature = peak::Feature::avx512_bf16,
                                                         .run = &multiply_add,
                                                         .flop_per_round = 2.0 * chains * 16 * 2};

}  // namespace busbar
