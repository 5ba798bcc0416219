// SPDX-License-Identifier: Apache-2.0
#include "core/tables/case_table.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/cold_starts.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"

namespace {

using namespace busbar;

CaseRecord a_case(std::uint64_t bytes, std::optional<LibraryChoice> choice = std::nullopt) {
  CaseRecord c{.key = {.collective = "allreduce", .backend = "nccl", .bytes = bytes, .ranks = 2}, .choice = choice};
  c.check.state = CheckState::passed;
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

TEST(CaseTable, OmitsTheAlgorithmColumnWithoutData) {
  const std::string text = table({.cases = {a_case(8), a_case(16)}});
  EXPECT_TRUE(lines_with(text, "algorithm/protocol").empty());
  for (const std::string& row : lines_with(text, "passed")) EXPECT_TRUE(row.ends_with("  passed        B")) << row;
  EXPECT_EQ(lines_with(text, "passed").size(), 2U);
}

TEST(CaseTable, ShowsTheChosenAlgorithmOrUnknown) {
  LibraryChoice nvls{.algorithm = "nvls", .protocol = "simple"};
  const std::string text = table({.cases = {a_case(8), a_case(16, ring), a_case(32, nvls)}});
  EXPECT_EQ(lines_with(text, "check         grade   algorithm/protocol/channels").size(), 1U);
  const auto rows = lines_with(text, "passed");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].ends_with("passed        B       unknown")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with("passed        B       ring/ll128/24")) << rows[1];
  EXPECT_TRUE(rows[2].ends_with("passed        B       nvls/simple/?")) << rows[2];
}

TEST(CaseTable, ShowsTheRateOfMessagesOfAllPairs) {
  CaseRecord c = a_case(8);
  EXPECT_FALSE(messages_per_s(c));
  c.key.kind = CaseKind::pair;
  EXPECT_FALSE(messages_per_s(c)) << "without a window";
  c.key.window = 64;
  c.key.ranks = 5;
  EXPECT_DOUBLE_EQ(messages_per_s(c).value(), 2e6) << "two pairs, 1 us each";
  const std::string text = table({.cases = {c}});
  EXPECT_EQ(lines_with(text, "algbw     rate").size(), 1U) << text;
  EXPECT_EQ(lines_with(text, "  2.00 ").size(), 1U) << text;
}

TEST(CaseTable, KeepsAColumnOnceShown) {
  const TableColumns none;
  EXPECT_FALSE(none.with(a_case(8)).choice);
  EXPECT_TRUE(none.with(a_case(8, ring)).choice);
  EXPECT_TRUE(none.with(a_case(8, ring)).with(a_case(16)).choice);
}

CaseRecord started(const char* cadence, std::uint64_t bytes, double time_s) {
  CaseRecord c = a_case(bytes);
  c.key.cadence = cadence;
  set_bandwidth(c, time_s, 1);
  c.interval_s = Interval{.low = time_s / 1.1, .high = time_s * 1.1, .confidence = 0.95};
  return c;
}

TEST(CaseTable, ComparesColdCasesWithHotOnes) {
  ColdStarts both;
  both.add_case(started("barrier", 8, 1e-6));
  both.add_case(started("cold", 8, 6e-6));
  both.add_case(started("cold", 16, 8e-6));
  both.add_case(started("cold", 32, 9e-6));
  both.add_case(started("barrier", 16, 2e-6));
  ASSERT_EQ(both.pairs().size(), 2U);
  EXPECT_DOUBLE_EQ(both.pairs()[0].ratio, 6);
  EXPECT_NEAR(both.pairs()[1].interval->high, 4 * std::exp(std::sqrt(2.0) * std::log(1.1)), 1e-9);
  const std::string foot = table_foot({.status = EndStatus::ok, .cold_over_hot = both.pairs()});
  EXPECT_EQ(lines_with(foot, "cold over hot: allreduce/nccl/").size(), 1U);
  const auto rows = lines_with(foot, " to ");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], "#     8 B       1.00       6.00     6.00  5.24 to 6.87");
}

CaseRecord of_groups(const std::string& group, double first_s, double second_s) {
  CaseRecord c = a_case(1024);
  c.key.group = group;
  c.key.ranks = group.size() > 9 ? 4 : 2;
  set_bandwidth(c, first_s + second_s, 1);
  for (int round = 0; round < 10; ++round) c.rounds.push_back({.median_s = *c.time_s * (1 + 0.01 * round)});
  c.groups = {{.kind = group, .group = 0, .ranks = "0-1", .time_s = 1, .over_others = 0.8},
              {.kind = group, .group = 1, .ranks = "2-3", .time_s = 1, .over_others = 1.25}};
  if (first_s > 0 && second_s > 0)
    c.calls = {{.kind = "rank / 2", .time_s = first_s}, {.kind = "rank % 2", .time_s = second_s}};
  return c;
}

TEST(CaseTable, ComparesTwoKindsOfGroupsTogetherWithEachAlone) {
  Alternations all;
  all.add_case(of_groups("rank / 2 + rank % 2", 30e-6, 30e-6));
  all.add_case(of_groups("rank % 2", 0, 30e-6));
  EXPECT_TRUE(all.found().empty()) << "one kind alone is missing";
  all.add_case(of_groups("rank / 2", 10e-6, 0));
  ASSERT_EQ(all.found().size(), 1U);
  EXPECT_DOUBLE_EQ(all.found()[0].cost, 1.5);
  EXPECT_NEAR(all.found()[0].interval->low, 1.5, 1e-9);
  const std::string foot = table_foot({.status = EndStatus::ok, .alternations = all.found()});
  EXPECT_EQ(lines_with(foot, "together over alone: allreduce/nccl/").size(), 1U);
  EXPECT_EQ(lines_with(foot, " to ").at(0),
            "#   1 KiB         10.00         30.00         60.00     1.50  1.50 to 1.50");
}

TEST(CaseTable, NamesTheSlowestGroupOfEachRow) {
  busbar::Run run{.cases = {of_groups("rank / 2", 10e-6, 0)}};
  const std::string text = table(run);
  EXPECT_EQ(lines_with(text, "slowest group: time / median of others").size(), 1U);
  EXPECT_EQ(lines_with(text, "group 1 (ranks 2-3) 1.25x").size(), 1U);
}

TEST(CaseTable, MarksRowsAndExplainsEachNoteOnce) {
  busbar::Run run{.cases = {a_case(8), a_case(16), a_case(32)}};
  run.cases[0].contention = Contention{.reasons = {"runnable but not running 12 % of the time"}};
  run.cases[1].contention = Contention{.reasons = {"runnable but not running 90 % of the time"}};
  run.cases[1].remarks = {"bimodal: 3 rounds at 1 us, 4 at 2 us; the median is over both", "a remark of the future"};
  run.cases[1].calls_per_sample = 4;
  const std::string text = table(run);
  const auto rows = lines_with(text, "passed");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].ends_with("passed        D c")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with("passed        D cbg")) << rows[1];
  EXPECT_TRUE(rows[2].ends_with("passed        B")) << rows[2];
  const auto notes = text.substr(text.find("# notes:"));
  EXPECT_TRUE(notes.starts_with("# notes:\n# c  2 of 3 cases: CPU contention")) << notes;
  EXPECT_EQ(lines_with(notes, "16 B: runnable but not running 90 %").size(), 1U) << notes;
  EXPECT_EQ(lines_with(notes, "12 %").size(), 0U) << notes;
  EXPECT_LT(notes.find("# b  1 of 3"), notes.find("# g  1 of 3"));
  EXPECT_EQ(lines_with(notes, "# B  1 of 3: usable: no interval (1), one launch (1)").size(), 1U) << notes;
  EXPECT_EQ(lines_with(notes, "# D  2 of 3: measure again: contention (2)").size(), 1U) << notes;
  for (const std::string& line : lines_with(notes, "#")) EXPECT_LE(line.size(), 80U) << line;
}

TEST(CaseTable, FitsIntoEightyColumns) {
  CaseRecord c = a_case(1 << 20);
  set_bandwidth(c, 0.0123456, 1);
  c.interval_s = c.interval_of_launches_s = Interval{.low = 0.012, .high = 0.013, .confidence = 0.95};
  c.samples_taken = 10000;
  c.contention = Contention{.reasons = {"runnable but not running 12 % of the time"}};
  c.remarks = {"bimodal: 3 rounds at 1 us, 4 at 2 us; the median is over both", "times rose by 3 %", "correlated"};
  const TableColumns narrow = TableColumns{.narrow = true}.with(c);
  for (const std::string& line : lines_with(table_columns(c, narrow) + table_row(c, narrow, Grader{}), " "))
    EXPECT_LE(line.size(), 80U) << line;
  EXPECT_TRUE(table_row(c, narrow, Grader{}).find("passed C cbdr\n") != std::string::npos)
      << table_row(c, narrow, Grader{});
}

TEST(CaseTable, NamesTheRankRule) {
  const auto of = [](RankRule rule) { return ranks_of_time({.rank_rule = rule}); };
  EXPECT_EQ(of(RankRule::slowest), "the slowest rank of each");
  EXPECT_EQ(of(RankRule::mean), "mean over ranks");
  EXPECT_EQ(of(RankRule::rank_0), "of rank 0");
  EXPECT_EQ(of(RankRule::unknown), "of unknown ranks");
}

TEST(TableFoot, SaysThatCpusWereSlowerThanInEarlierLaunches) {
  const auto foot = [](LaunchPace pace) { return table_foot({.status = EndStatus::ok, .pace = pace}); };
  EXPECT_EQ(lines_with(foot({.full_s = 2.6e-6, .known_s = 2e-6}), "slower"),
            std::vector<std::string>{"# CPUs were 30 % slower than in earlier launches, from start to end:"});
  EXPECT_EQ(lines_with(foot({.full_s = 2.6e-6}), "slower").size(), 0);
  EXPECT_EQ(lines_with(foot({.full_s = 2.1e-6, .known_s = 2e-6}), "slower").size(), 0);
}

}  // namespace
