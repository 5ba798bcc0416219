// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx2 -mf16c; best_kernels() selects it only if the CPU has both. loops.hpp says what must not be used
// here. The compiler vectorises the plain loops; only conversions of 16-bit types need intrinsics.
#include <immintrin.h>

#include "core/elements/reduce/loops.hpp"

namespace busbar::reduction {
namespace {

/// The operations of loops.hpp on eight floats. VMINPS and VMAXPS return the second operand if either is NaN.
__m256 apply(Sum, __m256 a, __m256 b) { return _mm256_add_ps(a, b); }
__m256 apply(Prod, __m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
__m256 nan_or(__m256 a, __m256 otherwise) { return _mm256_blendv_ps(otherwise, a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q)); }
__m256 apply(Min, __m256 a, __m256 b) { return nan_or(a, _mm256_min_ps(a, b)); }
__m256 apply(Max, __m256 a, __m256 b) { return nan_or(a, _mm256_max_ps(a, b)); }

constexpr std::size_t width = 16;  ///< 16-bit elements per step

/// The elements of one step as floats. The format decides their order.
struct Floats {
  __m256 first, second;
};

template <class Op>
Floats apply(Floats a, Floats b) {
  return {apply(Op{}, a.first, b.first), apply(Op{}, a.second, b.second)};
}

struct HalfFormat {
  /// Converts single elements, for the remainder after the last whole step.
  struct Storage {
    static float load(std::uint16_t bits) { return _cvtsh_ss(bits); }
    static std::uint16_t store(float value) { return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT); }
  };

  static Floats load(const std::uint16_t* from) {
    const auto* halves = reinterpret_cast<const __m128i*>(from);
    return {_mm256_cvtph_ps(_mm_loadu_si128(halves)), _mm256_cvtph_ps(_mm_loadu_si128(halves + 1))};
  }
  static void store(std::uint16_t* to, Floats value) {
    auto* halves = reinterpret_cast<__m128i*>(to);
    _mm_storeu_si128(halves, _mm256_cvtps_ph(value.first, _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128(halves + 1, _mm256_cvtps_ph(value.second, _MM_FROUND_TO_NEAREST_INT));
  }
};

/// `first` contains the elements of even index, `second` those of odd index, which are already in a float's upper half.
struct BFloat16Format {
  using Storage = BFloat16Storage;

  static __m256i upper_halves() { return _mm256_set1_epi32(static_cast<int>(0xFFFF0000U)); }

  static Floats load(const std::uint16_t* from) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(both, 16)),
            _mm256_castsi256_ps(_mm256_and_si256(both, upper_halves()))};
  }
  /// Rounds to nearest even, into the upper half of each word, like BFloat16Storage.
  static __m256i rounded(__m256 value) {
    const __m256i bits = _mm256_castps_si256(value);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    return _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
  }
  static void store(std::uint16_t* to, Floats value) {
    const __m256i even = _mm256_srli_epi32(rounded(value.first), 16);
    const __m256i odd = _mm256_and_si256(rounded(value.second), upper_halves());
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_or_si256(even, odd));
  }
};

template <class Format>
struct Stepwise {
  template <class Op>
  static void combine(const void* in, void* inout, std::size_t count) {
    const auto* a = static_cast<const std::uint16_t*>(in);
    auto* b = static_cast<std::uint16_t*>(inout);
    std::size_t i = 0;
    for (; i + width <= count; i += width) Format::store(b + i, apply<Op>(Format::load(a + i), Format::load(b + i)));
    combine16<Op, typename Format::Storage>(a + i, b + i, count - i);
  }

  static void divide(void* inout, std::size_t count, int divisor) {
    auto* b = static_cast<std::uint16_t*>(inout);
    std::size_t i = 0;
    if (divisor <= exact_in_float)
      for (const __m256 by = _mm256_set1_ps(static_cast<float>(divisor)); i + width <= count; i += width) {
        const Floats x = Format::load(b + i);
        Format::store(b + i, {_mm256_div_ps(x.first, by), _mm256_div_ps(x.second, by)});
      }
    divide16<typename Format::Storage>(b + i, count - i, divisor);
  }
};

}  // namespace

constinit const Kernels avx2_kernels = all_kernels<Stepwise<HalfFormat>, Stepwise<BFloat16Format>>();

}  // namespace busbar::reduction
