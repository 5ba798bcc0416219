// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/nccl/version.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

TEST(NcclVersion, IsReadFromNcclsCode) {
  EXPECT_EQ(to_string(NcclVersion{22809}), "2.28.9");
  EXPECT_EQ(to_string(NcclVersion{21801}), "2.18.1");
}

TEST(NcclVersion, NamesWhatAnOlderVersionLacks) {
  EXPECT_NO_THROW(require_nccl(NcclVersion{22400}, first_with_float8, "fp8"));
  EXPECT_NO_THROW(require_nccl(NcclVersion{22809}, first_with_float8, "fp8"));
  EXPECT_EQ(catch_error<Unsupported>([] { require_nccl(NcclVersion{22304}, first_with_float8, "fp8"); }),
            "NCCL 2.23 has no fp8 (2.24 has)");
}

}  // namespace
}  // namespace busbar::test
