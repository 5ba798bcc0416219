// SPDX-License-Identifier: Apache-2.0
#include "core/elements/float8.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

/// All values of a format are exact as floats and convert back to themselves. Values in between round to the nearest,
/// ties to even.
template <class T, class Round>
void expect_all(unsigned largest, Round round) {
  for (unsigned bits = 0; bits < largest; ++bits) {
    const T lower{static_cast<std::uint8_t>(bits)}, upper{static_cast<std::uint8_t>(bits + 1)};
    const float a = to_float(lower), b = to_float(upper);
    ASSERT_LT(a, b) << bits;
    EXPECT_EQ(round(a).bits, lower.bits);
    EXPECT_EQ(round(-a).bits, lower.bits | 0x80U);
    EXPECT_EQ(round(std::nextafter((a + b) / 2, a)).bits, lower.bits) << bits;
    EXPECT_EQ(round(std::nextafter((a + b) / 2, b)).bits, upper.bits) << bits;
    EXPECT_EQ(round((a + b) / 2).bits, bits % 2 == 0 ? lower.bits : upper.bits) << bits;
  }
}

TEST(Float8, E4M3) {
  EXPECT_EQ(to_float(Float8E4M3{0x7E}), 448);  // the largest, OCP 8-bit Floating Point Specification, table 2
  EXPECT_EQ(to_float(Float8E4M3{0x08}), 0x1p-6F);
  EXPECT_EQ(to_float(Float8E4M3{0x01}), 0x1p-9F);
  EXPECT_TRUE(std::isnan(to_float(Float8E4M3{0x7F})));
  expect_all<Float8E4M3>(0x7E, to_float8_e4m3);
  EXPECT_EQ(to_float8_e4m3(1e9F).bits, 0x7F);
  EXPECT_EQ(to_float8_e4m3(-HUGE_VALF).bits, 0xFF);
  EXPECT_EQ(to_float8_e4m3(NAN).bits & 0x7F, 0x7F);
}

TEST(Float8, E5M2) {
  EXPECT_EQ(to_float(Float8E5M2{0x7B}), 57344);
  EXPECT_EQ(to_float(Float8E5M2{0x04}), 0x1p-14F);
  EXPECT_EQ(to_float(Float8E5M2{0x01}), 0x1p-16F);
  EXPECT_EQ(to_float(Float8E5M2{0x7C}), HUGE_VALF);
  expect_all<Float8E5M2>(0x7B, to_float8_e5m2);
  EXPECT_EQ(to_float8_e5m2(1e9F).bits, 0x7C);
  EXPECT_EQ(to_float8_e5m2(NAN).bits & 0x7F, 0x7F);
}

}  // namespace
}  // namespace busbar::test
