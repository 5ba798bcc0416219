// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/nccl/nccl_table.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

const CaseRecord* find(const ImportedRun& run, std::uint64_t bytes, bool in_place) {
  for (const CaseRecord& c : run.cases)
    if (c.key.bytes == bytes && c.key.in_place == in_place) return &c;
  ADD_FAILURE() << "no case of " << bytes << " bytes";
  return &run.cases.front();
}

constexpr std::string_view columns =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
constexpr std::string_view one_rank = "#  Rank  0 Group  0 Pid  1 on a device  0 [0x07] GPU\n";
constexpr std::string_view one_row = "1024 256 float sum -1 20.00 0.05 0.00 0 10.00 0.10 0.00 0\n";

std::string make_log(std::string_view row) { return std::string(one_rank) + std::string(columns) + std::string(row); }

ImportedRun import_row(std::string_view row) {
  const std::string log = make_log(row);
  return import_one_run({.text = log, .source = "all_reduce.log"});
}

// Figures

TEST(ImportNcclTests, ReadsARealLog) {
  const ImportedRun run = import_sample("polaris-n2.all_gather.setting1.log");
  EXPECT_EQ(run.rows, 29);
  ASSERT_EQ(run.cases.size(), 50U);  // 24 sizes and size 0 once, in two places
  EXPECT_EQ(run.collective, "allgather");
  EXPECT_EQ(run.end.status, EndStatus::ok);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_TRUE(mentions(run.head.notes, "8 cases more of size 0"));

  const CaseRecord& c = *find(run, 1073741824, false);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 0.104394);
  EXPECT_NEAR(c.algbw_GBps.value(), 10.29, 0.005);
  EXPECT_NEAR(c.busbw_GBps.value(), 9.00, 0.005);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 7.0 / 8);
  EXPECT_EQ(c.count, 33554432U);
  EXPECT_EQ(to_string(c.key),
            "allgather/nccl/device/fp32/out_of_place/ranks:8/nodes:2/ranks_per_node:4/streaming/bytes:1073741824");
  EXPECT_DOUBLE_EQ(find(run, 65536, true)->time_s.value(), 108.5e-6);

  const CaseRecord& nothing = *find(run, 0, false);
  EXPECT_DOUBLE_EQ(nothing.time_s.value(), 7.59e-6);  // the first of five
  EXPECT_FALSE(nothing.algbw_GBps || nothing.busbw_GBps);
}

TEST(ImportNcclTests, ReadsPlacementFromRankLines) {
  const RunRecord head = import_sample("polaris-n2.all_gather.setting1.log").head;
  EXPECT_EQ(head.origin, Origin::imported);
  EXPECT_EQ(head.tool.name, "nccl-tests");
  EXPECT_FALSE(head.tool.version || head.start_utc || head.mpi);
  EXPECT_EQ(head.ranks, 8);
  EXPECT_EQ(head.nodes, 2);
  ASSERT_EQ(head.hosts.size(), 2U);
  EXPECT_EQ(head.hosts[1].name, "x3006c0s25b0n0");
  EXPECT_EQ(head.hosts[1].gpus.size(), 4U);
  EXPECT_EQ(head.placement.at(5).host, "x3006c0s25b0n0");
  EXPECT_EQ(head.placement.at(5).device, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(head.placement.at(5).device_bus, "0x46");
  EXPECT_EQ(head.method.warmup_iterations, 5);
  EXPECT_EQ(head.method.iterations, 20);
  EXPECT_EQ(head.method.aggregated_iterations, 1);
  EXPECT_EQ(head.method.check, "some_calls");
}

TEST(ImportNcclTests, ComputesBandwidthsPrintedAsZero) {
  const ImportedRun run = import_row("8 2 float sum -1 40.00 0.00 0.00 0 20.00 0.00 0.00 0\n");
  EXPECT_DOUBLE_EQ(find(run, 8, false)->algbw_GBps.value(), 0.0002);
  EXPECT_TRUE(mentions(run.head.notes, "bandwidths are computed"));
}

TEST(ImportNcclTests, KeepsABandwidthMorePreciseThanItsTime) {
  const ImportedRun run = import_row("8388608 2097152 float sum -1 316.0 26.54 0.00 0 316.0 26.55 0.00 0\n");
  EXPECT_DOUBLE_EQ(find(run, 8388608, false)->algbw_GBps.value(), 26.54);  // size/time is 26.546
  EXPECT_DOUBLE_EQ(find(run, 8388608, true)->algbw_GBps.value(), 8388608 / 316e3);
  EXPECT_FALSE(mentions(run.head.notes, "are not what size and time give"));
}

TEST(ImportNcclTests, KeepsABandwidthThatContradictsItsTime) {
  const ImportedRun run = import_row("1024 256 float sum -1 20.00 0.07 0.00 0 10.00 0.10 0.00 0\n");
  EXPECT_DOUBLE_EQ(find(run, 1024, false)->algbw_GBps.value(), 0.07);
  EXPECT_TRUE(mentions(run.warnings, "1 of 4 printed bandwidths are not size/time"));
}

// Variants of the table

TEST(ImportNcclTests, ReadsPerIterationColumnsAndTimestamps) {
  const ImportedRun run = import_sample("per_iteration.log");
  ASSERT_EQ(run.cases.size(), 6U);
  EXPECT_DOUBLE_EQ(find(run, 2097152, true)->time_s.value(), 94.8e-6);
  EXPECT_EQ(find(run, 2097152, true)->check.state, CheckState::passed);
  EXPECT_EQ(run.head.tool.version, "2.17.6");
  EXPECT_EQ(run.head.placement.at(1).device_bus, "0000:1b:00");
  EXPECT_TRUE(mentions(run.head.notes, "collective taken from the log"));
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportNcclTests, ReadsTimestampsARootAndAnotherType) {
  const ImportedRun run = import_sample("timestamps.log");
  ASSERT_EQ(run.cases.size(), 4U);
  EXPECT_EQ(to_string(find(run, 2048, true)->key),
            "reduce/nccl/device/fp16/max/root:0/in_place/ranks:2/nodes:2/ranks_per_node:1/streaming/bytes:2048");
  EXPECT_DOUBLE_EQ(find(run, 2048, true)->time_s.value(), 22.8e-6);
}

TEST(ImportNcclTests, ReadsBlockingCpuTimesInScientificNotation) {
  const ImportedRun run = import_sample("cputime_blocking.log");
  const CaseRecord& c = *find(run, 8589934592, false);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 23.0);
  EXPECT_EQ(c.key.cadence, "blocking");
  EXPECT_NEAR(c.busbw_GBps.value(), 0.5 * c.algbw_GBps.value(), 0.01);
  EXPECT_TRUE(mentions(run.head.notes, "CPU times"));
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportNcclTests, MakesOneCaseOfARowWithABlankHalf) {
  const ImportedRun run = import_sample("all_reduce.blank_half.log");
  ASSERT_EQ(run.cases.size(), 3U);
  EXPECT_TRUE(run.cases[0].key.in_place.value());
  EXPECT_DOUBLE_EQ(run.cases[0].time_s.value(), 12.25e-6);
}

TEST(ImportNcclTests, ReadsOldReleasesWithErrorsInsteadOfCounts) {
  const ImportedRun run = import_sample("all_reduce.old_errors.log");
  const CaseRecord& c = *find(run, 2097152, false);
  EXPECT_EQ(c.check.state, CheckState::passed);  // 5e-07 is a difference, and the log says that none is out of bounds
  EXPECT_FALSE(c.check.wrong_elements || c.key.root);
  EXPECT_EQ(c.key.op, "sum");
  EXPECT_EQ(run.head.ranks, 2);
  EXPECT_EQ(run.head.nodes, 1);
}

TEST(ImportNcclTests, ReadsOldReleasesWithoutReduction) {
  const ImportedRun run = import_sample("sendrecv.old_without_redop.log");
  const CaseRecord& c = *find(run, 1024, true);
  EXPECT_EQ(to_string(c.key), "sendrecv/nccl/device/fp32/in_place/ranks:2/nodes:1/streaming/bytes:1024");
  EXPECT_EQ(c.check.state, CheckState::off);
  EXPECT_EQ(run.head.method.check, "off");
}

TEST(ImportNcclTests, FailsOnlyCasesWithWrongElements) {
  const ImportedRun run = import_sample("wrong_values.log");
  const CaseRecord& bad = *find(run, 2048, true);
  EXPECT_EQ(bad.status, Status::failed);
  EXPECT_EQ(bad.check.state, CheckState::failed);
  EXPECT_EQ(bad.check.wrong_elements, 12);
  EXPECT_NE(bad.reason.value_or("").find("12 wrong elements"), std::string::npos);
  EXPECT_EQ(find(run, 2048, false)->status, Status::ok);
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_EQ(run.end.cases.ok, 3);
  EXPECT_EQ(run.end.cases.failed, 1);
}

// Launchers

class Prefixes : public testing::TestWithParam<const char*> {};

TEST_P(Prefixes, AreStripped) {
  const ImportedRun run = import_sample(GetParam());
  EXPECT_EQ(run.rows, 3);
  EXPECT_EQ(run.cases.size(), 6U);
  EXPECT_EQ(run.head.ranks, 2);
  EXPECT_DOUBLE_EQ(find(run, 1048576, true)->time_s.value(), 81.25e-6);
  EXPECT_EQ(run.end.status, EndStatus::ok);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
}

INSTANTIATE_TEST_SUITE_P(ImportNcclTests, Prefixes,
                         testing::Values("all_reduce.tagged.log", "all_reduce.tagged_with_time.log",
                                         "all_reduce.srun_label.log"));

TEST(ImportNcclTests, ReadsLibraryAndVariablesFromNcclsLines) {
  const RunRecord head = import_sample("all_reduce.tagged.log").head;
  EXPECT_TRUE(mentions(head.notes, "NCCL version 2.21.5+cuda12.4"));
  EXPECT_EQ(head.environment, (std::map<std::string, std::string>{{"NCCL_IB_DISABLE", "1"}}));
}

TEST(ImportNcclTests, IgnoresVariablesMentionedInSentences) {
  EXPECT_TRUE(import_sample("sophia-n2.all_reduce.setting1.log").head.environment.empty());
}

TEST(ImportNcclTests, UsesACommandLineInTheLog) {
  const RunRecord head = import_sample("command_line.log").head;
  EXPECT_EQ(head.argv,
            (std::vector<std::string>{"./build/all_reduce_perf", "-b", "1K", "-e", "1M", "-f", "32", "-a", "3"}));
  EXPECT_EQ(head.method.rank_rule, RankRule::slowest);
  EXPECT_EQ(head.environment, (std::map<std::string, std::string>{{"NCCL_ALGO", "Ring"}}));
}

TEST(ImportNcclTests, IgnoresCarriageReturns) {
  std::string text;
  for (const char c : read_sample("polaris-n2.all_gather.setting1.log")) text += c == '\n' ? "\r\n" : std::string(1, c);
  const ImportedRun run = import_one_run({.text = text, .source = "all_gather.log"});
  EXPECT_EQ(run.cases.size(), 50U);
  EXPECT_EQ(run.head.placement.back().device, "NVIDIA A100-SXM4-40GB");
}

// Logs that are not one whole run

TEST(ImportNcclTests, DetectsProcessesWithoutMpi) {
  const ImportedRun run = import_sample("all_reduce.without_mpi.log");
  EXPECT_EQ(run.head.ranks, 1);
  EXPECT_TRUE(run.head.placement.empty());  // which process' rows were kept is not known
  EXPECT_EQ(run.rows, 12);
  EXPECT_EQ(run.cases.size(), 6U);
  EXPECT_TRUE(mentions(run.warnings, "4 separate jobs of 1 rank each"));
}

TEST(ImportNcclTests, SeparatesProcessesWithoutMpiByTheirMarks) {
  const ImportedRun run = import_sample("all_reduce.without_mpi_tagged.log");
  EXPECT_EQ(run.rows, 3);
  EXPECT_EQ(run.head.placement.size(), 1U);
  EXPECT_DOUBLE_EQ(find(run, 65536, false)->time_s.value(), 6.5e-6);
  EXPECT_TRUE(mentions(run.warnings, "4 separate jobs of 1 rank each"));
  EXPECT_TRUE(mentions(run.warnings, "marked [1,0]"));
}

TEST(ImportNcclTests, ReadsSeveralRunsOneAfterAnother) {
  const std::string text = read_sample("two_runs.log");
  const std::vector<ImportedRun> runs = import_log({.text = text, .source = "two_runs.log"});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "1-allreduce");
  EXPECT_EQ(runs[1].name, "2-broadcast");
  EXPECT_EQ(runs[0].rows, 3);
  EXPECT_EQ(runs[1].rows, 3);
  EXPECT_NE(runs[0].head.id, runs[1].head.id);
  for (const ImportedRun& run : runs) EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
}

TEST(ImportNcclTests, KeepsTheOtherRunsOfALogWithAnUnreadableOne) {
  std::string text = read_sample("two_runs.log");
  text.erase(text.rfind("mpirun -np 2 "), 13);  // nothing else tells how many ranks the second has
  const std::size_t second = text.rfind("# nThread");
  const std::size_t first_rank = text.find("#  Rank", second);
  for (std::size_t at = first_rank; at != std::string::npos; at = text.find("#  Rank", at))
    text.replace(at, 7, "#  Rnak");
  const std::vector<ImportedRun> runs = import_log({.text = text, .source = "two_runs.log"});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].rows, 3);
  EXPECT_TRUE(mentions(runs[0].warnings, "is left out: the log does not say how many ranks took part"));
}

TEST(ImportNcclTests, KeepsTheReasonOfACrash) {
  const ImportedRun run = import_sample("sophia-n2.all_reduce.setting1.log");
  EXPECT_TRUE(run.cases.empty());
  EXPECT_EQ(run.head.ranks, 16);
  EXPECT_EQ(run.end.status, EndStatus::aborted);
  EXPECT_NE(run.end.reason.value_or("").find("Test NCCL failure common.cu:1012 'unhandled system error"),
            std::string::npos);
  EXPECT_EQ(run.end.exit_code, 3);
}

TEST(ImportNcclTests, TakesTheLaunchersMessageAsReasonWithoutAnother) {
  const ImportedRun run = import_sample("all_reduce.killed.log");
  EXPECT_EQ(run.cases.size(), 4U);
  EXPECT_EQ(run.end.status, EndStatus::aborted);
  EXPECT_NE(run.end.reason.value_or("").find("exited on signal 9"), std::string::npos);
}

TEST(ImportNcclTests, ReadsWholeRowsOfATruncatedLog) {
  const ImportedRun run = import_sample("all_reduce.truncated.log");
  EXPECT_EQ(run.cases.size(), 4U);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_NE(run.end.reason.value_or("").find("without nccl-tests' closing lines"), std::string::npos);
  EXPECT_TRUE(mentions(run.warnings, "1 row cannot be read"));
}

TEST(ImportNcclTests, RefusesALogWithoutRows) {
  const std::string text = read_sample("polaris-n2.all_gather.setting1.log");
  const std::size_t end = text.find("#  Rank  5");
  EXPECT_EQ(
      catch_import_error({.text = std::string_view(text).substr(0, end), .source = "all_gather.log"}),
      "all_gather.log: no case in it: its tables have no rows (the log ends without nccl-tests' closing lines: it is "
      "cut off, or the program was stopped)");
  const std::string opening = "# nThread 1 nGpus 1 minBytes 8\n", closing = "# Avg bus bandwidth    : 0\n";
  const std::string second = opening + make_log("") + closing + opening + make_log(one_row) + closing;
  const ImportedRun run = import_one_run({.text = second, .source = "all_reduce.log"});
  EXPECT_EQ(run.cases.size(), 2U);
  EXPECT_TRUE(mentions(run.warnings, "no case in 1-allreduce: its tables have no rows"));
}

TEST(ImportNcclTests, KeepsTheFailureOfARunWithoutRows) {
  const ImportedRun run = import_sample("sophia-n2.all_reduce.setting1.log");
  EXPECT_TRUE(run.cases.empty());
  EXPECT_EQ(run.end.status, EndStatus::aborted);
  EXPECT_TRUE(run.end.reason);
}

TEST(ImportNcclTests, CountsRowsWithOneHalf) {
  const ImportedRun run = import_sample("all_reduce.blank_half.log");
  EXPECT_TRUE(mentions(run.head.notes, "no out-of-place half in ")) << run.head.notes.back();
  EXPECT_FALSE(mentions(import_row(one_row).head.notes, "half in "));
}

TEST(ImportNcclTests, ReadsNoWrongFigureFromACutLog) {
  const std::string text = read_sample("polaris-n2.all_gather.setting1.log");
  const ImportedRun whole = import_sample("polaris-n2.all_gather.setting1.log");
  std::map<CaseKey, double> times;
  for (const CaseRecord& c : whole.cases) times[c.key] = c.time_s.value();
  const std::size_t table = text.find("(elements)");
  for (std::size_t end = table; end < text.size(); end += 3) {
    for (const CaseRecord& c :
         cases_if_any({.text = std::string_view(text).substr(0, end), .source = "all_gather.log"}))
      ASSERT_EQ(c.time_s, times.at(c.key)) << "cut after " << end << " characters: " << to_string(c.key);
  }
}

TEST(ImportNcclTests, NoticesAMissingRowByTheLogsAverage) {
  std::string text = read_sample("polaris-n2.all_gather.setting1.log");
  const std::size_t row = text.find("   536870912 ");
  text.erase(row, text.find('\n', row) + 1 - row);
  EXPECT_TRUE(
      mentions(import_one_run({.text = text, .source = "all_gather.log"}).warnings, "rows are missing or changed"));
}

// Facts from the user

TEST(ImportNcclTests, AsksForAnUnknownCollective) {
  const std::string text = make_log(one_row);
  EXPECT_NE(
      catch_import_error({.text = text, .source = "log.txt"}).find("log.txt: neither the log nor the file's name"),
      std::string::npos);
  EXPECT_NE(catch_import_error({.text = text, .source = "log.txt"}).find("--collective"), std::string::npos);
  EXPECT_EQ(import_one_run({.text = text, .source = "log.txt", .collective = "reduce"}).collective, "reduce");
}

TEST(ImportNcclTests, WarnsOfACollectiveThatBandwidthsContradict) {
  const std::string text = read_sample("polaris-n2.all_gather.setting1.log");
  const ImportedRun run = import_one_run({.text = text, .source = "x.log", .collective = "allreduce"});
  EXPECT_TRUE(mentions(run.warnings, "the collective (from --collective) may be wrong"));
  EXPECT_DOUBLE_EQ(find(run, 1073741824, false)->busbw_GBps.value(), 9.00);  // as printed
  EXPECT_FALSE(find(run, 1073741824, false)->bus_factor);
}

TEST(ImportNcclTests, AsksForUnknownRanks) {
  const std::string text = read_sample("all_reduce.no_devices.log");
  EXPECT_NE(catch_import_error({.text = text, .source = "all_reduce.log"}).find("--ranks N"), std::string::npos);
  const ImportedRun run = import_one_run({.text = text, .source = "all_reduce.log", .ranks = 2});
  EXPECT_EQ(run.cases.front().key.ranks, 2);
  EXPECT_FALSE(run.head.nodes);
  const std::string other = read_sample("all_reduce.srun_label.log");
  const ImportedRun stated = import_one_run({.text = other, .source = "all_reduce.log", .ranks = 3});
  EXPECT_EQ(stated.head.ranks, 3);
  EXPECT_TRUE(mentions(stated.warnings, "--ranks 3 was taken, though the list has 2 of 2 ranks"));
  EXPECT_TRUE(mentions(stated.head.notes, "number of ranks as stated by --ranks"));
}

/// Rows of 4 ranks, with this reduction, root and busbw (algbw is 100 GB/s).
std::string make_rows(const std::string& op_and_root, const std::string& busbw) {
  std::string log;
  for (int i = 0; i < 4; ++i) log += fmt::format("#  Rank  {0} Group  0 Pid  {0} on a device  {0} [0x07] GPU\n", i);
  const std::string half = " 10000.00 100.00 " + busbw + " 0";
  return log + std::string(columns) + "1000000000 250000000 float " + op_and_root + half + half + "\n";
}

TEST(ImportNcclTests, InfersTheCollectiveFromItsRows) {
  struct Row {
    const char *op_and_root, *busbw, *collective;
  };
  for (const Row& row :
       {Row{"sum -1", "150.00", "allreduce"}, Row{"sum -1", "75.00", "reduce_scatter"},
        Row{"sum -1", "100.00", "sendrecv"}, Row{"max 0", "100.00", "reduce"}, Row{"none 2", "100.00", "broadcast"}}) {
    const std::string text = make_rows(row.op_and_root, row.busbw);
    const ImportedRun run = import_one_run({.text = text, .source = "x.log"});
    EXPECT_EQ(run.collective, row.collective);
    EXPECT_TRUE(mentions(run.warnings, row.collective + std::string(" inferred from redop, root and busbw/algbw")));
    EXPECT_TRUE(import_one_run({.text = text, .source = "x.log", .collective = row.collective}).warnings.empty());
  }
  const std::string either = make_rows("none -1", "75.00"), neither = make_rows("none -1", "100.00");
  EXPECT_TRUE(catch_import_error({.text = either, .source = "x.log"})
                  .ends_with("add --collective with one of: allgather, alltoall"));
  EXPECT_TRUE(catch_import_error({.text = make_rows("none 0", "75.00"), .source = "x.log"})
                  .ends_with("add --collective with one of: gather, scatter"));
  EXPECT_NE(catch_import_error({.text = neither, .source = "x.log"}).find("one of: allreduce, "), std::string::npos);
}

TEST(ImportNcclTests, WarnsIfTheRowsAreNotOfTheCollectiveThatIsNamed) {
  const auto warnings = [](const char* op_and_root, const char* collective) {
    const std::string text = make_rows(op_and_root, "75.00");
    return import_one_run({.text = text, .source = "x.log", .collective = collective}).warnings;
  };
  EXPECT_TRUE(warnings("none -1", "allgather").empty());
  EXPECT_TRUE(mentions(warnings("none -1", "gather"), "gather was taken from --collective, but no row has a root"));
  EXPECT_TRUE(mentions(warnings("none 0", "allgather"), "its rows have a root"));
  EXPECT_TRUE(mentions(warnings("none -1", "reduce_scatter"), "no row has a reduction"));
  EXPECT_TRUE(mentions(warnings("sum -1", "allgather"), "its rows have a reduction"));
}

/// An allreduce of 8 ranks on 2 hosts, with busbw/algbw = 1.75, and the command that started it.
std::string log_of_eight(const std::string& command) {
  std::string text =
      command + "\n# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20\n";
  for (int rank = 0; rank < 8; ++rank)
    text += "#  Rank  " + std::to_string(rank) + " Group  0 Pid   " + std::to_string(4000 + rank) + " on     node" +
            std::to_string(rank / 4) + " device  " + std::to_string(rank % 4) + " [0x1b] NVIDIA H100\n";
  return text +
         R"(#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
  1073741824     268435456     float     sum      -1   4000.0  268.44  469.76       0   4000.0  268.44  469.76       0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 469.76
)";
}

std::string without_line(std::string text, const std::string& part) {
  const std::size_t at = text.find(part), begin = text.rfind('\n', at) + 1;
  return text.erase(begin, text.find('\n', at) + 1 - begin);
}

const std::string eight = "mpirun -np 8 ./build/all_reduce_perf -b 8 -e 1G";
const std::string nobody_says = "./build/all_reduce_perf -b 8 -e 1G";

TEST(ImportNcclTests, CountsRanksByEverythingTheLogTells) {
  const ImportedRun whole = import_one_run({.text = log_of_eight(eight), .source = "x.log"});
  EXPECT_EQ(whole.head.ranks, 8);
  EXPECT_EQ(whole.head.nodes, 2);
  EXPECT_TRUE(whole.warnings.empty());
  const std::string between = without_line(log_of_eight(nobody_says), "Rank  3");
  const ImportedRun seven = import_one_run({.text = between, .source = "x.log"});
  EXPECT_EQ(seven.head.ranks, 8) << "the highest rank is 7";
  EXPECT_EQ(seven.head.nodes, 2);
  EXPECT_TRUE(mentions(seven.warnings, "8 ranks taken: the list has 7 of 8 ranks, busbw/algbw is that of 8 ranks"));
  const std::string last = without_line(log_of_eight(eight), "Rank  7");
  const ImportedRun decided = import_one_run({.text = last, .source = "x.log"});
  EXPECT_EQ(decided.head.ranks, 8) << "-np and busbw/algbw agree";
  EXPECT_TRUE(mentions(decided.warnings, "8 ranks taken: the list has 7 of 7 ranks, the command line starts 8 ranks"));
}

TEST(ImportNcclTests, CountsRanksByTheAllocation) {
  const std::string last = without_line(log_of_eight(nobody_says), "Rank  7");
  const ImportedRun decided = import_one_run({.text = "SLURM_NTASKS=8\n" + last, .source = "x.log"});
  EXPECT_EQ(decided.head.ranks, 8);
  EXPECT_TRUE(mentions(decided.warnings, "8 ranks taken: the list has 7 of 7 ranks, SLURM_NTASKS=8 (line 1) is for 8"));
  const ImportedRun larger = import_one_run({.text = "#SBATCH -n 16\n" + log_of_eight(eight), .source = "x.log"});
  EXPECT_EQ(larger.head.ranks, 8);
  EXPECT_TRUE(mentions(larger.warnings, "#SBATCH -n 16 (line 1) is for 16 ranks"));
  const std::string unlisted = "#SBATCH -n 2\n" + read_sample("all_reduce.no_devices.log");
  const ImportedRun run = import_one_run({.text = unlisted, .source = "all_reduce.log"});
  EXPECT_TRUE(mentions(run.warnings, "2 ranks taken from #SBATCH -n 2 (line 1): the log does not list them"));
}

TEST(ImportNcclTests, ReadsACommandOnSeveralLines) {
  const std::string last =
      without_line(log_of_eight("mpirun -np 8 \\\n  ./build/all_reduce_perf -b 8 -e 1G"), "Rank  7");
  const ImportedRun run = import_one_run({.text = last, .source = "x.log"});
  EXPECT_TRUE(mentions(run.warnings, "8 ranks taken: the list has 7 of 7 ranks, the command line starts 8 ranks"));
}

TEST(ImportNcclTests, RefusesMoreNodesThanRanks) {
  const std::string text = log_of_eight(eight);
  EXPECT_EQ(catch_import_error({.text = text, .source = "x.log", .nodes = 9}),
            "x.log: --nodes 9 is more than its 8 ranks");
}

TEST(ImportNcclTests, KeepsAJobThatNeverClosedApart) {
  const std::string text =
      "# nThread 1 nGpus 4 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 9 iters: 90\n"
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20\n" +
      make_log(one_row) + "# Avg bus bandwidth    : 0\n";
  const auto runs = import_log({.text = text, .source = "all_reduce.log"});
  EXPECT_EQ(runs.back().head.method.iterations, 20);
  EXPECT_EQ(runs.back().head.ranks, 1);
  EXPECT_FALSE(mentions(runs.back().warnings, "separate jobs"));
}

TEST(ImportNcclTests, CountsRanksBesideAGarbledOne) {
  std::string text = log_of_eight(nobody_says);
  text.replace(text.find("Rank  5"), 7, "Rank 55");
  const ImportedRun run = import_one_run({.text = text, .source = "x.log"});
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_TRUE(mentions(run.warnings, "8 ranks taken: the list has 8 of 56 ranks"));
}

TEST(ImportNcclTests, RefusesRanksOnWhichTwoSourcesDiffer) {
  const std::string last = without_line(log_of_eight(nobody_says), "Rank  7");
  EXPECT_NE(
      catch_import_error({.text = last, .source = "x.log"})
          .find("x.log: how many ranks took part is not clear: the list has 7 of 7 ranks, busbw/algbw is that of 8 "
                "ranks; add --ranks N"),
      std::string::npos);
  EXPECT_EQ(import_one_run({.text = last, .source = "x.log", .ranks = 8}).head.ranks, 8);
}

TEST(ImportNcclTests, DoubtsUnequalHosts) {
  std::string text = without_line(log_of_eight(nobody_says), "Rank  7");
  text.erase(text.find("  1073741824"));
  text += "node0: Test NCCL failure common.cu:1012\n";
  const ImportedRun run = import_one_run({.text = text, .source = "all_reduce.log"});
  EXPECT_EQ(run.head.ranks, 7) << "nothing else tells";
  EXPECT_TRUE(mentions(run.warnings, "7 ranks on 2 hosts, up to 4 on one"));
}

TEST(ImportNcclTests, DoubtsHostsWithGarbledNames) {
  std::string text = log_of_eight(eight);
  text.replace(text.find("node1 device  2"), 5, "no   ");
  const ImportedRun run = import_one_run({.text = text, .source = "x.log"});
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_FALSE(run.head.nodes);
  EXPECT_TRUE(mentions(run.warnings, "the log names 3 hosts, but 8 ranks at up to 4 on a host need 2; add --nodes N"));
  EXPECT_EQ(import_one_run({.text = text, .source = "x.log", .nodes = 2}).head.nodes, 2);
}

TEST(ImportNcclTests, ToleratesNoiseInATable) {
  std::string text = make_log(one_row);
  text += std::string(5'000'000, '9') + "\n" + std::string(100, '\0') + "\n8 8\n8 8 x\n8 8 float sum -1 a b c\n";
  text +=
      "99999999999999999999 1 float sum -1 1 1 1 0 1 1 1 0\n-8 2 float sum -1 1 1 1 0 1 1 1 0\n#\n# Rank\n#  Rank x\n";
  const ImportedRun run = import_one_run({.text = text, .source = "all_reduce.log"});
  EXPECT_EQ(run.cases.size(), 2U);
  EXPECT_TRUE(mentions(run.warnings, "cannot be read"));
}

// Rows and lines that are damaged but look whole

constexpr std::string_view three_rows =
    "        1024           256     float     sum      -1    20.00    0.05    0.00      0    10.00    0.10    0.00     "
    " 0\n"
    "     1048576        262144     float     sum      -1    20.00   52.43    0.00      0    20.00   52.43    0.00     "
    " 0\n"
    "    67108864      16777216     float     sum      -1   1000.0   67.11    0.00      0   1000.0   67.11    0.00     "
    " 0\n";

/// Number of rows that are kept of three of which the first occurrence of `from` is `to`.
int rows_with(std::string_view from, std::string_view to) {
  const ImportedRun run = import_row(replace_first(std::string(three_rows), from, to));
  EXPECT_EQ(run.rows == 3, run.warnings.empty()) << to;
  return run.rows;
}

TEST(ImportNcclTests, LeavesOutRowsThatDoNotFitTheirTable) {
  EXPECT_EQ(rows_with("   1048576 ", "   1048576 "), 3);
  EXPECT_EQ(rows_with("   1048576 ", "   1048570 "), 2) << "not the size of so many elements";
  EXPECT_EQ(rows_with("20.00   52.43    0.00", "20.00   52.43 0.00   "), 2) << "outside its column";
  EXPECT_EQ(rows_with("float", "flost"), 2);
  EXPECT_EQ(rows_with("   20.00   52.43    0.00      0", "   20.00      52      0      0   "), 2)
      << "two words for three";
}

TEST(ImportNcclTests, WarnsOfARowWithOneHalf) {
  const std::string cut(three_rows.substr(0, three_rows.size() - 3));
  EXPECT_TRUE(mentions(import_row(cut).warnings, "one half of the row cannot be read"));
}

TEST(ImportNcclTests, WarnsOfTornLinesOfTheListOfRanks) {
  const std::string text = replace_first(log_of_eight(eight), "Group  0 Pid   4003 on", "Group  0 Pi#  Rank");
  EXPECT_TRUE(mentions(import_one_run({.text = text, .source = "x.log"}).warnings,
                       "1 line of the list of ranks cannot be read"));
  const std::string other = replace_first(log_of_eight(eight), "node0 device  1", "node2 device  1");
  EXPECT_TRUE(mentions(import_one_run({.text = other, .source = "x.log"}).warnings, "node2 the first device is 1"));
  std::string processes = replace_first(without_line(log_of_eight(nobody_says), "Rank  7"), "nGpus 1", "nGpus 8");
  for (std::size_t at = 0; (at = processes.find("Pid   400", at)) != std::string::npos; ++at) processes[at + 9] = '0';
  processes.erase(processes.find("  1073741824"));
  processes += "node0: Test NCCL failure common.cu:958 'unhandled system error'\n";
  EXPECT_TRUE(mentions(import_one_run({.text = processes, .source = "all_reduce.log"}).warnings, "which has 8"));
}

TEST(ImportNcclTests, KeepsRunsApartThatLostTheirEndsOrBeginnings) {
  const std::string whole = read_sample("two_runs.log");
  const std::size_t end = whole.find("# Out of bounds"), next = whole.find("$ mpirun", end);
  const std::string cut = whole.substr(0, end) + whole.substr(next);
  const std::vector<ImportedRun> runs = import_log({.text = cut, .source = "x.log"});
  ASSERT_EQ(runs.size(), 2U) << "the command of the second is behind the rows of the first";
  EXPECT_EQ(runs[1].collective, "broadcast");
  const std::string unopened = whole.substr(0, next) + whole.substr(whole.find("#  Rank", next));
  const std::vector<ImportedRun> others = import_log({.text = unopened, .source = "x.log"});
  ASSERT_EQ(others.size(), 2U);
  EXPECT_TRUE(mentions(others[1].warnings, "another run begins without its opening line"));
  const std::string rows =
      whole + "  2147483648     536870912     float     sum      -1   9197.5  233.49  233.49      0\n";
  EXPECT_TRUE(mentions(import_log({.text = rows, .source = "x.log"})[1].warnings, "cannot be read"));
}

// Parts

TEST(ImportNcclTests, KnowsTheProgramsOfNcclTests) {
  EXPECT_EQ(collective_of_program("./build/all_reduce_perf"), "allreduce");
  EXPECT_EQ(collective_of_program("alltoall_perf_mpi"), "alltoall");
  EXPECT_EQ(collective_of_program("linux_perf"), std::nullopt);
  EXPECT_EQ(collective_of_program("all_reduce"), std::nullopt);
}

TEST(ImportNcclTests, RecognisesAHeaderByItsNames) {
  EXPECT_FALSE(nccl_columns("# size and nothing else", ""));
  EXPECT_FALSE(nccl_columns("size count type time algbw busbw #wrong", ""));
  const auto one = nccl_columns("# size count type time algbw busbw #wrong", "#   in-place").value();
  EXPECT_EQ(one.halves, 1);
  EXPECT_EQ(one.in_place, std::vector<bool>{true});
}

}  // namespace
}  // namespace busbar::test
