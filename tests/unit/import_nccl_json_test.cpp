// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

const std::string out_of_place = "allreduce/nccl/device/fp32/sum/out_of_place";
const std::string in_place = "allreduce/nccl/device/fp32/sum/in_place";

ImportedRun import_text(const std::string& text, std::optional<int> ranks = {}) {
  return import_one_run({.text = text, .source = "out.json", .ranks = ranks});
}

// nccl-tests

TEST(ImportNcclJson, ReadsARunOfTwoProcesses) {
  const ImportedRun run = import_sample("nccl.two_processes.json");
  EXPECT_EQ(run.rows, 3);
  ASSERT_EQ(run.cases.size(), 6U);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_EQ(run.end.status, EndStatus::ok);
  const CaseRecord& c = find_case(run, out_of_place, 1048576);
  EXPECT_EQ(to_string(c.key),
            "allreduce/nccl/device/fp32/sum/out_of_place/ranks:8/nodes:2/ranks_per_node:4/streaming/bytes:1048576");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 47.118805e-6);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 1048576 / 47118.805);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.75);
  EXPECT_EQ(c.check.state, CheckState::passed);  // nwrong is 0.000000
  EXPECT_FALSE(c.key.root);                      // "    -1"
  EXPECT_EQ(c.count, 262144U);
}

TEST(ImportNcclJson, MultipliesProcessesThreadsAndGpusToRanks) {
  const RunRecord head = import_sample("nccl.two_processes.json").head;
  EXPECT_EQ(head.ranks, 8);  // two devices are listed, each the first of a process with -g 4
  EXPECT_EQ(head.nodes, 2);
  ASSERT_EQ(head.placement.size(), 8U);
  EXPECT_EQ(head.placement[4].host, "gpu-b");
  EXPECT_EQ(head.placement[4].device_bus, "0000:1b:00");
  EXPECT_FALSE(head.placement[5].device || head.placement[5].device_bus);
  ASSERT_EQ(head.hosts.size(), 2U);
  EXPECT_EQ(head.hosts[0].gpus.size(), 1U);
  EXPECT_TRUE(mentions(head.notes, "of which the file describes the first"));
  const std::string threads = replace_first(read_sample("nccl.two_processes.json"), "\"nthreads\":1", "\"nthreads\":2");
  EXPECT_EQ(import_text(threads).head.ranks, 16);
}

TEST(ImportNcclJson, ReadsTheMethodFromTheCommandLine) {
  const RunRecord head = import_sample("nccl.two_processes.json").head;
  EXPECT_EQ(head.argv.front(), "./build/all_reduce_perf");
  EXPECT_EQ(head.argv.size(), 13U);
  EXPECT_EQ(head.method.rank_rule, RankRule::slowest);  // -a 3
  EXPECT_EQ(head.method.iterations, 20);
  EXPECT_EQ(head.method.warmup_iterations, 1);
  EXPECT_EQ(head.method.cadence, "streaming");
  EXPECT_EQ(head.libraries, (std::map<std::string, std::string>{{"nccl", "2.27.7"}}));
  EXPECT_TRUE(mentions(head.notes, "ran from 2026-02-03 09:12:44 to 2026-02-03 09:12:51"));
  EXPECT_FALSE(head.start_utc);  // its times have no zone
}

TEST(ImportNcclJson, KeepsOnlyAllowedVariables) {
  const ImportedRun run = import_sample("nccl.two_processes.json");
  EXPECT_EQ(
      run.head.environment,
      (std::map<std::string, std::string>{
          {"NCCL_DEBUG", "WARN"}, {"NCCL_IB_HCA", "mlx5_0"}, {"SLURM_NNODES", "2"}, {"UCX_TLS", "rc,cuda_copy"}}));
}

TEST(ImportNcclJson, ReadsTimesOfIterationsAsSamples) {
  const ImportedRun run = import_sample("nccl.iterations.json");
  const CaseRecord& c = find_case(run, out_of_place, 1024);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 12.3e-6);  // by the host's clock, unlike the samples
  ASSERT_EQ(c.samples_s.size(), 4U);            // six, of which -K 2 leaves the first two out
  EXPECT_EQ(c.samples_taken, 4U);
  EXPECT_LT(c.statistics.value().max_s, 13e-6);
  EXPECT_EQ(c.calls_per_sample, 1);
  EXPECT_EQ(run.head.method.clock, "cuda_events");
  EXPECT_TRUE(mentions(run.head.notes, "of each the largest over GPUs and processes"));
  ASSERT_EQ(c.ranks.size(), 2U);  // a process is a rank here
  EXPECT_LE(c.ranks[0].min_s, c.ranks[0].median_s);
  EXPECT_DOUBLE_EQ(std::max(c.ranks[0].max_s, c.ranks[1].max_s), c.statistics->max_s);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
}

TEST(ImportNcclJson, DropsProcessTimesWhereAProcessHasSeveralRanks) {
  const std::string text = replace_first(read_sample("nccl.iterations.json"), "\"ngpus\":1", "\"ngpus\":2");
  const ImportedRun run = import_text(text, 2);  // every rank is listed, as newer releases do
  EXPECT_TRUE(find_case(run, out_of_place, 1024).ranks.empty());
  EXPECT_EQ(find_case(run, out_of_place, 1024).samples_s.size(), 4U);
}

TEST(ImportNcclJson, WarnsOfIterationsThatContradictTheirMean) {
  const std::string text = read_sample("nccl.iterations.json");
  const std::size_t at = text.find("\"avg_us\":") + 9;
  std::string other = text;
  other[at] = other[at] == '9' ? '8' : '9';
  EXPECT_TRUE(mentions(import_text(other).warnings, "do not give the mean that the file has for them in 1 case"));
}

TEST(ImportNcclJson, SkipsIterationsThatAreNoNumbers) {
  const std::string text = replace_first(read_sample("nccl.iterations.json"), "\"times_us\":[", "\"times_us\":[\"x\",");
  const ImportedRun run = import_text(replace_first(text, "\"skipped_iterations\":2", "\"skipped_iterations\":0"));
  EXPECT_TRUE(mentions(run.warnings, "times of iterations cannot be read in 1 case"));
  EXPECT_TRUE(find_case(run, out_of_place, 1024).samples_s.empty());
  EXPECT_DOUBLE_EQ(find_case(run, out_of_place, 1024).time_s.value(), 12.3e-6);
}

TEST(ImportNcclJson, ReadsBareInfinityAsUnknown) {
  const ImportedRun run = import_sample("nccl.zero_time.json");
  const CaseRecord& c = find_case(run, "broadcast/nccl/device/fp32/root:0/out_of_place", 64);
  EXPECT_EQ(c.time_s, 0.0);
  EXPECT_FALSE(c.algbw_GBps || c.busbw_GBps);
  EXPECT_TRUE(find_case(run, "broadcast/nccl/device/fp32/root:0/in_place", 64).algbw_GBps);
  EXPECT_TRUE(mentions(run.head.notes, "2 values written as inf or nan"));
  EXPECT_EQ(c.check.state, CheckState::off);  // nwrong is null
  EXPECT_EQ(c.key.root, 0);                   // "     0"
  EXPECT_FALSE(c.key.op);                     // "none"
}

TEST(ImportNcclJson, ReadsTheCadenceFromTheCommandLine) {
  const RunRecord head = import_sample("nccl.zero_time.json").head;
  EXPECT_EQ(head.method.cadence, "blocking");
  EXPECT_TRUE(mentions(head.notes, "a barrier that is not timed followed it"));  // -z 3
  const std::string without = replace_first(read_sample("nccl.zero_time.json"), "\"-z\",\"3\",", "");
  EXPECT_TRUE(mentions(import_text(without).head.notes, "in which way (-z) is not known"));
}

TEST(ImportNcclJson, FailsOnlyCasesWithWrongElements) {
  const ImportedRun run = import_sample("nccl.wrong_values.json");
  EXPECT_EQ(find_case(run, out_of_place, 2048).status, Status::failed);
  EXPECT_EQ(find_case(run, out_of_place, 2048).check.wrong_elements, 12);
  EXPECT_EQ(find_case(run, in_place, 2048).status, Status::ok);
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_EQ(run.end.cases.failed, 1);
}

TEST(ImportNcclJson, NotesCpuTimes) {
  std::string text = read_sample("nccl.wrong_values.json");
  for (int i = 0; i < 4; ++i) text = replace_first(text, "\"time\":", "\"cpu_time\":");
  const ImportedRun run = import_text(text);
  EXPECT_EQ(run.cases.size(), 4U);
  EXPECT_TRUE(mentions(run.head.notes, "CPU times"));
}

TEST(ImportNcclJson, ReadsWholeRowsOfAKilledRun) {
  const ImportedRun run = import_sample("nccl.cut_off.json");
  EXPECT_EQ(run.cases.size(), 5U);  // of the last row the half that is whole
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_TRUE(mentions(run.warnings, "it ends in the middle of line 1; 3 rows before that can be read"));
}

TEST(ImportNcclJson, ReadsNoWrongFigureFromACutFile) {
  const std::string text = read_sample("nccl.iterations.json");
  std::map<CaseKey, std::pair<double, std::vector<double>>> whole;
  for (const CaseRecord& c : import_text(text).cases) whole[c.key] = {c.time_s.value(), c.samples_s};
  for (std::size_t end = text.find("\"results\":["); end < text.size(); ++end) {
    for (const CaseRecord& c : cases_if_any({.text = text.substr(0, end), .source = "all_reduce.json"})) {
      ASSERT_EQ(c.time_s, whole.at(c.key).first) << "cut after " << end << " characters";
      ASSERT_TRUE(c.samples_s.empty() || c.samples_s == whole.at(c.key).second) << "cut after " << end;
    }
  }
  const std::string half = text.substr(0, text.rfind("\"size\""));
  EXPECT_TRUE(mentions(import_text(half).warnings, "the file is cut off or damaged"));
}

TEST(ImportNcclJson, RefusesAFileCutInItsHeadInOneLine) {
  const std::string text = read_sample("nccl.two_processes.json");
  const std::string reason = catch_import_error({.text = text.substr(0, 300), .source = "out.json"});
  EXPECT_NE(reason.find("out.json: the log does not say how many ranks took part; add --ranks N"), std::string::npos)
      << reason;
}

TEST(ImportNcclJson, TrimsADeviceNameThatWasCutShort) {
  const std::string text =
      replace_first(read_sample("nccl.two_processes.json"), "NVIDIA H200", "NVIDIA ");  // the rest was cut short
  EXPECT_EQ(import_text(text).head.placement[0].device, "NVIDIA");
}

TEST(ImportNcclJson, ReadsAnotherVersionWithAWarning) {
  const ImportedRun run = import_sample("nccl.version_4.json");
  EXPECT_TRUE(mentions(run.warnings, "its JSON is of version 4; this importer reads version 3"));
  EXPECT_EQ(run.head.ranks, 2);  // it lists every rank, so that -g 2 makes no more of them
  EXPECT_EQ(run.head.placement[1].device_bus, "0000:2b:00");
  const std::string none = replace_first(read_sample("nccl.version_4.json"), "\"version\":4,", "");
  EXPECT_TRUE(mentions(import_text(none).warnings, "of an unknown version"));
}

TEST(ImportNcclJson, AsksForTheCollectiveOfAnUnknownProgram) {
  const std::string text = replace_first(read_sample("nccl.two_processes.json"), "all_reduce_perf", "my_benchmark");
  EXPECT_NE(catch_import_error({.text = text, .source = "out.json"}).find("--collective"), std::string::npos);
  EXPECT_EQ(import_one_run({.text = text, .source = "out.json", .collective = "allreduce"}).cases.size(), 6U);
}

TEST(ImportNcclJson, SkipsUnreadableRowsOnly) {
  const std::string text = replace_first(read_sample("nccl.two_processes.json"), "\"size\":32768", "\"size\":\"much\"");
  const ImportedRun run = import_text(text);
  EXPECT_EQ(run.cases.size(), 4U);
  EXPECT_TRUE(mentions(run.warnings, "1 row of \"results\" cannot be read (the first is number 2)"));
}

TEST(ImportNcclJson, RefusesAnAbsurdNumberOfRanks) {
  const std::string text = replace_first(read_sample("nccl.two_processes.json"), "\"ngpus\":4", "\"ngpus\":2000000000");
  EXPECT_NE(catch_import_error({.text = text, .source = "out.json"}).find("131072"), std::string::npos);
}

TEST(ImportNcclJson, CountsDevicesWithoutAHost) {
  const std::string text =
      replace_first(read_sample("nccl.two_processes.json"), "\"hostname\":\"gpu-b\"", "\"hostname\":\"\"");
  const ImportedRun run = import_text(text);
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_TRUE(run.head.hosts.empty());
  EXPECT_FALSE(run.cases.front().key.nodes);
}

TEST(ImportNcclJson, TakesTheNodesThatTheUserStates) {
  const ImportedRun run = import_sample("nccl.two_processes.json", {}, 4);
  EXPECT_EQ(run.head.nodes, 4);
  EXPECT_TRUE(mentions(run.warnings, "--nodes 4 was taken, though the log lists 2 nodes"));
  EXPECT_EQ(import_sample("rccl.lines.json", {}, 1).cases.front().key.ranks_per_node, 4);
}

// rccl-tests

TEST(ImportRcclJson, ReadsOneObjectPerLine) {
  const ImportedRun run = import_sample("rccl.lines.json");
  EXPECT_EQ(run.rows, 4);
  const CaseRecord& c = find_case(run, "allreduce/rccl/device/fp32/sum/in_place/ranks:4/nodes:?", 1048576);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 61.25e-6);
  EXPECT_NEAR(c.busbw_GBps.value(), 1.5 * c.algbw_GBps.value(), 1e-9);
  EXPECT_EQ(c.check.state, CheckState::passed);
  EXPECT_EQ(run.head.tool.name, "rccl-tests");
  EXPECT_EQ(run.head.method.rank_rule, RankRule::unknown);
  EXPECT_FALSE(c.key.cadence);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
}

TEST(ImportRcclJson, ReadsAListWithRanksAndNodes) {
  const ImportedRun run = import_sample("rccl.list.json");
  const CaseRecord& c = find_case(run, "reduce_scatter/rccl", 4096);
  EXPECT_EQ(c.key.ranks, 4);
  EXPECT_EQ(c.key.nodes, 2);
  EXPECT_EQ(c.key.ranks_per_node, 2);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 0.75);
  EXPECT_EQ(run.cases.back().check.state, CheckState::off);  // "#wrong":"N/A"
}

TEST(ImportRcclJson, TakesStatedRanksAndNodes) {
  const ImportedRun run = import_sample("rccl.list.json", 8, 4);
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_EQ(run.cases.front().key.nodes, 4);
  EXPECT_FALSE(run.cases.front().key.ranks_per_node);
  EXPECT_TRUE(mentions(run.warnings, "--ranks 8 was taken, though the file says 4 ranks"));
  EXPECT_TRUE(mentions(run.warnings, "--nodes 4 was taken, though the log lists 2 nodes"));
  const std::string text = read_sample("rccl.list.json");
  EXPECT_EQ(catch_import_error({.text = text, .source = "f", .nodes = 9}), "f: --nodes 9 is more than its 4 ranks");
}

TEST(ImportNcclJson, TakesStatedRanks) {
  const ImportedRun run = import_sample("nccl.two_processes.json", 4);
  EXPECT_EQ(run.head.ranks, 4);
  EXPECT_TRUE(mentions(run.warnings, "--ranks 4 was taken, though the list has 8 of 8 ranks"));
  EXPECT_TRUE(mentions(run.head.notes, "number of ranks as stated by --ranks"));
}

TEST(ImportRcclJson, AcceptsSeveralGpusPerProcess) {
  std::string text = read_sample("rccl.list.json");
  for (int i = 0; i < 4; ++i) text = replace_first(text, "\"gpusPerRank\":1", "\"gpusPerRank\":8");
  EXPECT_EQ(import_text(text).head.ranks, 32);
}

TEST(ImportRcclJson, SkipsTornLinesOnly) {
  const ImportedRun run =
      import_text(replace_first(read_sample("rccl.lines.json"), "\"time\":19.89765,", "\"time\":19.8"));
  EXPECT_EQ(run.cases.size(), 3U);
  EXPECT_TRUE(mentions(run.warnings, "1 row cannot be read (the first is line 2)"));
}

TEST(ImportRcclJson, ReadsWholeRowsOfACutList) {
  const std::string text = read_sample("rccl.list.json");
  const ImportedRun run = import_text(text.substr(0, text.size() - 60));
  EXPECT_EQ(run.cases.size(), 3U);
  EXPECT_TRUE(mentions(run.warnings, "it ends in the middle of line 5"));
}

TEST(ImportRcclJson, MakesARunOfEachConcatenatedFile) {
  const std::string text =
      read_sample("rccl.lines.json") + replace_first(read_sample("rccl.lines.json"), "AllReduce", "AllGather");
  const auto runs = import_log({.text = text, .source = "all.json"});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "1-allreduce");
  EXPECT_EQ(runs[1].name, "2-allgather");
  EXPECT_NE(runs[0].head.id, runs[1].head.id);
}

TEST(ImportRcclJson, AsksForUnknownRanks) {
  std::string text = read_sample("rccl.lines.json");
  for (int i = 0; i < 4; ++i) text = replace_first(text, "\"gpus\":4,", "");
  EXPECT_NE(catch_import_error({.text = text, .source = "f"}).find("--ranks N"), std::string::npos);
  EXPECT_EQ(import_text(text, 4).head.ranks, 4);
}

TEST(ImportRcclJson, RefusesUnusableRowsInOneLine) {
  const std::string text = R"({"algBw":1,"busBw":1,"inPlace":7,"size":1,"time":1})";
  EXPECT_NE(catch_import_error({.text = text, .source = "f"}).find("none of its rows can be used"), std::string::npos);
}

}  // namespace
}  // namespace busbar::test
