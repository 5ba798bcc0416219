// SPDX-License-Identifier: Apache-2.0
#include "reports/import/path_labels.hpp"

#include <gtest/gtest.h>

#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using Labels = std::map<std::string, std::string>;

std::optional<Labels> labels(const std::string& pattern, const std::string& path) {
  return PathPattern("--labels-from", pattern).labels(path);
}

std::string catch_pattern_error(const std::string& pattern) {
  return catch_error([&] { (void)labels(pattern, "x"); });
}

TEST(PathLabels, FromFoldersAndFiles) {
  EXPECT_EQ(labels("{system}-{}/{}.setting{setting}.log", "/data/logs/polaris-n2/all_reduce.setting1.log"),
            (Labels{{"setting", "1"}, {"system", "polaris"}}));
  EXPECT_EQ(labels("{platform}.log", "vm.log"), (Labels{{"platform", "vm"}}));
  EXPECT_EQ(labels("{a}.{b}.log", "x.y.z.log"), (Labels{{"a", "x"}, {"b", "y.z"}}));
}

TEST(PathLabels, LiteralsAreNoExpressions) {
  EXPECT_EQ(labels("run(1)+{n}.log", "run(1)+7.log"), (Labels{{"n", "7"}}));
  EXPECT_EQ(labels("a.{n}.log", "ab7.log"), std::nullopt);
}

TEST(PathLabels, APathThatDoesNotFitHasNone) {
  EXPECT_EQ(labels("{system}/{}.log", "x.log"), std::nullopt);
  EXPECT_EQ(labels("{a}.log", std::string(100000, 'x')), std::nullopt);
}

TEST(PathLabels, PatternsThatAreNone) {
  EXPECT_NE(catch_pattern_error("no.log").find("--labels-from: 'no.log' names no label"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{}.log").find("names no label"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a}{b}.log").find("two placeholders side by side"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a}-{a}.log").find("names a label twice"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(catch_pattern_error("a}.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(catch_pattern_error(std::string(100'000, 'x') + "{a}").find("at most 1000 are read"), std::string::npos);
}

}  // namespace
}  // namespace busbar::test
