// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

TEST(ImportParam, ReadsTimesAsMediansOverRanks) {
  const std::string text = read_sample("param.log");
  const ImportedRun run = import_one_run({.text = text, .source = "param.log"});
  ASSERT_EQ(run.cases.size(), 5U);
  const CaseRecord& c = run.cases[2];
  EXPECT_EQ(to_string(c.key),
            "allreduce/nccl/device/fp32/sum/ranks:16/nodes:2/ranks_per_node:8/barrier/bytes:67108864");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1412.6e-6);  // p50, and neither the mean nor the slowest
  EXPECT_NEAR(c.busbw_GBps.value(), 89.076, 0.0005);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.875);
  EXPECT_EQ(c.count, 16777216U);
  EXPECT_FALSE(c.statistics || c.interval_s || c.key.in_place);
  EXPECT_EQ(run.cases[3].key.collective, "alltoall");
  EXPECT_EQ(run.cases[3].key.type, "bf16");
  EXPECT_FALSE(run.cases[3].key.op);
  EXPECT_EQ(run.head.method.rank_rule, RankRule::median);
  EXPECT_EQ(run.head.method.statistic, Statistic::mean);
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_EQ(run.collective, "allreduce, alltoall");
  EXPECT_EQ(run.warnings.size(), 1U);
  EXPECT_TRUE(mentions(run.warnings, "1 row left out: point-to-point"));
}

TEST(ImportParam, AsksForCollectiveAndRanksOfOldReleases) {
  const std::string text = read_sample("param.old.log");
  EXPECT_NE(catch_import_error({.text = text, .source = "p.log"}).find("add --ranks N"), std::string::npos);
  EXPECT_NE(catch_import_error({.text = text, .source = "p.log", .ranks = 8})
                .find("p.log: line 3: the rows of this release do "
                      "not name the collective; add --collective"),
            std::string::npos);
  const ImportedRun run = import_one_run({.text = text, .source = "p.log", .collective = "allreduce", .ranks = 8});
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(run.cases[1].time_s.value(), 104.2e-6);
  EXPECT_EQ(run.cases[1].key.backend, "unknown");
  EXPECT_FALSE(run.cases[1].key.nodes || run.cases[1].key.memory || run.cases[1].key.cadence);
  EXPECT_TRUE(mentions(run.warnings, "1 row cannot be read"));
}

TEST(ImportParam, KeepsContradictoryBandwidths) {
  std::string text = read_sample("param.log");
  text.replace(text.find("89.076"), 6, "99.076");
  const ImportedRun run = import_one_run({.text = text, .source = "p.log"});
  EXPECT_DOUBLE_EQ(run.cases[2].busbw_GBps.value(), 99.076);
  EXPECT_FALSE(run.cases[2].bus_factor);
  EXPECT_TRUE(mentions(run.warnings, "1 of 10 printed bandwidths are not what size, time and collective give"));
}

TEST(ImportParam, KeepsUnknownNamesOfCollectives) {
  std::string text = read_sample("param.log");
  for (std::size_t at = text.find("all_reduce"); at != std::string::npos; at = text.find("all_reduce", at))
    text.replace(at, 10, "multicast_");
  const ImportedRun run = import_one_run({.text = text, .source = "p.log"});
  EXPECT_EQ(run.cases[2].key.collective, "multicast_");
  EXPECT_DOUBLE_EQ(run.cases[2].busbw_GBps.value(), 89.076);  // as printed
  EXPECT_FALSE(run.cases[2].bus_factor);
}

TEST(ImportParam, ReadsNoWrongFigureFromACutLog) {
  const std::string text = read_sample("param.log");
  std::map<CaseKey, CaseRecord> whole;
  for (const CaseRecord& c : import_one_run({.text = text, .source = "p"}).cases) whole.emplace(c.key, c);
  check_every_cut(text, text.find("COMMS-RES-"), 1, "p", [&](const ImportedRun& run) {
    for (const CaseRecord& c : run.cases) {
      EXPECT_EQ(c.time_s, whole.at(c.key).time_s);
      EXPECT_EQ(c.busbw_GBps, whole.at(c.key).busbw_GBps);
    }
  });
}

TEST(ImportParam, TakesStatedRanksAndNodes) {
  const ImportedRun run = import_sample("param.log", 8, 4);
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_EQ(run.cases.front().key.nodes, 4);
  EXPECT_FALSE(run.cases.front().key.ranks_per_node);
  EXPECT_TRUE(mentions(run.warnings, "--ranks 8 was taken, though 'world_size' says 16 ranks"));
  EXPECT_TRUE(mentions(run.warnings, "--nodes 4 was taken, though 'local_size': 8 says 1 node"));
  EXPECT_TRUE(mentions(run.head.notes, "number of ranks as stated by --ranks"));
}

TEST(ImportParam, ComparesItsWorldSizeWithTheBandwidths) {
  const std::string text = replace_first(read_sample("param.log"), "'world_size': 16", "'world_size': 12");
  EXPECT_EQ(catch_import_error({.text = text, .source = "p"}),
            "p: how many ranks took part is not clear: 'world_size' says 12 ranks, busbw/algbw of allreduce says 16 "
            "ranks; add --ranks N");
}

TEST(ImportParam, ToleratesNoise) {
  EXPECT_NE(catch_import_error({.text = "COMMS-RES\n", .source = "p", .ranks = 2}).find("no row of a collective"),
            std::string::npos);
  EXPECT_NE(catch_import_error({.text = "COMMS-RES-x-y 1 2 3\n", .source = "p", .ranks = 2}).find("1 row left out"),
            std::string::npos);
  const std::string text =
      read_sample("param.log") + "\tCOMMS-RES-all_reduce-float32 8 -1 0 0 0 0 0 0 0 0\n\tCOMMS-RES-\n" +
      "'world_size': x\n'world_size': 99999999999999}\n" + std::string(100'000, '\t') + "COMMS-RES";
  EXPECT_EQ(import_one_run({.text = text, .source = "p"}).cases.size(), 5U);
}

}  // namespace
}  // namespace busbar::test
