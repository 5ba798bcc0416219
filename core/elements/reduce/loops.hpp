// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/elements/reduce/kernels.hpp"

/// The loops, included by one file per instruction set. Everything is in an unnamed namespace and uses only types of
/// the standard library, no functions. The linker keeps one copy of a shared inline function, perhaps one compiled for
/// instructions that this processor lacks.
namespace busbar::reduction {
namespace {

template <class T>
using Wrapping = std::make_unsigned_t<T>;

struct Sum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    else
      return a + b;
  }
};

struct Prod {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    else
      return a * b;
  }
};

/// Comparing with NaN is false, so a NaN in b is selected; `a != a` keeps a NaN in a.
struct Min {
  template <class T>
  static T apply(T a, T b) {
    const T least = a < b ? a : b;
    return a != a ? a : least;
  }
};

struct Max {
  template <class T>
  static T apply(T a, T b) {
    const T most = a > b ? a : b;
    return a != a ? a : most;
  }
};

template <class Op, class T>
void combine(const void* in, void* inout, std::size_t count) {
  const auto* a = static_cast<const T*>(in);
  auto* b = static_cast<T*>(inout);
  for (std::size_t i = 0; i < count; ++i) b[i] = Op::apply(a[i], b[i]);
}

/// Type in which divide() computes. 8- and 32-bit integers use a floating type, because it has a vector division. The
/// result is exact: with 24 bits for 8, or 53 for 32, a quotient below an integer never rounds up to it.
template <class T>
struct QuotientOf {
  using type = T;
};
template <>
struct QuotientOf<std::int8_t> {
  using type = float;
};
template <>
struct QuotientOf<std::uint8_t> {
  using type = float;
};
template <>
struct QuotientOf<std::uint32_t> {
  using type = double;
};
template <>
struct QuotientOf<std::int32_t> {
  using type = double;
};

template <class T>
void divide(void* inout, std::size_t count, int divisor) {
  using Quotient = typename QuotientOf<T>::type;
  const auto by = static_cast<Quotient>(divisor);
  auto* b = static_cast<T*>(inout);
  for (std::size_t i = 0; i < count; ++i) b[i] = static_cast<T>(static_cast<Quotient>(b[i]) / by);
}

/// x / divisor as a float that rounds to any shorter type like the exact quotient. Divides in double; an inexact result
/// becomes the neighbouring float whose last bit is 1 ("round to odd").
float quotient_to_odd(float x, int divisor) {
  const double exact = static_cast<double>(x) / divisor;
  const auto rounded = static_cast<float>(exact);
  const auto bits = __builtin_bit_cast(std::uint32_t, rounded);
  const double back = rounded;
  if (!(back < exact || back > exact) || (bits & 1U) != 0) return rounded;
  const bool beyond = __builtin_fabs(back) > __builtin_fabs(exact);
  return __builtin_bit_cast(float, beyond ? bits - 1 : bits + 1);
}

/// Largest divisor for which a float quotient, rounded again to a 16-bit type, is correctly rounded.
constexpr int exact_in_float = 2048;

/// 16-bit types. `Storage` converts both operands to float; the result is rounded once.
template <class Op, class Storage>
void combine16(const void* in, void* inout, std::size_t count) {
  const auto* a = static_cast<const std::uint16_t*>(in);
  auto* b = static_cast<std::uint16_t*>(inout);
  for (std::size_t i = 0; i < count; ++i) b[i] = Storage::store(Op::apply(Storage::load(a[i]), Storage::load(b[i])));
}

template <class Storage>
void divide16_exactly(std::uint16_t* b, std::size_t count, int divisor) {
  for (std::size_t i = 0; i < count; ++i) b[i] = Storage::store(quotient_to_odd(Storage::load(b[i]), divisor));
}

template <class Storage>
void divide16(void* inout, std::size_t count, int divisor) {
  auto* b = static_cast<std::uint16_t*>(inout);
  if (divisor > exact_in_float) return divide16_exactly<Storage>(b, count, divisor);
  const auto by = static_cast<float>(divisor);
  for (std::size_t i = 0; i < count; ++i) b[i] = Storage::store(Storage::load(b[i]) / by);
}

/// Unlike to_bfloat16(), needs no check for NaN: a NaN from bfloat16 operands has no bits in the lower half, so
/// rounding does not change it.
struct BFloat16Storage {
  static float load(std::uint16_t bits) { return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16); }
  static std::uint16_t store(float value) {
    const auto u = __builtin_bit_cast(std::uint32_t, value);
    return static_cast<std::uint16_t>((u + 0x7FFFU + ((u >> 16) & 1U)) >> 16);
  }
};

/// `Half` and `Bfloat` provide combine<Op> and divide for the two 16-bit types.
template <class Op, class Half, class Bfloat>
constexpr void fill_row(Combine (&row)[type_count]) {
  row[0] = combine<Op, std::int8_t>;
  row[1] = combine<Op, std::int32_t>;
  row[2] = combine<Op, std::int64_t>;
  row[3] = combine<Op, std::uint8_t>;
  row[4] = combine<Op, std::uint32_t>;
  row[5] = combine<Op, std::uint64_t>;
  row[6] = Half::template combine<Op>;
  row[7] = Bfloat::template combine<Op>;
  row[8] = combine<Op, float>;
  row[9] = combine<Op, double>;
}

template <class Half, class Bfloat>
constexpr Kernels all_kernels() {
  Kernels all{.combine = {},
              .divide = {divide<std::int8_t>, divide<std::int32_t>, divide<std::int64_t>, divide<std::uint8_t>,
                         divide<std::uint32_t>, divide<std::uint64_t>, Half::divide, Bfloat::divide, divide<float>,
                         divide<double>}};
  fill_row<Sum, Half, Bfloat>(all.combine[0]);
  fill_row<Prod, Half, Bfloat>(all.combine[1]);
  fill_row<Min, Half, Bfloat>(all.combine[2]);
  fill_row<Max, Half, Bfloat>(all.combine[3]);
  return all;
}

}  // namespace
}  // namespace busbar::reduction
