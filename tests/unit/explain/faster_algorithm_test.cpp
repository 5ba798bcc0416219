// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/mpi_library/mpi_library.hpp"
#include "reports/explain/algorithms.hpp"
#include "reports/explain/tuning.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

CaseRecord timed(CaseRecord c, std::string algorithm, double times) {
  if (!algorithm.empty()) c.key.algorithm = std::move(algorithm);
  for (Round& r : c.rounds) r.median_s *= times;
  *c.time_s *= times;
  if (c.interval_s) c.interval_s = Interval{c.interval_s->low * times, c.interval_s->high * times, 0.95};
  return c;
}

/// A quiet run in which "ring" takes `ring` and "tree" takes `tree` times as long as the library's choice, from 64 KiB
/// to 1 MiB, and all else takes as long.
busbar::Run with_algorithms(double ring, double tree) {
  busbar::Run run = quiet_run();
  const std::vector<CaseRecord> own = run.cases;
  for (const CaseRecord& c : own) {
    const bool inside = c.key.bytes >= 64 << 10 && c.key.bytes <= 1 << 20;
    run.cases.push_back(timed(c, "ring", inside ? ring : 1));
    run.cases.push_back(timed(c, "tree", inside ? tree : 1));
  }
  return run;
}

TEST(FasterAlgorithm, NamesTheFastestBySize) {
  const auto findings = apply_rule("faster_algorithm", with_algorithms(0.5, 0.4));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("tree is 2.50x faster than the library's choice for allreduce at "));
  EXPECT_THAT(findings[0].title, HasSubstr("; 5 sizes gain"));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(findings[0].where.sizes, SizeIs(5));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("1 launch, launch-to-launch variation assumed"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("busbar tune RECORD -o FILE"));
}

TEST(FasterAlgorithm, SaysWhatNcclChose) {
  busbar::Run run = with_algorithms(0.5, 1);
  for (CaseRecord& c : run.cases) {
    c.key.backend = "nccl";
    if (!c.key.algorithm) c.choice = LibraryChoice{.algorithm = "tree", .protocol = "ll", .channels = 8};
  }
  const auto findings = apply_rule("faster_algorithm", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("the library's choice (tree/ll/8)"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("NCCL_ALGO"));
  EXPECT_THAT(text_of(findings[0]), Not(HasSubstr("busbar tune")));
}

TEST(FasterAlgorithm, IsSilentOnSmallGainsInOneLaunch) {
  EXPECT_THAT(apply_rule("faster_algorithm", with_algorithms(0.9, 1.1)), IsEmpty());
  EXPECT_THAT(apply_rule("faster_algorithm", quiet_run()), IsEmpty());
}

TEST(FasterAlgorithm, IsFoundBySmallGainsInManyLaunches) {
  std::vector<busbar::Run> runs;
  for (const double of_launch : {1.0, 1.2, 0.9, 1.1, 1.05, 0.95}) {
    runs.push_back(with_algorithms(0.9 * (1 + 0.005 * of_launch), 1));
    for (CaseRecord& c : runs.back().cases) *c.time_s *= of_launch;
  }
  std::vector<const busbar::Run*> pointers;
  for (const busbar::Run& run : runs) pointers.push_back(&run);
  const ComparedAlgorithms compared = compare_algorithms(pointers);
  ASSERT_THAT(compared.faster, SizeIs(5));
  for (const FasterAlgorithm& f : compared.faster) {
    EXPECT_EQ(f.algorithm, "ring");
    EXPECT_EQ(f.basis, compare::Basis::pairs);
    EXPECT_GT(f.interval.low, 1.05);
  }
}

FasterAlgorithm faster_at(std::string collective, int ranks, std::uint64_t bytes, std::string algorithm) {
  CaseKey key{.collective = std::move(collective), .backend = "mpi", .bytes = bytes, .ranks = ranks};
  return {
      .key = key, .algorithm = std::move(algorithm), .own_s = 2, .time_s = 1, .ratio = 2, .interval = {}, .choice = ""};
}

/// broadcast on 4 ranks: ring from 1 KiB on, pipeline with segments at 1 MiB, the library's choice at 8 B and 4 MiB.
ComparedAlgorithms bcasts(std::string small, std::string large) {
  ComparedAlgorithms all;
  for (const unsigned bytes : {8U, 1024U, 65536U, 1U << 20, 4U << 20})
    all.keys.push_back(faster_at("broadcast", 4, bytes, "").key);
  all.faster = {faster_at("broadcast", 4, 1024, small), faster_at("broadcast", 4, 65536, small),
                faster_at("broadcast", 4, 1 << 20, std::move(large))};
  return all;
}

TEST(Tuning, WritesRulesOfOpenMpi) {
  const Tuning t =
      tuning_of(*try_find<MpiLibrary>("Open MPI"), "Open MPI 4.1.4", bcasts("knomial", "pipeline/segsize=64K"));
  EXPECT_EQ(t.text,
            "# Open MPI 4.1.4, by busbar tune\n1  # number of collectives\n7  # bcast\n3  # numbers of ranks\n"
            "0  # ranks from here on\n1\n0 0 0 0\n"
            "4  # ranks from here on\n4  # number of sizes: from, algorithm, fanout, segment size\n0 0 0 0\n"
            "1024 7 4 0  # knomial\n1048576 3 4 65536  # pipeline/segsize=64K\n4194304 0 0 0\n"
            "5  # ranks from here on\n1\n0 0 0 0\n");
  EXPECT_THAT(t.used, SizeIs(3));
  EXPECT_THAT(t.left_out, IsEmpty());
}

TEST(Tuning, EndsAboveTheLargestSize) {
  ComparedAlgorithms all;
  all.faster = {faster_at("allreduce", 2, 8, "ring")};
  all.keys = {all.faster[0].key};
  EXPECT_THAT(tuning_of(*try_find<MpiLibrary>("Open MPI"), "Open MPI 4.1.4", all).text,
              HasSubstr("0 0 0 0\n8 4 4 0  # ring\n9 0 0 0\n"));
}

TEST(Tuning, LeavesOutWhatTheLibraryDoesNotNumber) {
  const Tuning t = tuning_of(*try_find<MpiLibrary>("Open MPI"), "Open MPI 9.0.0", bcasts("newest", "newest"));
  EXPECT_EQ(t.text, "");
  EXPECT_THAT(t.left_out, SizeIs(1));
  EXPECT_THAT(t.left_out.at(0), HasSubstr("newest"));
}

TEST(Tuning, LeavesOutSizesWhoseCasesDisagree) {
  ComparedAlgorithms all = bcasts("knomial", "pipeline");
  CaseKey in_place = all.keys[1];
  in_place.in_place = true;
  all.keys.push_back(in_place);
  const Tuning t = tuning_of(*try_find<MpiLibrary>("Open MPI"), "Open MPI 4.1.4", all);
  EXPECT_THAT(t.left_out.at(0), HasSubstr("broadcast at 1 KiB on 4 ranks"));
  EXPECT_THAT(t.text, Not(HasSubstr("\n1024 ")));
  EXPECT_THAT(t.text, HasSubstr("\n65536 7 4 0"));
}

TEST(Tuning, WritesVariablesOfMpichForAllSizesOnly) {
  const MpiLibrary& mpich = *try_find<MpiLibrary>("MPICH");
  const Tuning none = tuning_of(mpich, "MPICH 5.0.2", bcasts("tree", "tree"));
  EXPECT_EQ(none.text, "");
  EXPECT_THAT(none.left_out.at(0), HasSubstr("MPIR_CVAR_BCAST_INTRA_ALGORITHM holds for all sizes"));
  ComparedAlgorithms all = bcasts("tree", "tree");
  all.keys.erase(all.keys.begin());
  all.keys.pop_back();
  EXPECT_EQ(
      tuning_of(mpich, "MPICH 5.0.2", all).text,
      "# MPICH 5.0.2, by busbar tune\nMPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\nMPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n");
}

TEST(Tuning, WritesRangesOfIntelMpi) {
  EXPECT_EQ(tuning_of(*try_find<MpiLibrary>("Intel MPI"), "Intel MPI 2021.18.1", bcasts("preset_3", "preset_1")).text,
            "# Intel MPI 2021.18.1, by busbar tune\n"
            "I_MPI_ADJUST_BCAST='3:1024-1048575@4-4;1:1048576-4194303@4-4'\n");
}

}  // namespace
}  // namespace busbar::explain::test
