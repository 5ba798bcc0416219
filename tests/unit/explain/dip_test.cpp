// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/record/software.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// 128 KiB takes `times` as long as the curve says.
Time dipped(double times) {
  return [times](std::uint64_t bytes) { return smooth_s(bytes) * (bytes == (128U << 10) ? times : 1); };
}

TEST(Dip, IsLikelyInBothPlacements) {
  const auto findings = apply_rule("dip", imported_run(dipped(2), dipped(1.5)));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "allreduce, out of place is 1.9x slower at 128 KiB than its neighbouring sizes predict");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Interpolating 64 KiB (26.6 us) and 256 KiB (46.2 us) gives 35 us"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Also affected: allreduce, in place (1.4x)."));
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("mpirun -np 4 busbar-bench allreduce -d fp32 --sizes 65536,131072,262144,524288 "
                        "--backend nccl --algorithm ring,tree --protocol simple,ll,ll128"));
  EXPECT_EQ(findings[0].where.sizes, std::vector<std::uint64_t>{128U << 10});
  EXPECT_THAT(findings[0].where.series, SizeIs(2));
}

TEST(Dip, IsMeasuredAgainWithAsManyGpusPerProcess) {
  busbar::Run run = imported_run(dipped(2), dipped(1.5));
  run.head.method.gpus_per_process = 4;
  EXPECT_THAT(text_of(apply_rule("dip", run).at(0)),
              HasSubstr("mpirun -np 1 busbar-bench allreduce -d fp32 --sizes 65536,131072,262144,524288 "
                        "--backend nccl --gpus-per-rank 4 --algorithm ring,tree"));
}

TEST(Dip, IsPossibleInOnePlacementIfLarge) {
  const auto findings = apply_rule("dip", imported_run(dipped(2), smooth_s));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::possible);
  EXPECT_THAT(findings[0].tries.front(), HasSubstr("Measure again"));
  EXPECT_THAT(apply_rule("dip", imported_run(dipped(1.4), smooth_s)), IsEmpty());
}

TEST(Dip, IsDecidedByIntervals) {
  busbar::Run run = quiet_run();
  const auto at = [&run](std::uint64_t bytes) -> CaseRecord& {
    return *std::ranges::find(run.cases, bytes, [](const CaseRecord& c) { return c.key.bytes; });
  };
  CaseRecord& c = at(128U << 10);
  c.time_s = *c.time_s * 1.5;
  c.interval_s = Interval{.low = *c.time_s * 0.97, .high = *c.time_s * 1.03, .confidence = 0.95};
  auto findings = apply_rule("dip", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  c.interval_s->low = *c.time_s * 0.7;  // so that it may as well lie on the curve
  EXPECT_THAT(apply_rule("dip", run), IsEmpty());
}

TEST(Dip, NamesTheAlgorithmOfTheLibrary) {
  busbar::Run run = imported_run(dipped(2), dipped(2));
  for (CaseRecord& c : run.cases)
    c.choice =
        LibraryChoice{.algorithm = c.key.bytes < (128U << 10) ? "tree" : "ring", .protocol = "ll", .channels = 8};
  auto text = text_of(apply_rule("dip", run).at(0));
  EXPECT_THAT(text,
              HasSubstr("The library chose (algorithm/protocol/channels) tree/ll/8 at 64 KiB, ring/ll/8 at 128 KiB, "
                        "ring/ll/8 at 256 KiB."));
  EXPECT_THAT(text, Not(HasSubstr("NCCL_DEBUG")));
  for (CaseRecord& c : run.cases) c.choice->algorithm = "ring";
  text = text_of(apply_rule("dip", run).at(0));
  EXPECT_THAT(text, HasSubstr("The library chose ring/ll/8 at all these sizes: the algorithm did not change."));
}

TEST(Dip, IgnoresBimodalContendedAndSharedCases) {
  busbar::Run run = imported_run(dipped(3), smooth_s);
  for (CaseRecord& c : run.cases)
    if (c.key.bytes == (128U << 10))
      c.contention = Contention{.reasons = {"runnable but not running 50 % of the time"}};
  EXPECT_THAT(apply_rule("dip", run), IsEmpty());
  for (CaseRecord& c : run.cases) c.contention.reset();
  EXPECT_THAT(apply_rule("dip", run), SizeIs(1));
  for (CaseRecord& c : run.cases) c.modes = Modes{};
  EXPECT_THAT(apply_rule("dip", run), IsEmpty());
  for (CaseRecord& c : run.cases) c.modes.reset();
  run.head.method.shared_gpu = true;
  EXPECT_THAT(apply_rule("dip", run), IsEmpty());
}

TEST(Dip, SuggestsEagerLimitsAndAlgorithmsOfMpi) {
  busbar::Run run = imported_run(dipped(3), dipped(3));
  for (CaseRecord& c : run.cases) c.key.backend = "mpi";
  run.head.mpi = Mpi{.library = "Open MPI 5.0.3"};
  const auto text = text_of(apply_rule("dip", run).at(0));
  EXPECT_THAT(text, HasSubstr("UCX_RNDV_THRESH"));
  EXPECT_THAT(text, HasSubstr("--mca btl_sm_eager_limit"));
  EXPECT_THAT(text, HasSubstr("--mca coll_tuned_allreduce_algorithm N"));
}

TEST(Dip, SuggestsNoAlgorithmsForPairs) {
  busbar::Run run = imported_run(dipped(3), dipped(3));
  for (CaseRecord& c : run.cases) c.key.backend = "mpi", c.key.kind = CaseKind::pair, c.key.collective = "pingpong";
  run.head.mpi = Mpi{.library = "Open MPI 4.1.4"};
  const auto text = text_of(apply_rule("dip", run).at(0));
  EXPECT_THAT(text, HasSubstr("pair pingpong"));
  EXPECT_THAT(text, HasSubstr("btl_vader_eager_limit"));
  EXPECT_THAT(text, Not(HasSubstr("coll_tuned")));
}

TEST(Dip, IgnoresTheEndOfASlowStretch) {
  const Time until_8k = [](std::uint64_t bytes) { return bytes < (8U << 10) ? 85e-6 : 20e-6; };
  EXPECT_THAT(apply_rule("dip", imported_run(until_8k, until_8k)), IsEmpty());
}

TEST(Dip, IsSilentOnSmoothCurves) {
  EXPECT_THAT(apply_rule("dip", imported_run(smooth_s, smooth_s)), IsEmpty());
  EXPECT_THAT(apply_rule("dip", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
