// SPDX-License-Identifier: Apache-2.0
#include "core/elements/float16.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

/// The value of a binary16 or bfloat16 from its fields, by the definition of IEEE 754.
double value_of(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T, class Round>
void expect_all(int exponent_bits, int mantissa_bits, Round round) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const T v{static_cast<std::uint16_t>(bits)};
    const double want = value_of(bits, exponent_bits, mantissa_bits);
    ASSERT_TRUE(same(static_cast<double>(to_float(v)), want)) << bits;
    const T back = round(to_float(v));
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(to_float(back))) << bits;
    else
      ASSERT_EQ(back.bits, v.bits);
  }
}

/// Every value between two neighbours goes to the nearer one, the middle to the even one.
template <class T, class Round>
void expect_nearest_even(unsigned last_finite, int exponent_bits, int mantissa_bits, Round round) {
  for (unsigned bits = 0; bits < last_finite; ++bits) {
    const double low = value_of(bits, exponent_bits, mantissa_bits),
                 high = value_of(bits + 1, exponent_bits, mantissa_bits);
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(round(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(round(std::nextafter(middle, -HUGE_VALF)).bits, bits);
    ASSERT_EQ(round(std::nextafter(middle, HUGE_VALF)).bits, bits + 1);
    ASSERT_EQ(round(-middle).bits, (bits % 2 == 0 ? bits : bits + 1) | 0x8000U);
  }
}

TEST(Half, ConvertsEveryValueThereAndBack) { expect_all<Half>(5, 10, to_half); }
TEST(Half, RoundsToNearestEven) { expect_nearest_even<Half>(0x7BFF, 5, 10, to_half); }
TEST(Half, OverflowsToInfinity) {
  EXPECT_EQ(to_half(65519.996F).bits, 0x7BFF);
  EXPECT_EQ(to_half(65520.0F).bits, 0x7C00);
  EXPECT_EQ(to_half(std::numeric_limits<float>::max()).bits, 0x7C00);
  EXPECT_EQ(to_half(-std::numeric_limits<float>::infinity()).bits, 0xFC00);
}
TEST(BFloat16, ConvertsEveryValueThereAndBack) { expect_all<BFloat16>(8, 7, to_bfloat16); }
TEST(BFloat16, RoundsToNearestEven) { expect_nearest_even<BFloat16>(0x7F7E, 8, 7, to_bfloat16); }

}  // namespace
}  // namespace busbar::test
