// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/outliers.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

using Indices = std::vector<std::size_t>;

// B. Rosner 1983, table 1 and section 4; the values as in the handbook of NIST/SEMATECH, section 1.3.5.17.3: three are
// found at 5 %, though the first two alone would not be.
const std::vector<double> rosner{-0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56,
                                 1.58,  1.65, 1.69, 1.70, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10,
                                 2.14,  2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92,
                                 2.92,  2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01};

TEST(Outliers, AreThoseOfRosnersExample) { EXPECT_EQ(outliers(rosner, 0.05), (Indices{51, 52, 53})); }

TEST(Outliers, DoNotHideEachOther) {
  const std::vector<double> values{1, 1.01, 0.99, 1.02, 0.98, 1.75, 1.01, 0.99, 1.75, 1};
  EXPECT_EQ(outliers(values, 0.05), (Indices{5, 8}));
}

TEST(Outliers, AreAtMostOneInFive) {
  EXPECT_TRUE(outliers(std::vector<double>{1, 1.01, 0.99, 9}, 0.05).empty()) << "four are too few to tell";
  EXPECT_EQ(outliers(std::vector<double>{1, 1.01, 0.99, 1, 9}, 0.05), Indices{4});
  EXPECT_LE(outliers(std::vector<double>{1, 1, 1, 9, 9, 9}, 0.05).size(), 1U) << "half of them are no outliers";
  EXPECT_TRUE(outliers(std::vector<double>(10, 2.0), 0.05).empty());
}

TEST(Outliers, AreRareAmongNormalValues) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> value;
  for (const std::size_t n : {5U, 10U, 20U}) {
    int found = 0;
    constexpr int samples = 4000;
    for (int i = 0; i < samples; ++i) {
      std::vector<double> values(n);
      for (double& v : values) v = value(random);
      found += !outliers(values, 0.05).empty();
    }
    EXPECT_NEAR(static_cast<double>(found) / samples, 0.05, 0.03) << n;
  }
}

}  // namespace
}  // namespace busbar::test
