// SPDX-License-Identifier: Apache-2.0
#include "core/case_table.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"

namespace {

using namespace busbar;

CaseRecord a_case(std::uint64_t bytes, std::optional<LibraryChoice> choice = std::nullopt) {
  CaseRecord c{.key = {.collective = "allreduce", .backend = "nccl", .bytes = bytes, .ranks = 2}, .choice = choice};
  c.check.state = "passed";
  set_bandwidth(c, 1e-6, 1);
  return c;
}

const LibraryChoice ring{.algorithm = "ring", .protocol = "ll128", .channels = 24};

std::vector<std::string> lines_with(const std::string& text, std::string_view word) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(word) != std::string::npos) all.push_back(line);
  return all;
}

TEST(CaseTable, HasNoColumnForWhatNoLibraryTold) {
  const std::string text = table({.cases = {a_case(8), a_case(16)}});
  EXPECT_TRUE(lines_with(text, "algorithm/protocol").empty());
  for (const std::string& row : lines_with(text, "passed")) EXPECT_TRUE(row.ends_with("  passed")) << row;
  EXPECT_EQ(lines_with(text, "passed").size(), 2U);
}

TEST(CaseTable, ShowsTheLibrarysChoiceAndWhereItIsUnknown) {
  LibraryChoice nvls{.algorithm = "nvls", .protocol = "simple"};
  const std::string text = table({.cases = {a_case(8), a_case(16, ring), a_case(32, nvls)}});
  EXPECT_EQ(lines_with(text, "check  algorithm/protocol/channels").size(), 1U);
  const auto rows = lines_with(text, "passed");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].ends_with("passed  unknown")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with("passed  ring/ll128/24")) << rows[1];
  EXPECT_TRUE(rows[2].ends_with("passed  nvls/simple/?")) << rows[2];
}

TEST(CaseTable, AColumnOnceThereStays) {
  const TableColumns none;
  EXPECT_FALSE(none.with(a_case(8)).choice);
  EXPECT_TRUE(none.with(a_case(8, ring)).choice);
  EXPECT_TRUE(none.with(a_case(8, ring)).with(a_case(16)).choice);
}

TEST(CaseTable, SaysWhoseTimeCounts) {
  const auto of = [](const char* rule) { return ranks_of_time({.rank_rule = rule}); };
  EXPECT_EQ(of("slowest"), "the slowest rank of each");
  EXPECT_EQ(of("mean"), "mean over ranks");
  EXPECT_EQ(of("rank 0"), "of rank 0");
  EXPECT_EQ(of("unknown"), "of which ranks is not known");
}

}  // namespace
