// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/fit/fit.hpp"
#include "reports/fit/library.hpp"
#include "reports/predict/from_fit.hpp"
#include "tests/unit/synthetic.hpp"

// Made-up machines whose library follows its rules, or does not.

namespace busbar::fit::test {
namespace {

const std::string open_mpi = "Open MPI 4.1.4";
const Terms costs{0.3e-6, 2e-6, 1.0 / 12e9};

Scale one_on_each(int nodes) { return {.ranks = nodes, .nodes = nodes}; }

/// The algorithm of a machine at a scale and size.
using Choice = std::string (*)(const Scale&, std::uint64_t bytes);

std::string by_rules(const Scale& s, std::uint64_t bytes) {
  return libraries::mpi_choice(
             open_mpi,
             {.collective = "allreduce", .ranks = s.ranks, .nodes = s.nodes, .bytes = bytes, .element_bytes = 4})
      ->row;
}

double truth(Choice choice, int nodes, std::uint64_t bytes) {
  const Scale scale = one_on_each(nodes);
  return dot(*terms_of("allreduce", choice(scale, bytes), scale, static_cast<double>(bytes)), costs);
}

CaseRecord allreduce(int nodes, std::uint64_t bytes) {
  CaseRecord c;
  c.key = busbar::test::allreduce_key(bytes, nodes, nodes);
  return c;
}

RunRecord head_of(const std::string& library) {
  RunRecord head;
  head.mpi.emplace().library = library;
  return head;
}

std::vector<busbar::Run> runs_of(Choice choice, std::initializer_list<int> nodes, std::uint64_t first = 8) {
  std::vector<busbar::Run> runs;
  for (const int n : nodes) {
    busbar::Run run{.path = "n" + std::to_string(n) + ".jsonl", .head = head_of(open_mpi)};
    for (std::uint64_t bytes = first; bytes <= 1U << 22U; bytes *= 2) {
      run.cases.push_back(allreduce(n, bytes));
      run.cases.back().time_s = truth(choice, n, bytes);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

SweepOptions without_rules() { return {.library = std::string(no_library)}; }

predict::Predicted predicted(const std::vector<busbar::Run>& runs, const SweepOptions& options, int nodes,
                             std::uint64_t bytes) {
  const Fit fit = fit_runs(runs, options, 0.1);
  return *predict::predict_one(fit.sweeps.front(), one_on_each(nodes), bytes, {.nodes = {nodes}, .sizes = {bytes}});
}

TEST(OwnRules, DecideOnlyWhereNothingElseDoes) {
  const RunRecord head = head_of(open_mpi);
  CaseRecord c = allreduce(8, 1024);
  EXPECT_EQ(rules_of(head, c, open_mpi), open_mpi);
  EXPECT_EQ(rules_of(head, c, "Intel MPI 2021.18.1"), "");
  EXPECT_EQ(rules_of(head, c, "none"), "");
  c.key.algorithm = "ring";
  EXPECT_EQ(rules_of(head, c, open_mpi), "") << "requested";
  c = allreduce(8, 1024);
  c.key.form = "nonblocking";
  EXPECT_EQ(rules_of(head, c, open_mpi), "") << "another component";
  c = allreduce(8, 1024);
  c.key.memory = "device";
  EXPECT_EQ(rules_of(head, c, open_mpi), "");
  c = allreduce(8, 1024);
  c.key.collective = "alltoall";
  EXPECT_EQ(rules_of(head, c, open_mpi), open_mpi);
  c.key.in_place = true;
  EXPECT_EQ(rules_of(head, c, open_mpi), "") << "a loop of its own";
  c = allreduce(8, 1024);
  for (const auto& [name, decide] :
       {std::pair("OMPI_MCA_coll_tuned_use_dynamic_rules", false), std::pair("OMPI_MCA_btl", true),
        std::pair("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", false), std::pair("MPIR_CVAR_CH4_PROGRESS_THROTTLE", true)}) {
    RunRecord set = head;
    set.environment[name] = "1";
    EXPECT_EQ(rules_of(set, c, open_mpi).empty(), !decide) << name;
  }
}

TEST(OwnRules, NameTheCurves) {
  const auto runs = runs_of(by_rules, {2, 4, 8});
  const Fit fit = fit_runs(runs, {}, 0.1);
  ASSERT_EQ(fit.sweeps.size(), 1U);
  const SweepFit& f = fit.sweeps.front();
  EXPECT_EQ(f.sweep.rules, open_mpi);
  EXPECT_EQ(f.sweep.element_bytes, 4U);
  for (const Region& region : f.regions) {
    EXPECT_GT(region.best().weight, 0.9);
    EXPECT_EQ(algorithm_at(f.sweep, region.best(), one_on_each(8), region.last), by_rules(one_on_each(8), region.last));
  }
  EXPECT_NEAR(f.regions.back().best().coefficients[2] * 12e9, 1, 0.1);
}

TEST(OwnRules, LeaveNothingKnownWithoutThem) {
  const Fit fit = fit_runs(runs_of(by_rules, {2, 4, 8}), without_rules(), 0.1);
  EXPECT_EQ(fit.sweeps.front().sweep.rules, "");
  EXPECT_FALSE(fit.sweeps.front().sweep.choice_by_rules(one_on_each(8), 8));
  for (const Region& region : fit.sweeps.front().regions)
    for (const Curve& c : region.curves) EXPECT_FALSE(c.by_rules);
}

double error_of(const predict::Predicted& p) {
  return std::abs(std::log(p.time_s.value / truth(by_rules, p.scale.nodes, p.bytes)));
}

// 64 KiB: rabenseifner on 4 to 16 ranks, recursive doubling on 64.
TEST(OwnRules, SwitchWhereTheyDo) {
  constexpr std::uint64_t bytes = 1U << 16U;
  for (const int nodes : {4, 8, 16}) ASSERT_EQ(by_rules(one_on_each(nodes), bytes), "reduce-scatter and allgather");
  ASSERT_EQ(by_rules(one_on_each(64), bytes), "recursive doubling");
  const auto runs = runs_of(by_rules, {4, 8, 16}, 8192);
  const auto with = predicted(runs, {}, 64, bytes), without = predicted(runs, without_rules(), 64, bytes);
  EXPECT_EQ(with.readings.back().what, "recursive doubling, if the library switches to it");
  EXPECT_NEAR(with.readings.back().weight, 0.9, 1e-9);
  EXPECT_LT(error_of(with), 0.1);
  EXPECT_GT(error_of(without), 2 * error_of(with));
  EXPECT_LT(with.time_s.low, truth(by_rules, 64, bytes));
  EXPECT_GT(with.time_s.high, truth(by_rules, 64, bytes));
}

// Of 2, 4 and 8 ranks, each is of another algorithm at some sizes: one curve, which goes on with that of 64.
TEST(OwnRules, GoOnWithTheAlgorithmOfAScale) {
  constexpr std::uint64_t bytes = 1U << 16U;
  ASSERT_EQ(by_rules(one_on_each(2), bytes), "ring");
  const auto one = predicted(runs_of(by_rules, {2, 4, 8}), {}, 64, bytes);
  EXPECT_EQ(one.readings.front().what, "recursive doubling");
  EXPECT_LT(error_of(one), 0.1);
}

TEST(OwnRules, GiveWayToTimesThatRefuteThem) {
  const Choice ring = [](const Scale&, std::uint64_t) { return std::string("ring"); };
  const auto runs = runs_of(ring, {2, 4, 8, 16});
  const Fit fit = fit_runs(runs, {}, 0.02);
  for (const Region& region : fit.sweeps.front().regions) EXPECT_EQ(region.best().algorithm, "ring");
  const auto large = predicted(runs, {}, 32, 1U << 22U);
  for (const predict::Reading& r : large.readings)
    EXPECT_EQ(r.what.find("switches"), std::string::npos) << "the rules do not change on the way, so they say nothing";
  const auto unruled = predicted(runs, without_rules(), 32, 1U << 22U);
  EXPECT_NEAR(large.time_s.value / unruled.time_s.value, 1, 0.1);
}

TEST(OwnRules, MapRequestsToRows) {
  auto runs = runs_of([](const Scale&, std::uint64_t) { return std::string("ring"); }, {2, 4, 8});
  for (busbar::Run& run : runs)
    for (CaseRecord& c : run.cases) c.key.algorithm = "segmented_ring/segsize=64K";
  const Fit fit = fit_runs(runs, {}, 0.1);
  ASSERT_FALSE(fit.sweeps.front().regions.empty());
  for (const Region& region : fit.sweeps.front().regions) {
    EXPECT_TRUE(region.best().told);
    EXPECT_EQ(region.best().algorithm, "ring");
  }
}

TEST(OwnRules, StayInTheFitFile) {
  const Fit fit = fit_runs(runs_of(by_rules, {2, 4, 8}), {}, 0.1);
  const Fit again = parse_fit(json_of(fit).dump(), "fit.json");
  EXPECT_EQ(again.sweeps.front().sweep.rules, open_mpi);
  EXPECT_EQ(again.sweeps.front().sweep.element_bytes, 4U);
  const auto at = [](const Fit& f) {
    return predict::predict_one(f.sweeps.front(), one_on_each(64), 1U << 16U, {.nodes = {64}, .sizes = {}})
        ->time_s.value;
  };
  EXPECT_DOUBLE_EQ(at(again), at(fit));
}

}  // namespace
}  // namespace busbar::fit::test
