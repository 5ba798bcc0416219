// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.hpp"

#include <gtest/gtest.h>

#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

TEST(ParseSize, TakesBinarySuffixes) {
  EXPECT_EQ(parse_size("-b", "8"), 8U);
  EXPECT_EQ(parse_size("-b", "1K"), 1024U);
  EXPECT_EQ(parse_size("-b", "64k"), 65536U);
  EXPECT_EQ(parse_size("-b", "1.5M"), 1572864U);
  EXPECT_EQ(parse_size("-b", "2GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_size("-b", "100B"), 100U);
  EXPECT_EQ(parse_size("-b", "3T"), std::uint64_t{3} << 40);
  EXPECT_EQ(parse_size("-b", "0"), 0U);
}

TEST(ParseSize, NamesTheFlagAndAcceptedValues) {
  for (const char* bad : {"", "K", "-8", "8X", "1.3", "8 K", "1e9", "nan", "inf", "8MB", "999999999T", "0x10"}) {
    const std::string error = catch_error([&] { (void)parse_size("--max-bytes", bad); });
    EXPECT_NE(error.find("--max-bytes: '" + std::string(bad) + "'"), std::string::npos) << error;
    EXPECT_NE(error.find("64K"), std::string::npos) << error;
  }
}

TEST(FormatSize, IsExact) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(8), "8 B");
  EXPECT_EQ(format_size(1000), "1000 B");
  EXPECT_EQ(format_size(1024), "1 KiB");
  EXPECT_EQ(format_size(1536), "1.5 KiB");
  EXPECT_EQ(format_size(std::uint64_t{64} << 20), "64 MiB");
  EXPECT_EQ(format_size(std::uint64_t{3} << 40), "3 TiB");
  EXPECT_EQ(format_size(3000000), "3000000 B");
  EXPECT_EQ(format_size((std::uint64_t{1} << 20) + 1), "1048577 B");
}

TEST(FormatDuration, HasAUnit) {
  EXPECT_EQ(format_duration(1.234e-6), "1.23 us");
  EXPECT_EQ(format_duration(0.0456), "45.6 ms");
  EXPECT_EQ(format_duration(7.89), "7.89 s");
  EXPECT_EQ(format_duration(21e-9), "21 ns");
  EXPECT_EQ(format_duration(999.4e-6), "999 us");
  EXPECT_EQ(format_duration(999.6e-6), "1 ms");
  EXPECT_EQ(format_duration(1234), "1234 s");
}

}  // namespace
}  // namespace busbar::test
