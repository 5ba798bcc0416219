// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/importer.hpp"

// Logs are read from tests/import, relative to the folder that ctest starts this in (tests/).

namespace busbar::test {
namespace {

std::string sample(const std::string& name) {
  std::ifstream in("import/" + name, std::ios::binary);
  EXPECT_TRUE(in) << "import/" << name << " is not there: run this in the folder tests/";
  return {std::istreambuf_iterator<char>(in), {}};
}

ImportedRun import_one(const ImportRequest& request) {
  auto runs = import_log(request);
  EXPECT_EQ(runs.size(), 1U);
  return std::move(runs.front());
}

std::string reason_for(const ImportRequest& request) {
  try {
    (void)import_log(request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "read without complaint";
}

bool holds(const std::vector<std::string>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [words](const std::string& n) { return n.find(words) != std::string::npos; });
}

TEST(ImportParam, TimesAreMediansOverRanks) {
  const std::string text = sample("param.log");
  const ImportedRun run = import_one({.text = text, .source = "param.log"});
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
  EXPECT_EQ(run.head.method.rank_rule, "median");
  EXPECT_EQ(run.head.method.statistic, "mean");
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_EQ(run.collective, "allreduce, alltoall");
  EXPECT_EQ(run.warnings.size(), 1U);
  EXPECT_TRUE(holds(run.warnings, "1 row left out: point-to-point"));
}

TEST(ImportParam, OldReleasesNameNeitherCollectiveNorRanks) {
  const std::string text = sample("param.old.log");
  EXPECT_NE(reason_for({.text = text, .source = "p.log"}).find("add --ranks N"), std::string::npos);
  EXPECT_NE(reason_for({.text = text, .source = "p.log", .ranks = 8})
                .find("p.log: line 3: the rows of this release do "
                      "not name the collective; add --collective"),
            std::string::npos);
  const ImportedRun run = import_one({.text = text, .source = "p.log", .collective = "allreduce", .ranks = 8});
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(run.cases[1].time_s.value(), 104.2e-6);
  EXPECT_EQ(run.cases[1].key.backend, "unknown");
  EXPECT_FALSE(run.cases[1].key.nodes || run.cases[1].key.memory || run.cases[1].key.cadence);
  EXPECT_TRUE(holds(run.warnings, "1 row cannot be read"));
}

TEST(ImportParam, PrintedBandwidthsThatDoNotFitAreKept) {
  std::string text = sample("param.log");
  text.replace(text.find("89.076"), 6, "99.076");
  const ImportedRun run = import_one({.text = text, .source = "p.log"});
  EXPECT_DOUBLE_EQ(run.cases[2].busbw_GBps.value(), 99.076);
  EXPECT_FALSE(run.cases[2].bus_factor);
  EXPECT_TRUE(holds(run.warnings, "1 of 10 printed bandwidths are not what size, time and collective give"));
}

TEST(ImportParam, ACollectiveWithoutACanonicalNameKeepsItsOwn) {
  std::string text = sample("param.log");
  for (std::size_t at = text.find("all_reduce"); at != std::string::npos; at = text.find("all_reduce", at))
    text.replace(at, 10, "multicast_");
  const ImportedRun run = import_one({.text = text, .source = "p.log"});
  EXPECT_EQ(run.cases[2].key.collective, "multicast_");
  EXPECT_DOUBLE_EQ(run.cases[2].busbw_GBps.value(), 89.076);  // as printed
  EXPECT_FALSE(run.cases[2].bus_factor);
}

TEST(ImportParam, CutAnywhereNoFigureIsWrong) {
  const std::string text = sample("param.log");
  std::map<CaseKey, CaseRecord> whole;
  for (const CaseRecord& c : import_one({.text = text, .source = "p"}).cases) whole.emplace(c.key, c);
  for (std::size_t end = text.find("COMMS-RES-"); end < text.size(); ++end) {
    try {
      const auto runs = import_log({.text = std::string_view(text).substr(0, end), .source = "p"});
      for (const CaseRecord& c : runs.front().cases) {
        EXPECT_EQ(c.time_s, whole.at(c.key).time_s) << "cut after " << end;
        EXPECT_EQ(c.busbw_GBps, whole.at(c.key).busbw_GBps) << "cut after " << end;
      }
    } catch (const UsageError&) {  // too little of it
    }
  }
}

TEST(ImportParam, NoiseIsSurvived) {
  EXPECT_NE(reason_for({.text = "COMMS-RES\n", .source = "p", .ranks = 2}).find("no row of a collective"),
            std::string::npos);
  EXPECT_NE(reason_for({.text = "COMMS-RES-x-y 1 2 3\n", .source = "p", .ranks = 2}).find("1 row left out"),
            std::string::npos);
  const std::string text = sample("param.log") + "\tCOMMS-RES-all_reduce-float32 8 -1 0 0 0 0 0 0 0 0\n\tCOMMS-RES-\n" +
                           "'world_size': x\n'world_size': 99999999999999}\n" + std::string(100'000, '\t') +
                           "COMMS-RES";
  EXPECT_EQ(import_one({.text = text, .source = "p"}).cases.size(), 5U);
  EXPECT_NE(reason_for({.text = text, .source = "p", .ranks = 8}).find("--ranks 8 contradicts"), std::string::npos);
}

}  // namespace
}  // namespace busbar::test
