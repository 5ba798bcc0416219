// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/distributions.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Published tables: t(0.975) of 1, 10 and 30 degrees of freedom; the normal's 1.959964.
TEST(StudentsT, HasTheQuantilesOfTables) {
  EXPECT_NEAR(upper_quantile(0.025, 1), 12.7062, 1e-4);
  EXPECT_NEAR(upper_quantile(0.025, 10), 2.228139, 1e-6);
  EXPECT_NEAR(upper_quantile(0.025, 30), 2.042272, 1e-6);
  EXPECT_NEAR(upper_quantile(0.025, infinite), 1.959964, 1e-6);
  EXPECT_NEAR(upper_quantile(0.025, 1e6), upper_quantile(0.025, 1.1e6), 1e-5);
}

TEST(StudentsT, InvertsQuantilesByTails) {
  for (const double degrees : {1.0, 2.5, 19.0, 1e5, infinite})
    for (const double tail : {0.001, 0.025, 0.3, 0.5, 0.9})
      EXPECT_NEAR(upper_tail(upper_quantile(tail, degrees), degrees), tail, 1e-9) << degrees << " " << tail;
}

}  // namespace
}  // namespace busbar::test
