// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

std::vector<ImportedRun> import_text(const std::string& text, std::optional<int> ranks = {}) {
  return import_log({.text = text, .source = "r.txt", .ranks = ranks});
}

std::vector<ImportedRun> import_both() { return import_text(read_sample("reprompi.txt")); }

TEST(ImportReprompi, MakesASampleOfEachCall) {
  const ImportedRun run = import_both().at(0);
  ASSERT_EQ(run.cases.size(), 3U);
  const CaseRecord& c = find_case(run, "allreduce/mpi/host/int32/sum", 40);
  EXPECT_EQ(to_string(c.key), "allreduce/mpi/host/int32/sum/ranks:4/nodes:2/ranks_per_node:?/barrier/bytes:40");
  EXPECT_EQ(c.samples_s, (std::vector<double>{4.39e-6, 2.946e-6, 2.6431e-6, 2.8498e-6, 3.288e-6}));
  EXPECT_DOUBLE_EQ(c.time_s.value(), 2.946e-6);
  EXPECT_EQ(c.count, 10U);
  EXPECT_DOUBLE_EQ(c.bus_factor.value(), 1.5);
  const CaseRecord& gather = find_case(run, "gather/mpi/host/int32/root:1", 160);  // 40 of each rank
  EXPECT_DOUBLE_EQ(gather.time_s.value(), 3e-6);
  EXPECT_EQ(run.head.method.rank_rule, RankRule::slowest);
  EXPECT_EQ(run.head.method.statistic, Statistic::median);
  EXPECT_EQ(run.head.method.iterations, 5);
  EXPECT_EQ(run.head.argv.at(0), "./bin/mpibenchmark");
  EXPECT_EQ(run.end.status, EndStatus::ok);
  EXPECT_TRUE(mentions(run.warnings, "calls left out, not read or of an unknown type: GL_Allgather_as_Alltoall"));
}

TEST(ImportReprompi, ReadsSummaries) {
  const ImportedRun run = import_both().at(1);
  EXPECT_EQ(run.name, "2-barrier");
  const CaseRecord& c = find_case(run, "broadcast/mpi/host/byte/root:0", 8);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 3.046e-6);
  EXPECT_TRUE(c.samples_s.empty());
  EXPECT_EQ(find_case(run, "barrier", 0).key.cadence, "synchronised");
  EXPECT_TRUE(mentions(run.head.notes, "a time is the median over calls of each call's slowest rank, by synchronised"));
}

TEST(ImportReprompi, LeavesOutCallsThatMissedTheirWindow) {
  const ImportedRun run = import_text(
                              "#@nprocs=2\n#@datatype=MPI_BYTE\n#@procsync=window\n"
                              " test nrep count errorcode runtime_sec\n"
                              " MPI_Bcast 0 8 0 0.0000010000\n MPI_Bcast 1 8 2 0.0000090000\n")
                              .at(0);
  EXPECT_EQ(run.cases.at(0).samples_s.size(), 1U);
  EXPECT_TRUE(mentions(run.head.notes, "1 call left out that missed their window"));
  EXPECT_EQ(run.end.status, EndStatus::unknown);
}

TEST(ImportReprompi, ComparesRanks) {
  const std::string text = read_sample("reprompi.txt");
  const ImportedRun stated = import_text(text, 8).at(0);
  EXPECT_EQ(stated.head.ranks, 8);
  EXPECT_TRUE(mentions(stated.warnings, "--ranks 8 was taken, though #@nprocs=4 says 4 ranks"));
  const ImportedRun other = import_text(replace_first(text, "--ntasks-per-node=2", "--ntasks-per-node=4")).at(0);
  EXPECT_TRUE(mentions(other.warnings, "4 ranks taken from #@nprocs=4, though srun -N 2 --ntasks-per-node=4 (line 1)"));
  const std::string table = " test nrep count runtime_sec\n MPI_Barrier 0 1 0.0000010000\n#@datatype=MPI_BYTE\n";
  EXPECT_NE(catch_import_error({.text = table, .source = "r"}).find("no line \"#@nprocs=N\""), std::string::npos);
}

TEST(ImportReprompi, RefusesWhatItCannotRead) {
  const std::string verbose =
      "#@nprocs=2\nprocess test nrep count loc_tstart_sec loc_tend_sec\n 0 MPI_Bcast 0 8 1.0 2.0\n";
  EXPECT_NE(catch_import_error({.text = verbose, .source = "r"}).find("a table of each process's times (-v)"),
            std::string::npos);
  const std::string none = "#@nprocs=2\n test nrep count runtime_sec\n MPI_Bcast 0 8 0.0000010000\n";
  EXPECT_NE(catch_import_error({.text = none, .source = "r"}).find("no row that can be read"), std::string::npos)
      << "bytes of an element are not known";
}

TEST(ImportReprompi, ReadsNoWrongFigureFromACutLog) {
  const std::string text = read_sample("reprompi.txt");
  const ImportedRun whole = import_text(text).at(0);
  check_every_cut(text, 900, 7, "r.txt", [&](const ImportedRun& run) {
    for (const CaseRecord& c : run.cases)
      for (std::size_t i = 0; i < c.samples_s.size(); ++i)
        EXPECT_EQ(c.samples_s[i], find_case(whole, series_name(c.key), c.key.bytes).samples_s.at(i));
  });
}

}  // namespace
}  // namespace busbar::test
