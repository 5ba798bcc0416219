// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/mpi/mpi_operations.hpp"
#include "reports/import/mpi/osu_benchmarks.hpp"
#include "reports/import/mpi/osu_log.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

std::vector<ImportedRun> import_text(const std::string& text, std::optional<int> ranks = 4) {
  return import_log({.text = text, .source = "osu.txt", .ranks = ranks});
}

ImportedRun import_table(const std::string& title, const std::string& table, std::optional<int> ranks = 4) {
  return std::move(import_text("\n# OSU " + title + " v7.4\n" + table, ranks).front());
}

const std::string latency_head = "# Size       Avg Latency(us)\n";

TEST(ImportOsu, RefusesASingleRankAsOsuDoes) {
  const std::string log =
      "mpirun -np 1 osu_allreduce\n\n# OSU MPI Allreduce Latency Test v7.4\n" + latency_head + "4  1.80\n";
  EXPECT_NE(catch_import_error({.text = log, .source = "f"}).find("add --ranks N"), std::string::npos);
}

// Figures

TEST(ImportOsu, WarnsOfTimesFarFromThoseBesideThem) {
  const auto warnings = [](const std::string& rows) {
    return import_table("MPI Allreduce Latency Test", latency_head + rows).warnings;
  };
  EXPECT_TRUE(warnings("4  90.00\n8  12.00\n16  12.10\n32  49.00\n64  12.30\n").empty()) << "slow start, and 4 times";
  EXPECT_TRUE(mentions(warnings("4   12.00\n8   12.00\n16  210.00\n32   12.20\n"),
                       "allreduce at 16 B: 210 us is far from the times of the sizes beside it: a disturbed call"));
  EXPECT_TRUE(
      mentions(warnings("4    20.00\n8    20.00\n16    2.10\n32   22.00\n64   25.00\n128   2.00\n"), "2.1 us is far"));
  EXPECT_TRUE(
      mentions(warnings("4    20.00\n8    20.00\n16    2.10\n32   22.00\n64   25.00\n128   2.00\n"), "(and 1 more)"));
  EXPECT_TRUE(warnings("4  2.00\n1024  2.00\n1048576  210.00\n").empty()) << "not neighbours";
}

TEST(ImportOsu, ReadsColumnsByName) {
  const ImportedRun run = import_sample("osu.allreduce_full.txt", 8, 2);
  EXPECT_EQ(run.rows, 10);
  ASSERT_EQ(run.cases.size(), 10U);
  const CaseRecord& c = find_case(run, "allreduce/mpi/host/int32/sum", 1048576);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 118.31e-6);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 1048576 / 118310.0);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.75);
  EXPECT_EQ(c.count, 262144U);
  EXPECT_EQ(c.check.state, CheckState::passed);
  EXPECT_EQ(to_string(c.key), "allreduce/mpi/host/int32/sum/ranks:8/nodes:2/ranks_per_node:?/barrier/bytes:1048576");
  EXPECT_EQ(run.head.method.rank_rule, RankRule::mean);
  EXPECT_EQ(run.head.method.check, "every_call");
  EXPECT_EQ(run.head.tool.version, "7.4");
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportOsu, RestartsTheTableAtEachDatatype) {
  const ImportedRun run = import_sample("osu.allreduce_full.txt", 8);
  EXPECT_DOUBLE_EQ(find_case(run, "allreduce/mpi/host/int32", 4).time_s.value(), 1.80e-6);
  EXPECT_DOUBLE_EQ(find_case(run, "allreduce/mpi/host/fp32", 4).time_s.value(), 1.90e-6);
}

TEST(ImportOsu, NotesColumnsThatAreNotImported) {
  const ImportedRun run = import_sample("osu.allreduce_full.txt", 8);
  EXPECT_TRUE(mentions(run.head.notes, "the fastest and of the slowest rank; not imported"));
  EXPECT_TRUE(mentions(run.head.notes, "percentiles over iterations, of the mean over ranks"));
  EXPECT_TRUE(mentions(run.head.notes, "the number of iterations differs between sizes"));
  EXPECT_FALSE(run.head.method.iterations || run.head.method.warmup_iterations);
  EXPECT_TRUE(find_case(run, "allreduce", 4).samples_s.empty());
}

TEST(ImportOsu, KeepsAFixedNumberOfIterations) {
  EXPECT_EQ(import_sample("osu.barrier.txt", 4).head.method.iterations, 1000);
}

TEST(ImportOsu, ConvertsBlockSizesToBufferSizes) {
  const ImportedRun run = import_sample("osu.allgather_device.txt", 8);
  const CaseRecord& c = find_case(run, "allgather/mpi/device/int8", 8192);  // 1024 in the log
  EXPECT_DOUBLE_EQ(c.time_s.value(), 23.75e-6);
  EXPECT_EQ(c.count, 1024U);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 7.0 / 8);
  EXPECT_TRUE(mentions(run.head.notes, "those of all 8 blocks"));
  for (const char* name : {"All-to-All Personalized Exchange", "Gather", "Scatter", "Allgatherv"})
    EXPECT_EQ(import_table(std::string("MPI ") + name + " Latency Test", latency_head + "16   1.00\n")
                  .cases.front()
                  .key.bytes,
              64U)
        << name;
}

TEST(ImportOsu, ReadsReduceScatterSizesAsTotals) {
  const ImportedRun run = import_sample("osu.wrong_data.txt", 4);
  EXPECT_EQ(run.cases.front().key.bytes, 4U);
  EXPECT_EQ(run.cases.front().key.collective, "reduce_scatter");
  EXPECT_FALSE(run.cases.front().count);
}

TEST(ImportOsu, FailsCasesWithWrongData) {
  const ImportedRun run = import_sample("osu.wrong_data.txt", 4);
  EXPECT_EQ(run.cases[0].check.state, CheckState::passed);
  EXPECT_EQ(run.cases[1].status, Status::failed);
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_NE(run.end.reason.value_or("").find("DATA VALIDATION ERROR: ./osu_reduce_scatter"), std::string::npos);
}

TEST(ImportOsu, ABarrierHasNoSize) {
  const ImportedRun run = import_sample("osu.barrier.txt", 4);
  ASSERT_EQ(run.cases.size(), 1U);
  const CaseRecord& c = run.cases.front();
  EXPECT_EQ(to_string(c.key), "barrier/mpi/?/ranks:4/nodes:?/streaming/bytes:0");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 2.35e-6);
  EXPECT_FALSE(c.algbw_GBps || c.busbw_GBps || c.key.type);
}

TEST(ImportOsu, TakesThePureTimeOfNonBlockingCalls) {
  const ImportedRun run = import_sample("osu.iallreduce.txt", 4);
  const CaseRecord& c = find_case(run, "allreduce/mpi/host/int8/sum/ranks:4/nodes:?/barrier/form:nonblocking", 4096);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 9.20e-6);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.5);
  ASSERT_EQ(c.remarks.size(), 1U);
  EXPECT_EQ(c.remarks.front(), "overlap 30.00 %: 15.64 us in all with 9.20 us of computing");
}

TEST(ImportOsu, ReadsANonBlockingBarrierWithoutItsMark) {  // before release 7.2
  const ImportedRun run = import_table("MPI Non-blocking Barrier Latency Test",
                                       "Overall(us)         Compute(us)      Pure Comm.(us)          Overlap(%)\n"
                                       "         5.10                2.50                2.40               12.00\n");
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_DOUBLE_EQ(run.cases.front().time_s.value(), 2.40e-6);
  EXPECT_EQ(run.cases.front().key.collective, "barrier");
  EXPECT_EQ(run.cases.front().key.form, "nonblocking");
}

TEST(ImportOsu, SeparatesPersistentCalls) {
  const ImportedRun run = import_table("MPI Allreduce Persistent Latency Test", latency_head + "4   1.00\n");
  EXPECT_EQ(run.cases.front().key.form, "persistent");
}

// Pairs

TEST(ImportOsu, MakesARunOfEachProgram) {
  const std::string text = read_sample("osu.pairs.txt");
  const auto runs = import_log({.text = text, .source = "job.txt", .ranks = 8, .nodes = 2});
  ASSERT_EQ(runs.size(), 5U);
  EXPECT_EQ(runs[0].name, "1-pingpong");
  EXPECT_EQ(runs[4].name, "5-multi_pingpong");
  EXPECT_NE(runs[0].head.id, runs[1].head.id);
  EXPECT_EQ(runs[0].head.method.rank_rule, RankRule::rank_0);
  EXPECT_EQ(runs[4].head.method.rank_rule, RankRule::mean);
  EXPECT_EQ(runs[0].head.ranks, 2);  // it runs on two, whatever the others had
  EXPECT_FALSE(runs[0].head.nodes);
  EXPECT_EQ(runs[4].head.nodes, 2);
}

TEST(ImportOsu, ReadsLatencyAsPingpong) {
  const std::string text = read_sample("osu.pairs.txt");
  const ImportedRun run = import_log({.text = text, .source = "job.txt", .ranks = 8}).front();
  const CaseRecord& c = find_case(run, "pair:pingpong/mpi/host/int8/ranks:2", 4096);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1.31e-6);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 4096 / 1310.0);
  EXPECT_FALSE(c.busbw_GBps || c.bus_factor);
}

TEST(ImportOsu, KeepsBandwidthAndTheTimeOfItsStream) {
  const std::string text = read_sample("osu.pairs.txt");
  const auto runs = import_log({.text = text, .source = "job.txt", .ranks = 8});
  const CaseRecord& c = find_case(runs[1], "pair:unidirectional", 1048576);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 11.90235);  // MB/s are decimal
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1048576 / 11.90235e9);
  EXPECT_TRUE(mentions(runs[1].head.notes, "what a message takes up in the stream"));
  EXPECT_EQ(find_case(runs[2], "pair:bidirectional", 1).key.ranks, 2);
}

TEST(ImportOsu, ReadsMessageRatesOfManyPairs) {
  const std::string text = read_sample("osu.pairs.txt");
  const ImportedRun run = import_log({.text = text, .source = "job.txt", .ranks = 8})[3];
  const CaseRecord& c = find_case(run, "pair:multi_pair/mpi/host/int8/ranks:8", 1);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1 / 14087612.25);
  EXPECT_NEAR(c.algbw_GBps.value(), 0.01409, 0.000005);  // by the rate, which has more digits than 14.09 MB/s
  EXPECT_TRUE(mentions(run.head.notes, "of all pairs together"));
  EXPECT_TRUE(mentions(run.head.notes, "window size 64"));
}

TEST(ImportOsu, TakesTheNumberOfRanksFromPairs) {
  const std::string text = read_sample("osu.pairs.txt");
  const std::vector<ImportedRun> stated = import_text(text, 6);
  EXPECT_EQ(stated.at(0).head.ranks, 2) << "a latency test always has two";
  EXPECT_TRUE(mentions(stated[0].warnings, "--ranks 6 was not taken for a program that only runs on 2 ranks"));
  EXPECT_EQ(stated.at(3).head.ranks, 6);
  EXPECT_TRUE(mentions(stated[3].warnings, "--ranks 6 was taken, though the line with 4 pairs says 8 ranks"));
  const std::string alone = text.substr(text.find("# OSU MPI Multiple"),
                                        text.find("# OSU MPI Multi Latency") - text.find("# OSU MPI Multiple"));
  EXPECT_EQ(import_text(alone, {}).front().head.ranks, 8);
}

TEST(ImportOsu, RefusesVariedWindows) {
  const std::string text =
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 1 ] [ window size: varied ]\n\n"
      "# Uni-directional Bandwidth (MB/sec)\n#                1           2           4\n1          1.00    2.00   "
      "3.00\n";
  EXPECT_NE(catch_import_error({.text = text, .source = "f"}).find("varied window sizes (-W)"), std::string::npos);
}

// GPUs

TEST(ImportOsu, ReadsBufferLocationsOfPairsFromTheirLine) {
  const ImportedRun old = import_sample("osu.latency_device.txt");
  EXPECT_EQ(find_case(old, "pair:pingpong", 4194304).key.memory, "device");  // Send Buffer on DEVICE (D) and ...
  EXPECT_FALSE(old.cases.front().key.type);
  const ImportedRun now = import_table("MPI-CUDA Latency Test", latency_head + "4   1.00\n");
  EXPECT_FALSE(now.cases.front().key.memory);
  EXPECT_TRUE(mentions(now.head.notes, "whether buffers were on the device is not known"));
  const ImportedRun mixed =
      import_table("MPI-ROCM Latency Test",
                   "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n" + latency_head + "4  1.00\n");
  EXPECT_FALSE(mixed.cases.front().key.memory);
  EXPECT_TRUE(mentions(mixed.head.notes, "Receive Buffer on HOST (H)"));
}

TEST(ImportOsu, PlacesAcceleratorCollectivesOnTheDevice) {
  const std::string rows = latency_head + "4   1.00\n";
  EXPECT_EQ(import_table("MPI-ROCM Broadcast Latency Test", rows).cases.front().key.memory, "device");
  EXPECT_EQ(import_table("MPI-OPENACC Broadcast Latency Test", rows).cases.front().key.memory, "device");
  EXPECT_FALSE(import_table("MPI-CUDA MANAGED Broadcast Latency Test", rows).cases.front().key.memory);
  EXPECT_FALSE(import_table("MPI-MANAGED Broadcast Latency Test", rows).cases.front().key.memory);
  const CaseRecord c = import_table("NCCL-CUDA Allreduce Latency Test", rows).cases.front();
  EXPECT_EQ(c.key.backend, "nccl");
  EXPECT_EQ(c.key.memory, "device");
}

// Odd tables

TEST(ImportOsu, ReadsADatatypeBelowTheColumnNames) {  // release 7.2
  const ImportedRun run =
      import_table("MPI Allreduce Latency Test", latency_head + "# Datatype: MPI_FLOAT.\n4          1.00\n");
  EXPECT_EQ(run.cases.front().key.type, "fp32");
}

TEST(ImportOsu, ReadsColumnNamesOfOldReleases) {
  const ImportedRun run = import_table("MPI Allreduce Latency Test", "# Size         Latency (us)\n4          1.00\n");
  EXPECT_DOUBLE_EQ(run.cases.front().time_s.value(), 1e-6);
  EXPECT_EQ(run.cases.front().check.state, CheckState::off);
}

TEST(ImportOsu, TakesTransmitSizesOfDerivedTypes) {
  const ImportedRun run = import_sample("osu.derived_type.txt");
  const CaseRecord& c = find_case(run, "pair:unidirectional", 512);  // of 1024
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 0.9015);
  EXPECT_TRUE(mentions(run.head.notes, "transmit sizes"));
  EXPECT_FALSE(c.count);
}

TEST(ImportOsu, ReportsTornRowsAndKeepsTheOthers) {
  const ImportedRun run = import_sample("osu.killed.txt", 4);
  EXPECT_EQ(run.cases.size(), 3U);
  EXPECT_TRUE(mentions(run.warnings, "2 rows cannot be read: torn or mixed with other output (lines 7, 9)"));
  EXPECT_EQ(run.end.status, EndStatus::aborted);
  EXPECT_NE(run.end.reason.value_or("").find("exited on signal 9"), std::string::npos);
}

TEST(ImportOsu, LeavesOpenWhichOfSeveralProgramsTheLauncherMeans) {
  const auto runs = import_text(read_sample("osu.killed.txt") + read_sample("osu.barrier.txt"));
  EXPECT_EQ(runs.front().end.status, EndStatus::unknown);
  EXPECT_NE(runs.front().end.reason.value_or("").find("(this program or another): mpirun noticed"), std::string::npos);
}

TEST(ImportOsu, ReadsNoWrongFigureFromACutLog) {
  for (const char* name : {"osu.allreduce_full.txt", "osu.derived_type.txt", "osu.iallreduce.txt"}) {
    const std::string text = read_sample(name);
    const auto runs = import_text(text);
    std::map<CaseKey, double> whole;
    for (const CaseRecord& c : runs.front().cases) whole[c.key] = c.time_s.value();
    for (std::size_t end = text.find("Size"); end < text.size(); ++end) {
      for (const CaseRecord& c : cases_if_any({.text = text.substr(0, end), .source = "osu.txt", .ranks = 4}))
        ASSERT_EQ(c.time_s, whole.at(c.key)) << name << " cut after " << end << " characters";
    }
  }
}

TEST(ImportOsu, ReportsAnUnknownEnd) {
  const ImportedRun run = import_sample("osu.barrier.txt", 4);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_NE(run.end.reason.value_or("").find("a truncated table looks complete"), std::string::npos);
}

// Facts from the user

TEST(ImportOsu, AsksForRanks) {
  const std::string text = read_sample("osu.barrier.txt");
  EXPECT_EQ(catch_import_error({.text = text, .source = "f"}),
            "f: OSU's programs do not print how many ranks took part; add --ranks N");
  EXPECT_TRUE(mentions(import_sample("osu.barrier.txt", 4).head.notes, "number of ranks as stated by --ranks"));
  EXPECT_TRUE(
      mentions(import_sample("osu.barrier.txt", 4).head.notes, "OSU prints no hosts, no MPI library, no warm-up"));
}

TEST(ImportOsu, KeepsTheOtherProgramsOfALogWithAnUnreadableOne) {
  const std::string text = read_sample("osu.latency_device.txt") + read_sample("osu.barrier.txt");
  const std::vector<ImportedRun> runs = import_log({.text = text, .source = "f"});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].cases.front().key.ranks, 2) << "a latency test always has two";
  EXPECT_TRUE(mentions(runs[0].warnings, "Barrier Latency is left out: OSU's programs do not print how many"))
      << runs[0].warnings.front();
}

/// A log of osu_allreduce with these lines before it.
ImportedRun import_launched(const std::string& lines) {
  return std::move(
      import_text(lines + "\n# OSU MPI Allreduce Latency Test v7.4\n" + latency_head + "4  1.80\n", {}).front());
}

TEST(ImportOsu, TakesRanksAndNodesFromTheLauncher) {
  const ImportedRun slurm = import_launched("+ srun -n 8 -N 2 --ntasks-per-node=4 ./osu_allreduce -f");
  EXPECT_EQ(slurm.head.ranks, 8);
  EXPECT_EQ(slurm.head.nodes, 2);
  EXPECT_TRUE(mentions(slurm.warnings,
                       "8 ranks taken from srun -n 8 -N 2 --ntasks-per-node=4 (line 1): the program's own output"));
  const ImportedRun open_mpi = import_launched("$ mpirun -np 8 --map-by ppr:2:node \\\n  -x A=1 osu_allreduce");
  EXPECT_EQ(open_mpi.head.ranks, 8);
  EXPECT_EQ(open_mpi.head.nodes, 4);
  for (const char* command : {"mpirun -n 8 -N 2 -hostfile h", "mpirun -np 4 -pernode", "ssh a mpiexec -n 8 -ppn 2",
                              "time flux run -N4 --tasks-per-node=2 -o cpu-affinity=per-task singularity exec x.sif"})
    EXPECT_EQ(import_launched(command + std::string(" /opt/osu/osu_allreduce")).head.nodes, 4) << command;
  const ImportedRun odd = import_launched("mpirun -N 2 -np 2 -map-by ppr:1:node osu_allreduce");
  EXPECT_EQ(odd.head.ranks, 2);
  EXPECT_FALSE(odd.head.nodes) << "two and one on a node";
  const ImportedRun bound = import_launched("mpirun -n 8 numactl -N 2 ./osu_allreduce");
  EXPECT_EQ(bound.head.ranks, 8);
  EXPECT_FALSE(bound.head.nodes) << "-N is numactl's";
}

TEST(ImportOsu, TakesRanksAndNodesFromTheBatchSystem) {
  for (const char* lines : {"SLURM_NTASKS=8\nSLURM_JOB_NUM_NODES=2", "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4",
                            "#SBATCH -N2 -n8", "#PBS -l select=2:ncpus=8:mpiprocs=4"}) {
    const ImportedRun run = import_launched(std::string(lines) + "\nmpirun ./osu_allreduce");
    EXPECT_EQ(run.head.ranks, 8) << lines;
    EXPECT_EQ(run.head.nodes, 2) << lines;
    EXPECT_TRUE(mentions(run.warnings, "8 ranks taken from ")) << lines;
  }
}

TEST(ImportOsu, ComparesLauncherAndBatchSystem) {
  const ImportedRun part = import_launched("SLURM_NTASKS=8\nSLURM_NNODES=2\nsrun -n 2 osu_allreduce");
  EXPECT_EQ(part.head.ranks, 2);
  EXPECT_FALSE(part.head.nodes) << "2 of 8 ranks may be on one node or two";
  EXPECT_TRUE(mentions(part.warnings, "2 ranks taken from srun -n 2 (line 3), though SLURM_NTASKS=8 (line 1) says 8"));
  const std::string two =
      "mpirun -n 2 osu_allreduce\nmpirun -n 4 osu_allreduce\n\n# OSU MPI Allreduce Latency Test v7.4\n" + latency_head +
      "4  1.80\n";
  EXPECT_EQ(catch_import_error({.text = two, .source = "f"}),
            "f: how many ranks took part is not clear: mpirun -n 2 (line 1) says 2 ranks, mpirun -n 4 (line 2) says 4 "
            "ranks; add --ranks N");
  EXPECT_EQ(import_text(two, 4).front().head.ranks, 4);
}

TEST(ImportOsu, LeavesOutCommandsOfOtherPrograms) {
  const std::string text = "mpirun -n 2 osu_latency\nmpirun -n 8 hostname\n# mpirun -n 8 osu_allreduce\n";
  EXPECT_NE(catch_import_error(
                {.text = text + "# OSU MPI Allreduce Latency Test v7.4\n" + latency_head + "4  1.80\n", .source = "f"})
                .find("add --ranks N"),
            std::string::npos);
}

TEST(ImportOsu, RefusesMoreNodesThanRanks) {
  const std::string text = read_sample("osu.barrier.txt");
  EXPECT_NE(catch_import_error({.text = text, .source = "f", .ranks = 4, .nodes = 5})
                .find("--nodes 5 is more than its 4 ranks"),
            std::string::npos);
  EXPECT_EQ(import_sample("osu.barrier.txt", 4, 4).cases.front().key.ranks_per_node, 1);
  EXPECT_EQ(import_sample("osu.barrier.txt", 4, 1).cases.front().key.ranks_per_node, 4);
}

TEST(ImportOsu, RefusesAnotherCollective) {
  const std::string text = read_sample("osu.barrier.txt");
  EXPECT_NE(catch_import_error({.text = text, .source = "f", .collective = "allreduce", .ranks = 4})
                .find("--collective allreduce contradicts the log, which has barrier"),
            std::string::npos);
}

TEST(ImportOsu, NamesSkippedPrograms) {
  const std::string init = "# OSU MPI Init Test v7.4\nnprocs: 2, min: 250 ms, max: 275 ms, avg: 262 ms\n";
  EXPECT_NE(catch_import_error({.text = init, .source = "f"}).find("holds 'MPI Init', which busbar does not read"),
            std::string::npos);
  EXPECT_NE(catch_import_error({.text = "# OSU OpenSHMEM Barrier Latency Test v7.4\n1.00\n", .source = "f"})
                .find("OpenSHMEM"),
            std::string::npos);
  const std::string both = init + read_sample("osu.barrier.txt");
  EXPECT_TRUE(mentions(import_text(both).front().warnings, "1 program left out, the first: 'MPI Init'"));
}

TEST(ImportOsu, RefusesTooManyPrograms) {
  std::string text;
  for (int i = 0; i < 1001; ++i) text += "# OSU MPI Barrier Latency Test v7.4\n";
  EXPECT_NE(catch_import_error({.text = text, .source = "f", .ranks = 2}).find("1000 are the most"), std::string::npos);
}

// Parts

TEST(ImportOsu, RecognisesTitlesAndColumns) {
  EXPECT_TRUE(is_osu_title("# OSU MPI Allreduce Latency Test v3.6"));
  EXPECT_TRUE(is_osu_title("# OSU MPI Latency Test"));
  EXPECT_FALSE(is_osu_title("# OSU Test"));
  EXPECT_FALSE(is_osu_title("OSU MPI Latency Test v7"));
  EXPECT_EQ(osu_columns("# Size      Bandwidth (MB/s)"), (std::vector<std::string>{"size", "bandwidth(mb/s)"}));
  EXPECT_TRUE(osu_columns("# Size      something").empty());
  EXPECT_TRUE(osu_columns("#       1       2").empty());
  EXPECT_EQ(osu_benchmark("Bi-Directional Bandwidth")->operation.name, "bidirectional");
  EXPECT_EQ(osu_benchmark("Non-Blocking Broadcast Latency")->operation.name, "broadcast");
  EXPECT_EQ(osu_benchmark("Non-Blocking Broadcast Latency")->operation.form, "nonblocking");
  EXPECT_FALSE(osu_benchmark("Neighborhood Allgather Latency"));
}

TEST(ImportOsu, LeavesOutRowsThatOsuDoesNotPrint) {
  const auto rows = [](const std::string& table) { return import_table("MPI Allreduce Latency Test", table).rows; };
  const std::string head = latency_head + "4                       1.20\n";
  EXPECT_EQ(rows(head + "8                       1.30\n16                      1.40\n"), 3);
  EXPECT_EQ(rows(head + "8                       1.3\n16                      1.40\n"), 2) << "decimals";
  EXPECT_EQ(rows(head + "8                   1.30\n16                      1.40\n"), 2) << "outside its column";
  EXPECT_EQ(rows(head + "8                       1.30\n4                       1.40\n"), 2) << "sizes grow";
  EXPECT_EQ(rows(head + latency_head + "8                       1.30\n"), 1) << "of a program without its title";
  const std::string bandwidth = "# Size      Bandwidth (MB/s)\n";
  EXPECT_EQ(import_table("MPI Bandwidth Test", bandwidth + "1024                  100.00\n").rows, 1);
  EXPECT_EQ(rows("# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)\n"
                 "4                       1.20              1.30              1.40\n"
                 "8                       1.35              1.30              1.40\n"),
            1)
      << "mean below the smallest";
}

TEST(ImportMpi, ComputesBytesOfBuffers) {
  EXPECT_EQ(buffer_bytes(MpiSize::block, 8, 4), 32U);
  EXPECT_EQ(buffer_bytes(MpiSize::twice, 8, 4), 16U);
  EXPECT_EQ(buffer_bytes(MpiSize::none, 8, 4), 0U);
  EXPECT_FALSE(buffer_bytes(MpiSize::block, std::uint64_t{1} << 61, 4));
  EXPECT_EQ(mpi_type("MPI_DOUBLE")->name, "fp64");
  EXPECT_EQ(mpi_type("MPI_WCHAR")->name, "WCHAR");
  EXPECT_FALSE(mpi_type("float") || mpi_type("MPI_x y"));
}

}  // namespace
}  // namespace busbar::test
