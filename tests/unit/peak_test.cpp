// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/peak.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "workloads/peak/instructions.hpp"

namespace busbar::test {
namespace {

TEST(Peaks, MeasureEveryTypeOfTheCpuWithFp32First) {
  const auto peaks = measure_peaks(0.02);
  ASSERT_FALSE(peaks.empty());
  EXPECT_EQ(peaks.front().type, DType::f32);
  EXPECT_EQ(peaks.size(), has_bf16_instructions() ? 2U : 1U);
  if (peaks.size() > 1) {
    EXPECT_EQ(peaks.back().type, DType::bf16);
  }
  for (const Peak& p : peaks) EXPECT_GT(p.flop_per_s, 0) << p.instructions;
}

TEST(Peaks, ComputeFiniteSumsInEverySet) {
  for (const peak::Instructions* set : table<peak::Instructions>()) {
    if (!peak::has(set->feature)) continue;
    const float few = set->run(10), many = set->run(100'000);
    EXPECT_TRUE(std::isfinite(few) && std::isfinite(many)) << set->name;
    EXPECT_GT(set->flop_per_round, 0) << set->name;
  }
}

}  // namespace
}  // namespace busbar::test
