// SPDX-License-Identifier: Apache-2.0
#include "reports/import/path_labels.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace busbar::test {
namespace {

using Labels = std::map<std::string, std::string>;

std::optional<Labels> labels(const std::string& pattern, const std::string& path) {
  return PathPattern("--labels-from", pattern).labels(path);
}

std::string complaint(const std::string& pattern) {
  try {
    (void)labels(pattern, "x");
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no complaint";
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
  EXPECT_NE(complaint("no.log").find("--labels-from: 'no.log' names no label"), std::string::npos);
  EXPECT_NE(complaint("{}.log").find("names no label"), std::string::npos);
  EXPECT_NE(complaint("{a}{b}.log").find("two placeholders side by side"), std::string::npos);
  EXPECT_NE(complaint("{a}-{a}.log").find("names a label twice"), std::string::npos);
  EXPECT_NE(complaint("{a.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(complaint("a}.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(complaint(std::string(100'000, 'x') + "{a}").find("at most 1000 are read"), std::string::npos);
}

}  // namespace
}  // namespace busbar::test
