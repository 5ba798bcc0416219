// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/mpi/imb_benchmarks.hpp"
#include "reports/import/mpi/imb_log.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

ImportedRun import_text(const std::string& text, std::optional<int> ranks = {}, std::optional<int> nodes = {}) {
  return std::move(import_log({.text = text, .source = "imb.txt", .ranks = ranks, .nodes = nodes}).front());
}

// Figures

TEST(ImportImb, PutsAllProcessCountsIntoOneRun) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  EXPECT_EQ(run.rows, 28);
  EXPECT_EQ(run.cases.size(), 28U);
  EXPECT_EQ(run.head.ranks, 4);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_EQ(run.end.status, EndStatus::ok);
  EXPECT_EQ(run.collective, "pingpong, sendrecv, exchange and 5 more");
  EXPECT_DOUBLE_EQ(find_case(run, "allreduce/mpi/host/sum/ranks:2/nodes:?/barrier/group:2-of-4", 1024).time_s.value(),
                   2.81e-6);
  const CaseRecord& c = find_case(run, "allreduce/mpi/host/sum/ranks:4/nodes:?/barrier", 65536);
  EXPECT_EQ(c.key.group, "world");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 31.01e-6);  // t_max
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.5);
  EXPECT_FALSE(c.key.type);  // the log's MPI_FLOAT stands there whatever it was
}

TEST(ImportImb, TakesTheTimeOfTheSlowestRank) {
  const RunRecord head = import_sample("imb.mpi1.txt").head;
  EXPECT_EQ(head.method.rank_rule, RankRule::slowest);
  EXPECT_EQ(head.method.statistic, Statistic::mean);
  EXPECT_EQ(head.method.cadence, "barrier");
  EXPECT_TRUE(mentions(head.notes, "t_min and t_avg are not imported"));
  EXPECT_TRUE(mentions(head.notes, "repetitions: 40 to 1000, by size"));
  EXPECT_FALSE(head.method.iterations);
}

TEST(ImportImb, ReadsTheHeadOfTheLog) {
  const RunRecord head = import_sample("imb.mpi1.txt").head;
  EXPECT_EQ(head.tool.name, "Intel MPI Benchmarks");
  EXPECT_EQ(head.tool.version, "2021.11");
  EXPECT_EQ(head.argv.front(), "./IMB-MPI1");
  EXPECT_EQ(head.argv.back(), "Barrier");
  EXPECT_TRUE(mentions(head.notes, "the log says: Date : Tue Feb 3 09:12:44 2026; Machine : x86_64"));
  EXPECT_TRUE(head.hosts.empty());
  EXPECT_FALSE(head.start_utc || head.mpi || head.nodes);
}

TEST(ImportImb, ReadsTheCommandLineWithoutBlankLines) {
  std::string text;
  const std::string whole = read_sample("imb.mpi1.txt");
  for (const char c : whole)
    if (c != '\n' || !text.ends_with('\n')) text += c;
  EXPECT_EQ(import_text(text).head.argv, import_text(whole).head.argv);
  EXPECT_EQ(import_text(text).cases.size(), 28U);
}

TEST(ImportImb, ReadsPingpongAsHalfARoundTripAndKeepsItsBandwidth) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  const CaseRecord& c = find_case(run, "pair:pingpong/mpi/host/ranks:2", 1024);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1.12e-6);
  EXPECT_NEAR(c.algbw_GBps.value(), 0.91429, 0.000005);
  EXPECT_FALSE(c.busbw_GBps);
  EXPECT_EQ(c.key.cadence, "streaming");
  EXPECT_FALSE(find_case(run, "pair:pingpong", 0).algbw_GBps);
}

TEST(ImportImb, HalvesBandwidthsOfBothDirections) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  const CaseRecord& sendrecv = find_case(run, "sendrecv/mpi/host/ranks:4", 65536);
  EXPECT_DOUBLE_EQ(sendrecv.algbw_GBps.value(), 65536 / 16110.0);  // 8136.06 MB/s in the log
  EXPECT_DOUBLE_EQ(sendrecv.busbw_GBps.value(), sendrecv.algbw_GBps.value());
  const CaseRecord& exchange = find_case(run, "exchange/mpi/host/ranks:4", 131072);  // a message to each neighbour
  EXPECT_FALSE(exchange.busbw_GBps);
  EXPECT_TRUE(mentions(run.head.notes, "twice algbw"));
  EXPECT_FALSE(mentions(run.head.notes, "are not what size and time give"));
}

TEST(ImportImb, ReportsABandwidthThatContradictsItsTime) {
  const std::string text = read_sample("imb.mpi1.txt");
  EXPECT_TRUE(
      mentions(import_text(replace_first(text, "8136.06", "9136.06")).head.notes, "1 of 8 printed bandwidths are not"));
  const ImportedRun run = import_text(replace_first(text, " 914.29", " 999.99"));
  EXPECT_DOUBLE_EQ(find_case(run, "pair:pingpong", 1024).algbw_GBps.value(), 0.99999);  // as printed
}

TEST(ImportImb, ConvertsBlockSizesToBufferSizes) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  EXPECT_DOUBLE_EQ(find_case(run, "allgather/mpi/host/ranks:4", 4096).time_s.value(), 2.92e-6);  // 1024 in the log
  EXPECT_DOUBLE_EQ(find_case(run, "reduce_scatter/mpi/host/sum/ranks:4", 4096).time_s.value(), 3.02e-6);
}

TEST(ImportImb, ReadsReduceScatterSizesAsTotalsUpTo2018) {
  const ImportedRun old = import_sample("imb.wide_numbers.txt");
  EXPECT_EQ(old.head.tool.version, "2018");
  EXPECT_EQ(old.cases.back().key.bytes, 4194304U);
  std::string text = read_sample("imb.wide_numbers.txt");
  text.erase(0, text.find("# Date"));
  const ImportedRun unknown = import_text(text);
  EXPECT_EQ(unknown.cases.back().key.bytes, 16777216U);
  EXPECT_TRUE(mentions(unknown.warnings, "does not say which version of IMB it is of"));
}

TEST(ImportImb, ABarrierHasNoSize) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  const CaseRecord& c = find_case(run, "barrier", 0);
  EXPECT_EQ(to_string(c.key), "barrier/mpi/?/ranks:4/nodes:?/streaming/bytes:0");
}

TEST(ImportImb, SkipsCasesThatCouldNotRunWithTheirReason) {
  const ImportedRun run = import_sample("imb.mpi1.txt");
  const CaseRecord& c = find_case(run, "alltoall", 8388608);
  EXPECT_EQ(c.status, Status::skipped);
  EXPECT_EQ(c.reason.value().substr(0, 44), "IMB says: out-of-mem.; needed X=   1.017 GB;");
  EXPECT_FALSE(c.time_s);
  EXPECT_EQ(run.end.cases.skipped, 1);
  const auto reason = [](const char* said) {
    const std::string text = replace_first(read_sample("imb.mpi1.txt"), "out-of-mem.; needed X=   1.017 GB;", said);
    return find_case(import_text(text), "alltoall", 8388608).reason.value_or("");
  };
  EXPECT_EQ(reason("int-overflow; The production rank*size").substr(0, 24), "IMB says: int-overflow; ");
  EXPECT_EQ(reason("time-out.; Time limit (secs_per_sample").substr(0, 21), "IMB says: time-out.; ");
}

TEST(ImportImb, TakesThePureTimeOfNonBlockingCalls) {
  const ImportedRun run = import_sample("imb.non_blocking.txt");
  const CaseRecord& c =
      find_case(run, "allreduce/mpi/host/sum/ranks:2/nodes:?/streaming/form:nonblocking", 4096);  // -sync off
  EXPECT_DOUBLE_EQ(c.time_s.value(), 5.2e-6);
  EXPECT_EQ(c.remarks.front(), "overlap 12.50 %: 9.80 us in all with 5.25 us of computing");
  EXPECT_DOUBLE_EQ(find_case(run, "barrier", 0).time_s.value(), 1.5e-6);
  EXPECT_DOUBLE_EQ(find_case(run, "broadcast", 4096).time_s.value(), 3.1e-6);
  EXPECT_EQ(run.head.method.cadence, "streaming");
}

TEST(ImportImb, MakesACaseOfEachGroup) {
  const ImportedRun run = import_sample("imb.groups.txt");
  EXPECT_EQ(run.head.ranks, 4);
  EXPECT_DOUBLE_EQ(
      find_case(run, "pair:pingpong/mpi/host/ranks:2/nodes:?/streaming/group:multi:2/1", 4096).time_s.value(), 1.6e-6);
  EXPECT_DOUBLE_EQ(
      find_case(run, "pair:pingpong/mpi/host/ranks:2/nodes:?/streaming/group:multi:2/0", 4096).time_s.value(), 1.52e-6);
  EXPECT_EQ(find_case(run, "allreduce", 4096).key.group, "world");
  EXPECT_EQ(import_sample("imb.all_groups.txt").cases.front().key.group, "multi:2");
}

TEST(ImportImb, FailsOnlyCasesWithDefects) {
  const ImportedRun run = import_sample("imb.defects.txt");
  EXPECT_EQ(find_case(run, "broadcast", 4).check.state, CheckState::passed);
  EXPECT_EQ(find_case(run, "broadcast", 8).status, Status::failed);
  EXPECT_EQ(find_case(run, "broadcast", 8).reason, "wrong data: IMB's largest difference is 3");
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_EQ(run.head.method.check, "every_call");
  EXPECT_TRUE(mentions(run.head.notes, "built with -DCHECK"));
}

TEST(ImportImb, ReadsStreamsOfMessages) {
  const ImportedRun run = import_sample("imb.streams.txt");
  const CaseRecord& c = find_case(run, "pair:unidirectional/mpi/host/ranks:2", 4096);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1 / 2512345.0);
  EXPECT_NEAR(c.algbw_GBps.value(), 4096 * 2512345e-9, 1e-5);
  EXPECT_EQ(find_case(run, "pair:multi_pair/mpi/host/ranks:4", 4096).key.ranks, 4);
  EXPECT_TRUE(find_case(run, "pair:bidirectional", 4096).algbw_GBps);
}

TEST(ImportImb, SplitsTouchingNumbersByColumn) {
  const ImportedRun run = import_sample("imb.wide_numbers.txt");
  EXPECT_DOUBLE_EQ(run.cases.back().time_s.value(), 2234.56789012);
}

TEST(ImportImb, ReportsTornRowsAndKeepsTheOthers) {
  const ImportedRun run = import_sample("imb.wide_numbers.txt");
  EXPECT_EQ(run.cases.size(), 2U);
  EXPECT_TRUE(mentions(run.warnings, "1 row cannot be read: torn or mixed with other output (line 37)"));
  EXPECT_EQ(run.end.status, EndStatus::unknown);
}

TEST(ImportImb, ReadsNoWrongFigureFromACutLog) {
  for (const char* name : {"imb.mpi1.txt", "imb.streams.txt", "imb.groups.txt"}) {
    const std::string text = read_sample(name);
    std::map<CaseKey, std::optional<double>> whole;
    for (CaseRecord c : import_text(text).cases) {
      c.key.group.reset();  // that the job had more ranks may be in the part that was cut off
      whole.emplace(c.key, c.time_s);
    }
    for (std::size_t end = text.find("/sec\n") + 5; end < text.size(); end += 5)
      for (CaseRecord c : cases_if_any({.text = text.substr(0, end), .source = "imb.txt"})) {
        const bool one_of_many = c.key.group.value_or("").find('/') != std::string::npos;
        c.key.group.reset();
        ASSERT_TRUE(one_of_many || whole.at(c.key) == c.time_s) << name << " cut after " << end << " characters";
      }
  }
}

TEST(ImportImb, MakesARunOfEachProgram) {
  const std::string text = read_sample("imb.defects.txt") + read_sample("imb.all_groups.txt");
  const auto runs = import_log({.text = text, .source = "job.txt"});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "1-broadcast");
  EXPECT_EQ(runs[1].name, "2-allreduce");
  EXPECT_NE(runs[0].head.id, runs[1].head.id);
}

TEST(ImportImb, TakesTheLaunchersMessageAsReasonOfTheEnd) {
  const std::string text =
      read_sample("imb.wide_numbers.txt") + "mpirun noticed that process rank 1 exited on signal 9\n";
  EXPECT_EQ(import_text(text).end.status, EndStatus::aborted);
}

// Facts from the user

TEST(ImportImb, AsksForUnknownRanks) {
  std::string text = read_sample("imb.defects.txt");
  text = replace_first(text, "# #processes = 2", "#");
  EXPECT_NE(catch_import_error({.text = text, .source = "f"}).find("add --ranks N"), std::string::npos);
  EXPECT_EQ(import_text(text, 2).cases.front().key.ranks, 2);
}

TEST(ImportImb, TakesStatedRanks) {
  const ImportedRun run = import_text(read_sample("imb.defects.txt"), 3);
  EXPECT_EQ(run.head.ranks, 3);
  EXPECT_EQ(run.cases.front().key.ranks, 2) << "its table has two processes";
  EXPECT_EQ(run.cases.front().key.group, "2-of-3");
  EXPECT_TRUE(mentions(run.warnings, "--ranks 3 was taken, though \"# #processes\" with those waiting says 2 ranks"));
  EXPECT_TRUE(mentions(run.head.notes, "number of ranks as stated by --ranks"));
  const std::string four = read_sample("imb.mpi1.txt");
  EXPECT_EQ(catch_import_error({.text = four, .source = "f", .ranks = 3}),
            "f: 3 ranks are fewer than the 4 processes of a table");
}

TEST(ImportImb, ComparesItsProcessesWithTheLauncher) {
  const std::string text = "SLURM_NTASKS=4\n+ srun -n 2 -N 2 ./IMB-MPI1 bcast\n" + read_sample("imb.defects.txt");
  const ImportedRun run = import_text(text);
  EXPECT_EQ(run.head.ranks, 2);
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_TRUE(mentions(run.warnings, "with those waiting, though SLURM_NTASKS=4 (line 1) says 4 ranks"));
  EXPECT_TRUE(mentions(run.warnings, "2 nodes taken from srun -n 2 -N 2 (line 2)"));
}

TEST(ImportImb, SkipsATableWithoutProcessesAmongOthers) {
  const ImportedRun run = import_text(replace_first(read_sample("imb.mpi1.txt"), "# #processes = 2 ", "# "));
  EXPECT_EQ(run.cases.size(), 25U);
  EXPECT_TRUE(mentions(run.warnings, "tables left out, of benchmarks that are not read or of an unknown number"));
}

TEST(ImportImb, AppliesNodesToTheWholeJobOnly) {
  const ImportedRun run = import_sample("imb.mpi1.txt", {}, 2);
  EXPECT_EQ(find_case(run, "allreduce/mpi/host/sum/ranks:4", 1024).key.nodes, 2);
  EXPECT_FALSE(find_case(run, "allreduce/mpi/host/sum/ranks:2", 1024).key.nodes);
  EXPECT_EQ(find_case(import_sample("imb.mpi1.txt", {}, 1), "allreduce/mpi/host/sum/ranks:2", 1024).key.nodes, 1);
}

TEST(ImportImb, ReadsBufferLocationsOfAGpuBuildFromTheCommandLine) {
  std::string text = replace_first(read_sample("imb.defects.txt"), "MPI-1 part", "MPI-1 part (GPU)");
  EXPECT_FALSE(import_text(text).cases.front().key.memory);
  EXPECT_TRUE(mentions(import_text(text).head.notes, "whether buffers were on the device is not in the log"));
  text = replace_first(text, "./IMB-MPI1 Bcast", "./IMB-MPI1-GPU -mem_alloc_type device Bcast");
  EXPECT_EQ(import_text(text).cases.front().key.memory, "device");
}

TEST(ImportImb, NamesSkippedBenchmarks) {
  const ImportedRun run =
      import_text(replace_first(read_sample("imb.mpi1.txt"), "Benchmarking Exchange", "Benchmarking Window"));
  EXPECT_EQ(run.cases.size(), 25U);
  EXPECT_TRUE(mentions(run.warnings, "number of processes: Window"));
}

TEST(ImportImb, RefusesALogWithoutATable) {
  const std::string text = read_sample("imb.mpi1.txt");
  EXPECT_NE(catch_import_error({.text = text.substr(0, 600), .source = "f"}).find("printed no table"),
            std::string::npos);
}

TEST(ImportImb, RefusesAnAbsurdNumberOfProcesses) {
  const std::string text = replace_first(read_sample("imb.defects.txt"), "#processes = 2", "#processes = 2000000000");
  EXPECT_NE(catch_import_error({.text = text, .source = "f"}).find("16777216 are the most"), std::string::npos);
}

TEST(ImportImb, NoticesDamageInTables) {
  const std::string whole = read_sample("imb.mpi1.txt");
  EXPECT_TRUE(import_text(whole).warnings.empty());
  const auto warnings = [&whole](std::string_view from, std::string_view to) {
    return import_text(replace_first(whole, from, to)).warnings;
  };
  EXPECT_TRUE(mentions(warnings("1024          640         2.87", "1024          640         2.8 "), "cannot be read"));
  EXPECT_TRUE(
      mentions(warnings("1024          640         2.87         3.02", "1024          640         2.87     3.02"),
               "cannot be read"));
  EXPECT_TRUE(mentions(warnings("# Benchmarking Alltoall", "# Bench"), "tables left out"));
  EXPECT_TRUE(mentions(warnings("-npmin 2", "-npmin 9"), "asks for at least 9"));
}

// Parts

TEST(ImportImb, RecognisesTitlesAndBenchmarks) {
  EXPECT_TRUE(is_imb_title("#    Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part    "));
  EXPECT_FALSE(is_imb_title("# Intel(R) MPI Library"));
  EXPECT_EQ(read_imb_log("#    Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part").front().version, "3.2.3");
  EXPECT_EQ(imb_benchmark("Ireduce_scatter", 4, false)->operation.name, "reduce_scatter");
  EXPECT_EQ(imb_benchmark("Ireduce_scatter", 4, false)->operation.form, "nonblocking");
  EXPECT_EQ(imb_benchmark("Reduce_scatter_block", 4, false)->operation.size, MpiSize::block);
  EXPECT_EQ(imb_benchmark("Uniband", 4, false)->operation.name, "multi_pair");
  EXPECT_FALSE(imb_benchmark("Truly_passive_put", 4, false));
  EXPECT_TRUE(imb_columns("# of #repetitions").empty());
}

}  // namespace
}  // namespace busbar::test
