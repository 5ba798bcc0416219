// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/fastest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/drawing/render.hpp"
#include "reports/sections/report_document.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using report::Contest;
using report::Study;
using report::study_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// An allreduce of 8 ranks on a topology by an algorithm.
Run run_of(const std::string& topology, const std::string& rate, const std::string& algorithm, double time_s,
           std::uint64_t bytes = 1024) {
  Run run;
  run.path = topology + rate + algorithm;
  run.head.labels = {{"topology", topology}, {"rate", rate}, {"algorithm", algorithm}};
  CaseRecord c;
  c.key = {.collective = "allreduce", .bytes = bytes, .ranks = 8};
  c.status = Status::ok;
  c.time_s = time_s;
  run.cases.push_back(c);
  return run;
}

std::vector<Run> grid() {
  return {run_of("torus", "slow", "ring", 8e-6), run_of("torus", "slow", "tree", 4e-6),
          run_of("torus", "fast", "ring", 1e-6), run_of("torus", "fast", "tree", 3e-6),
          run_of("mesh", "slow", "ring", 9e-6),  run_of("mesh", "slow", "tree", 8e-6),
          run_of("star", "slow", "ring", 2e-6)};
}

std::vector<const Contest*> all_of(const Study& study) {
  std::vector<const Contest*> all;
  for (const Contest& c : study.contests) all.push_back(&c);
  return all;
}

TEST(Fastest, ComparesRunsThatDifferOnlyInTheLabel) {
  const Study study = study_of("algorithm", grid());
  EXPECT_THAT(study.others, ElementsAre("topology", "rate")) << "the one with the most values first";
  ASSERT_EQ(study.contests.size(), 4U);
  const Contest& torus_fast = study.contests[1];
  EXPECT_THAT(torus_fast.others, ElementsAre("torus", "fast"));
  ASSERT_EQ(torus_fast.contenders.size(), 2U);
  EXPECT_EQ(torus_fast.contenders[0].value, "ring");
  EXPECT_DOUBLE_EQ(torus_fast.contenders[0].time_s, 1e-6);
  EXPECT_EQ(torus_fast.contenders[1].value, "tree");
}

TEST(Fastest, SeparatesMeasuredFromSimulatedRunsAndSkipsFailedCases) {
  auto runs = grid();
  runs[0].cases[0].status = Status::failed;
  runs[2].head.origin = Origin::simulated;
  runs[2].head.simulation.emplace();
  for (const Contest& c : study_of("algorithm", runs).contests) {
    if (c.others.front() != "torus") continue;
    EXPECT_EQ(c.contenders.size(), 1U) << c.others[1];
  }
}

TEST(Fastest, RanksLabelsByTheRatioOfTheirValues) {
  const Study study = study_of("algorithm", grid());
  const auto algorithm = effect_of(study, all_of(study), "algorithm");
  ASSERT_TRUE(algorithm);
  EXPECT_DOUBLE_EQ(algorithm->least, 9.0 / 8);
  EXPECT_DOUBLE_EQ(algorithm->median, 2);
  EXPECT_DOUBLE_EQ(algorithm->greatest, 3);
  const auto topology = effect_of(study, all_of(study), "topology");
  ASSERT_TRUE(topology);
  EXPECT_DOUBLE_EQ(topology->median, 4) << "of the three with the slow rate, each by its fastest: 4, 8 and 2 us";
  const auto rate = effect_of(study, all_of(study), "rate");
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->greatest, 4) << "on the torus: 4 us by the tree, 1 us by the ring";
}

TEST(Fastest, RefusesALabelInWhichNoRunsDiffer) {
  EXPECT_EQ(catch_error([] { (void)study_of("colour", grid()); }),
            "--fastest: no two runs differ in a label 'colour'; they differ in: topology, algorithm, rate");
}

TEST(FastestSection, ListsWinnersAndTimes) {
  const auto text = [](const std::string& label) {
    return report::render_markdown(report::make_document("t", grid(), {.fastest = label, .sections = {"fastest"}}));
  };
  EXPECT_THAT(text(""), Not(HasSubstr("Fastest configurations")));
  const std::string with = text("algorithm");
  EXPECT_THAT(with, HasSubstr("## Fastest configurations"));
  EXPECT_THAT(with, HasSubstr("tree 2, ring 1")) << "of the contests with two contenders";
  EXPECT_THAT(with, HasSubstr("2.00 (1.12 to 3.00)"));
  EXPECT_THAT(with, HasSubstr("8 us (tree)"));
}

}  // namespace
}  // namespace busbar::test
