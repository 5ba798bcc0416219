// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/placement.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/expected/placement_blocks.hpp"
#include "reports/expected/registry_entry.hpp"

namespace busbar::expected::test {
namespace {

using testing::HasSubstr, testing::Not;

constexpr std::uint64_t gib = 1U << 30U;

KnownRun known_run(const std::string& device, int nodes, double busbw_GBps, KnownState state = KnownState::normal) {
  return {.device = device,
          .per_node = 8,
          .nodes = nodes,
          .ranks = 8 * nodes,
          .inter = "InfiniBand NDR",
          .inter_GBps = 400,
          .state = state,
          .rows = {{.collective = "allreduce", .bytes = gib, .busbw_GBps = busbw_GBps, .line = "a"},
                   {.collective = "allreduce", .bytes = 8, .time_us = busbw_GBps / 10, .line = "b"}}};
}

/// allreduce of 1 GiB on 2 nodes of H100 with 100 to 500 GB/s, and others.
std::vector<KnownSource> known() {
  KnownSource source{.title = "a page", .url = "https://example.org/results"};
  for (const double busbw : {300.0, 100.0, 500.0, 200.0, 400.0})
    source.results.push_back(known_run("H100-SXM5-80GB", 2, busbw));
  source.results.push_back(known_run("H100-SXM5-80GB", 2, 50, KnownState::problem));
  source.results.push_back(known_run("H100-SXM5-80GB", 2, 450, KnownState::threshold));
  source.results.push_back(known_run("H100-PCIe-80GB", 2, 40));
  source.results.push_back(known_run("A100-SXM4-80GB", 8, 150));
  return {source};
}

/// One case on 8 GPUs a node.
Run run_on(const std::string& gpu, int nodes, std::uint64_t bytes, double busbw_GBps) {
  Run run;
  run.path = "run.jsonl";
  run.head.hosts.push_back({.name = "secret-host", .gpus = {Gpu{.name = gpu}}});
  CaseRecord c{.key = {.collective = "allreduce",
                       .backend = "nccl",
                       .memory = "device",
                       .type = "fp32",
                       .bytes = bytes,
                       .ranks = 8 * nodes,
                       .nodes = nodes}};
  c.busbw_GBps = c.algbw_GBps = busbw_GBps;
  c.time_s = 25e-6;
  run.cases.push_back(c);
  return run;
}

RunPlacement placed(const Run& run, double network_GBps = 400) {
  static const std::vector<KnownSource> all = known();
  static std::vector<Run> runs;
  runs = {run};
  return place(runs, LineRate{.GBps = network_GBps, .text = ""}, all).front();
}

TEST(DeviceFamily, IsTheFirstWordOfAPublishedDevice) {
  EXPECT_EQ(device_family("NVIDIA H100 80GB HBM3", known()), "H100");
  EXPECT_EQ(device_family("NVIDIA H100 PCIe", known()), "H100 PCIe");
  EXPECT_EQ(device_family("NVIDIA GH1000", known()), "");
}

TEST(Placement, CountsTheWorseOnesOfTheSameDeviceNodesAndNetwork) {
  const RunPlacement p = placed(run_on("NVIDIA H100 80GB HBM3", 2, gib, 350));
  ASSERT_EQ(p.placed.size(), 1U);
  EXPECT_EQ(p.placed[0].usual.size(), 5U);
  EXPECT_EQ(p.placed[0].worse, 3U);
  EXPECT_EQ(p.placed[0].others.size(), 2U);
  EXPECT_THAT(p.placed[0].likeness, HasSubstr("H100, 2 nodes, about 400 GB/s a node"));
}

TEST(Placement, ComparesSmallMessagesByTime) {
  const RunPlacement p = placed(run_on("NVIDIA H100 80GB HBM3", 2, 8, 1));
  ASSERT_EQ(p.placed.size(), 1U);
  EXPECT_TRUE(p.placed[0].is_time);
  EXPECT_EQ(p.placed[0].worse, 3U);  // 30, 40 and 50 us take longer than 25
}

TEST(Placement, TakesLessAlikeResultsWhereTooFewAreAlike) {
  EXPECT_THAT(placed(run_on("NVIDIA H100 80GB HBM3", 2, gib, 350), 50).placed.at(0).likeness, HasSubstr("any network"));
  EXPECT_THAT(placed(run_on("NVIDIA A100-SXM4-40GB", 4, gib, 90)).placed.at(0).likeness, HasSubstr("2 to 16 nodes"));
}

TEST(Placement, SaysWhatIsNotComparable) {
  EXPECT_THAT(placed(run_on("NVIDIA A100-SXM4-40GB", 64, gib, 90)).without,
              testing::ElementsAre(HasSubstr("64 nodes")));
  EXPECT_THAT(placed(run_on("NVIDIA L4", 2, gib, 90)).why_not, HasSubstr("no public result has a NVIDIA L4"));
  busbar::Run lab = run_on("NVIDIA H100 80GB HBM3", 2, gib, 350);
  lab.head.hosts[0].lab = "1 of 2";
  EXPECT_EQ(placed(lab).why_not, "measured on a lab");
}

TEST(Placement, HasAPercentileFromFiveResultsOn) {
  const auto text = [](const RunPlacement& p) {
    return std::get<report::KeyValues>(blocks_of(std::vector{p}).at(1)).rows.at(0).second;
  };
  EXPECT_EQ(
      text(placed(run_on("NVIDIA H100 80GB HBM3", 2, gib, 350))),
      "allreduce at 1 GiB: 350.00 GB/s, better than 3 of 5 public results (H100, 2 nodes, about 400 GB/s a node; "
      "100.00 "
      "GB/s to 500.00 GB/s, median 300.00 GB/s): between percentile 50 and 67. Health checks ask for 450.00 GB/s.");
  EXPECT_THAT(text(placed(run_on("NVIDIA A100-SXM4-40GB", 8, gib, 90))), Not(HasSubstr("percentile")));
}

TEST(RegistryEntry, HasFiguresAndNoNames) {
  const RegistryEntry entry = registry_entry(run_on("NVIDIA H100 80GB HBM3", 2, gib, 350), "my rack");
  EXPECT_EQ(entry.rows, 1U);
  EXPECT_THAT(entry.text, Not(HasSubstr("secret")));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "busbar-registry-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.json") << entry.text;
  const auto read = read_known_results(folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].results.at(0).platform, "my rack");
  EXPECT_EQ(read[0].results.at(0).nodes, 2);
  EXPECT_EQ(read[0].results.at(0).rows.at(0).busbw_GBps, 350);
}

TEST(RegistryEntry, RefusesWhatIsNotOfAMachineAsItIs) {
  busbar::Run run = run_on("NVIDIA H100 80GB HBM3", 2, gib, 350);
  run.head.origin = Origin::simulated;
  EXPECT_THROW((void)registry_entry(run, ""), Error);
}

}  // namespace
}  // namespace busbar::expected::test
