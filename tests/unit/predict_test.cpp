// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/predict/contention.hpp"
#include "reports/predict/extrapolation.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/predict/from_simulation.hpp"
#include "reports/predict/gradients.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/predict/training.hpp"
#include "reports/predict/what_if/comparison.hpp"
#include "reports/predict/what_if/what_if.hpp"
#include "tests/unit/catch_error.hpp"

// Times and rates come from known parameters, which predictions must match.

namespace busbar::predict::test {
namespace {

using busbar::test::catch_error;

using fit::Scale, fit::Terms;

constexpr int per_node = 4;
Scale on_nodes(int nodes) { return {.ranks = nodes * per_node, .nodes = nodes}; }

/// A machine with known times, and its launches.
class Machine {
 public:
  Machine(std::string algorithm, const Terms& coefficients, double launch_sigma, double size_sigma, unsigned seed,
          std::string backend = "nccl")
      : algorithm_(std::move(algorithm)),
        backend_(std::move(backend)),
        coefficients_(coefficients),
        launch_sigma_(launch_sigma),
        size_sigma_(size_sigma),
        random_(seed) {}

  double truth(int nodes, std::uint64_t bytes) const {
    return fit::dot(*fit::terms_of("allreduce", algorithm_, on_nodes(nodes), static_cast<double>(bytes)),
                    coefficients_);
  }
  /// Time of one new launch.
  double time(int nodes, std::uint64_t bytes) {
    return truth(nodes, bytes) * std::exp(launch_sigma_ * normal_(random_) + size_sigma_ * normal_(random_));
  }
  busbar::Run launch(int nodes, unsigned first, unsigned last) {
    busbar::Run run;
    run.path = "n" + std::to_string(nodes) + ".jsonl";
    const double off = launch_sigma_ * normal_(random_);
    for (unsigned e = first; e <= last; ++e) {
      CaseRecord c;
      c.key.collective = "allreduce";
      c.key.backend = backend_;
      c.key.bytes = std::uint64_t{1} << e;
      c.key.ranks = nodes * per_node;
      c.key.nodes = nodes;
      c.key.ranks_per_node = per_node;
      c.time_s = truth(nodes, c.key.bytes) * std::exp(off + size_sigma_ * normal_(random_));
      run.cases.push_back(c);
    }
    return run;
  }

 private:
  std::string algorithm_, backend_;
  Terms coefficients_;
  double launch_sigma_, size_sigma_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

const Terms fast{10e-6, 4e-6, 1.0 / 20e9};

std::vector<busbar::Run> launches(Machine& machine, std::initializer_list<int> nodes, unsigned first, unsigned last) {
  std::vector<busbar::Run> runs;
  for (const int n : nodes) runs.push_back(machine.launch(n, first, last));
  return runs;
}

Prediction predict(const std::vector<busbar::Run>& runs, const FromFitOptions& options, double spread = 0.1) {
  return predict_from(fit::fit_runs(runs, {}, spread), options);
}

TEST(FromFit, PredictsTheTimeOfTheMachine) {
  Machine machine("tree", fast, 0, 0, 1);
  const auto runs = launches(machine, {2, 4, 8, 16}, 3, 30);
  const Prediction p = predict(runs, {.nodes = {64, 128}, .sizes = {8, 1U << 30U}});
  ASSERT_EQ(p.series.size(), 1U);
  ASSERT_EQ(p.series[0].predicted.size(), 4U);
  for (const Predicted& one : p.series[0].predicted) {
    EXPECT_NEAR(one.time_s.value / machine.truth(one.scale.nodes, one.bytes), 1, 0.01);
    EXPECT_LT(one.time_s.low, one.time_s.value);
    EXPECT_GT(one.time_s.high, one.time_s.value);
  }
  const Predicted& large = p.series[0].predicted.back();
  const Span bus = busbw_GBps(p.series[0], large);
  EXPECT_NEAR(bus.value, 1.073741824 / large.time_s.value * 2 * 511 / 512, 1e-9);
  EXPECT_LT(bus.low, bus.value);
}

// Intervals cover a new launch on four times as many nodes at their confidence.
TEST(FromFit, CoversAsItsIntervalsClaim) {
  constexpr int machines = 200;
  int held = 0;
  for (unsigned seed = 0; seed < machines; ++seed) {
    Machine machine("tree", fast, 0.08, 0.03, seed);
    const auto runs = launches(machine, {2, 2, 4, 4, 8, 8, 16, 16}, 3, 12);
    const Prediction p = predict(runs, {.nodes = {64}, .sizes = {1024}}, 0.08);
    const Predicted& one = p.series.at(0).predicted.at(0);
    const double seen = machine.time(64, 1024);
    held += one.time_s.low <= seen && seen <= one.time_s.high;
  }
  EXPECT_GE(held, 0.9 * machines);
}

TEST(FromFit, WidensTheIntervalWithTwoScales) {
  Machine machine("tree", fast, 0, 0, 1);
  const auto runs = launches(machine, {2, 8}, 3, 8);
  const Prediction p = predict(runs, {.nodes = {128}, .sizes = {8}});
  const Predicted& one = p.series[0].predicted.at(0);
  EXPECT_GE(one.readings.size(), 2U);
  EXPECT_LT(one.time_s.low, machine.truth(128, 8));
  EXPECT_GT(one.time_s.high, 3 * machine.truth(128, 8)) << "a ring passes through the same two points";
}

TEST(FromFit, AllowsForAFasterAlgorithm) {
  Machine machine("ring", {10e-6, 40e-6, 1.0 / 20e9}, 0, 0, 1);
  const auto runs = launches(machine, {2, 4, 8, 16}, 26, 32);
  const Prediction p = predict(runs, {.nodes = {512}, .sizes = {1U << 28U}});
  const Predicted& one = p.series[0].predicted.at(0);
  ASSERT_EQ(one.readings.size(), 2U);
  EXPECT_EQ(one.readings[0].what, "ring");
  EXPECT_EQ(one.readings[1].what, "tree, if the library switches to it");
  EXPECT_DOUBLE_EQ(one.readings[0].weight + one.readings[1].weight, 1);
  EXPECT_LT(one.readings[1].time_s.value, one.time_s.value);
  EXPECT_LT(one.time_s.value, one.readings[0].time_s.value);
  EXPECT_GE(one.time_s.low, one.readings[1].time_s.low) << "holds 95 % of both, so less than all of each";
  EXPECT_LT(one.time_s.low, one.readings[1].time_s.value);
  EXPECT_LE(one.time_s.high, one.readings[0].time_s.high);
  EXPECT_GT(one.time_s.high, one.readings[0].time_s.value);
}

TEST(FromFit, MovesOnlyTheUpperEndByAnAllowance) {
  Machine machine("tree", fast, 0, 0, 1);
  const auto runs = launches(machine, {2, 4, 8}, 3, 12);
  const auto one = [&](double allowance) {
    return predict(runs, {.nodes = {64}, .sizes = {64}, .allowance = allowance}).series[0].predicted.at(0).time_s;
  };
  EXPECT_DOUBLE_EQ(one(0.2).high, 1.2 * one(0).high);
  EXPECT_DOUBLE_EQ(one(0.2).low, one(0).low);
  EXPECT_DOUBLE_EQ(one(0.2).value, one(0).value);
}

TEST(FromFit, LeavesGrowthOpenWithOneScale) {
  Machine machine("recursive doubling", fast, 0, 0, 1, "mpi");
  const Prediction p = predict(launches(machine, {2}, 3, 12), {.nodes = {8}, .sizes = {8}});
  ASSERT_EQ(p.series.size(), 1U) << p.left_out.at(0);
  const Predicted& one = p.series.at(0).predicted.at(0);
  EXPECT_EQ(one.readings.size() % 2, 0U)
      << "each algorithm with constant latency and with latency that grows with steps";
  EXPECT_LT(one.time_s.low, machine.truth(8, 8));
  EXPECT_GT(one.time_s.high, machine.truth(8, 8));
}

// From 2 nodes, where half of the time is steps, to 128: the call of NCCL is known within a factor of 1.5 or so.
TEST(FromFit, KnowsTheCallOfNccl) {
  for (const double call_s : {6e-6, 8e-6, 10e-6}) {
    Machine machine("tree", {call_s, 10e-6, 1.0 / 20e9}, 0, 0, 1);
    busbar::Run run = machine.launch(2, 3, 12);
    for (CaseRecord& c : run.cases) c.choice = LibraryChoice{.algorithm = "tree", .protocol = "ll"};
    const Predicted one = predict({run}, {.nodes = {128}, .sizes = {8}}).series.at(0).predicted.at(0);
    ASSERT_EQ(one.readings.size(), 1U);
    EXPECT_NEAR(one.time_s.value / machine.truth(128, 8), 1, 0.15);
    EXPECT_LT(one.time_s.low, machine.truth(128, 8));
    EXPECT_GT(one.time_s.high, machine.truth(128, 8));
  }
}

TEST(FromFit, SaysFirstWhatNcclsModelChooses) {
  Machine machine("tree", {8e-6, 10e-6, 1.0 / 20e9}, 0, 0, 1);
  busbar::Run run = machine.launch(2, 3, 12);
  const auto first = [&](const char* library, const char* gpu, const char* cpu) {
    if (*library != 0) run.head.libraries["nccl"] = library;
    run.head.hosts = {{.name = "a"}};
    if (*cpu != 0) run.head.hosts[0].cpu_model = cpu;
    if (*gpu != 0) run.head.hosts[0].gpus = {{.name = gpu}};
    for (CaseRecord& c : run.cases) c.key.memory = "device";
    return predict({run}, {.nodes = {8}, .sizes = {8}}).assumptions.at(0);
  };
  EXPECT_TRUE(first("", "", "")
                  .starts_with("NCCL's own model, all versions since 2.18 on Ampere or Hopper GPUs, with all "
                               "processors and numbers of channels "
                               "that this bandwidth may be of, chooses for an allreduce: on 2 nodes a tree up to "))
      << first("", "", "");
  EXPECT_TRUE(
      first("2.28.3", "NVIDIA H100 80GB HBM3", "Intel(R) Xeon(R) Platinum 8480+")
          .starts_with("NCCL's own model, version 2.28.3 on Hopper GPUs, with all numbers of channels that this "
                       "bandwidth may be of (a tree may be that of NVLS), chooses"));
  EXPECT_TRUE(first("2.28.3", "NVIDIA B200", "").find("on Blackwell GPUs") != std::string::npos);
}

Predicted predicted(std::uint64_t bytes, double time_s) {
  return {.scale = on_nodes(8), .bytes = bytes, .time_s = {time_s, time_s / 2, time_s * 2}, .readings = {}};
}

TEST(Extrapolation, LetsTimesFallOnlyWhereOthersDo) {
  std::vector<Predicted> sizes{predicted(8, 1), predicted(16, 4), predicted(32, 1), predicted(64, 8),
                               predicted(128, 2)};
  const std::vector<Predicted> like{predicted(8, 1), predicted(16, 2), predicted(32, 3), predicted(64, 8),
                                    predicted(128, 2)};
  const std::vector<double> falls = falls_of(like);
  EXPECT_EQ(falls[3], 0);
  EXPECT_NEAR(falls[4], std::log(4), 1e-12);
  limit_falls(sizes, falls);
  EXPECT_NEAR(sizes[1].time_s.value, 2, 1e-12) << "the mean of 4 and 1, as logarithms";
  EXPECT_NEAR(sizes[2].time_s.value, 2, 1e-12);
  EXPECT_NEAR(sizes[3].time_s.value, 8, 1e-12);
  EXPECT_NEAR(sizes[4].time_s.value, 2, 1e-12) << "as much as there";
  for (const Predicted& p : sizes) EXPECT_NEAR(p.time_s.high, 4 * p.time_s.low, 1e-9);
}

TEST(FromFit, IsNeverBelowTheLargestMeasuredScale) {
  Machine machine("ring", {10e-6, 4e-6, 1.0 / 20e9}, 0, 0.3, 5);
  const auto runs = launches(machine, {2, 8}, 3, 30);
  const Prediction p = predict(runs, {.nodes = {8, 16}});
  const auto& all = p.series.at(0).predicted;
  const auto half = all.size() / 2;
  for (std::size_t i = 0; i < half; ++i) EXPECT_GE(all[half + i].time_s.value, 0.99 * all[i].time_s.value);
}

TEST(FromFit, AllowsForContentionWhereLinksAreShared) {
  Machine machine("ring", fast, 0.02, 0.02, 3, "mpi");
  const fit::Fit fit = fit::fit_runs(launches(machine, {2, 4, 8}, 10, 28), {}, 0.05);
  const auto at = [&fit](Topology topology, std::uint64_t bytes) {
    const FromFitOptions o{.nodes = {256}, .sizes = {bytes}, .contention = {.topology = topology}};
    return predict_from(fit, o).series.at(0).predicted.at(0);
  };
  constexpr std::uint64_t small = 1U << 10U, large = 1U << 28U;
  const Predicted shared = at(Topology::dragonfly, large), tree = at(Topology::fat_tree, large),
                  alone = at(Topology::single_switch, large);
  EXPECT_GT(shared.time_s.high, 1.1 * tree.time_s.high);
  EXPECT_GT(tree.time_s.high, 1.1 * alone.time_s.high);
  EXPECT_DOUBLE_EQ(shared.time_s.value, alone.time_s.value);
  EXPECT_DOUBLE_EQ(shared.time_s.low, alone.time_s.low);
  EXPECT_DOUBLE_EQ(*shared.alone_high_s, alone.time_s.high) << "neighbours of a ring share no links";
  EXPECT_DOUBLE_EQ(at(Topology::unknown, large).time_s.high, shared.time_s.high);
  EXPECT_LT(at(Topology::dragonfly, small).time_s.high / at(Topology::single_switch, small).time_s.high,
            shared.time_s.high / alone.time_s.high)
      << "latency waits less for others than bandwidth";
}

TEST(Contention, CountsAloneWhereEveryNodeSendsToEveryOther) {
  const Contention alone{.topology = Topology::torus, .traffic = Traffic::alone};
  EXPECT_EQ(share_of_slowdown(alone, "alltoall", "pairwise"), 1);
  EXPECT_EQ(share_of_slowdown(alone, "allreduce", "ring"), 0);
  EXPECT_EQ(share_of_slowdown({.topology = Topology::torus}, "allreduce", "ring"), 1);
  EXPECT_EQ(share_of_slowdown({.topology = Topology::single_switch}, "alltoall", "pairwise"), 0);
}

TEST(FromFit, GivesSimpleRulesWhereNoCurveFits) {
  // Small sizes have times of chance, large ones those of a ring
  Machine wild("ring", fast, 0, 0.8, 5), tame("ring", fast, 0, 0.01, 6);
  std::vector<busbar::Run> runs;
  for (const int nodes : {2, 4, 8}) {
    busbar::Run run = wild.launch(nodes, 3, 12);
    for (CaseRecord& c : tame.launch(nodes, 18, 28).cases) run.cases.push_back(c);
    runs.push_back(std::move(run));
  }
  const Prediction p = predict_from(fit::fit_runs(runs, {}, 0.05), {.nodes = {64}});
  ASSERT_EQ(p.series.size(), 1U) << p.left_out.at(0);
  const Series& s = p.series[0];
  ASSERT_FALSE(s.naive.empty());
  ASSERT_FALSE(s.predicted.empty());
  EXPECT_EQ(s.naive.front().bytes, 8U);
  EXPECT_GT(s.naive.front().time_s, 0);
  EXPECT_EQ(s.predicted.back().bytes, std::uint64_t{1} << 28U);
  for (const Naive& n : s.naive)
    EXPECT_EQ(std::ranges::find(s.predicted, n.bytes, &Predicted::bytes), s.predicted.end()) << n.bytes;
  ASSERT_FALSE(p.left_out.empty());
  EXPECT_NE(p.left_out[0].find("the model does not describe 8 B to "), std::string::npos) << p.left_out[0];
  EXPECT_EQ(json_of(parse_prediction(json_of(p).dump(), "prediction.json")), json_of(p));
}

TEST(FromFit, ReportsWhatCannotBePredicted) {
  Machine machine("tree", fast, 0, 0, 1);
  const Prediction in_a_node = predict(launches(machine, {1}, 3, 12), {.nodes = {64}});
  EXPECT_TRUE(in_a_node.series.empty());
  ASSERT_EQ(in_a_node.left_out.size(), 1U);
  EXPECT_NE(in_a_node.left_out[0].find("measured on one node"), std::string::npos);
  fit::Fit without_curves = fit::fit_runs(launches(machine, {2, 8}, 3, 12), {}, 0.1);
  without_curves.sweeps[0].regions.clear();
  EXPECT_EQ(predict_from(without_curves, {.nodes = {64}}).left_out.size(), 1U);
  const Prediction too_large = predict(launches(machine, {2, 8}, 3, 12), {.nodes = {64}, .sizes = {1U << 20U}});
  ASSERT_EQ(too_large.left_out.size(), 1U);
  EXPECT_NE(too_large.left_out[0].find("1 MiB is outside the measured sizes, 8 B to 4 KiB"), std::string::npos);
}

// By simulation

std::vector<busbar::Run> simulated(Machine& machine, std::initializer_list<int> nodes, unsigned first, unsigned last) {
  auto runs = launches(machine, nodes, first, last);
  for (busbar::Run& run : runs) run.head.origin = Origin::simulated;
  return runs;
}

TEST(FromSimulation, ScalesSimulatedTimes) {
  Machine real("tree", fast, 0, 0, 1), model("tree", {8e-6, 3.2e-6, 0.8 / 20e9}, 0, 0, 1);
  const Prediction p = predict_by_simulation(launches(real, {2, 8}, 3, 12), simulated(model, {2, 8, 128}, 3, 12), {},
                                             0.1, {.nodes = {128}, .sizes = {8, 4096}});
  ASSERT_EQ(p.series.size(), 1U);
  for (const Predicted& one : p.series[0].predicted) {
    EXPECT_NEAR(one.time_s.value, real.truth(128, one.bytes), 1e-9);
    EXPECT_NEAR(std::log(one.time_s.high / one.time_s.value), 1.96 * 0.1 * std::sqrt(1.5), 1e-3)
        << "no narrower than the spread of launches";
  }
}

TEST(FromSimulation, WidensTheIntervalByVaryingRatios) {
  Machine real("ring", {10e-6, 4e-6, 0}, 0, 0, 1), model("tree", {10e-6, 4e-6, 0}, 0, 0, 1);
  const Prediction p = predict_by_simulation(launches(real, {2, 4, 8}, 3, 12), simulated(model, {2, 4, 8, 16}, 3, 12),
                                             {}, 0.1, {.nodes = {16}, .sizes = {8}});
  const Span time = p.series.at(0).predicted.at(0).time_s;
  EXPECT_LT(time.low, real.truth(16, 8));
  EXPECT_GT(time.high, real.truth(16, 8));
  EXPECT_GT(time.high / time.value, 2);
}

TEST(FromSimulation, ReportsNoCommonScale) {
  Machine real("tree", fast, 0, 0, 1);
  const Prediction p =
      predict_by_simulation(launches(real, {2}, 3, 12), simulated(real, {64, 128}, 3, 12), {}, 0.1, {.nodes = {128}});
  EXPECT_TRUE(p.series.empty());
  ASSERT_EQ(p.left_out.size(), 1U);
}

// Trainings

constexpr double baseline_rate = 2757.21;
constexpr int batch = 1024;

CaseRecord training(int nodes, double samples_per_s, int of = 1) {
  CaseRecord c;
  c.key.kind = CaseKind::training;
  c.key.collective = "resnet50";
  c.key.backend = "horovod";
  c.key.ranks = nodes * of;
  c.key.nodes = nodes;
  c.key.ranks_per_node = of;
  c.key.training = TrainingKey{.batch = batch};
  c.training = Training{.samples_per_s = samples_per_s};
  c.time_s = batch * nodes * of / samples_per_s;
  return c;
}

busbar::Run record(std::initializer_list<CaseRecord> cases) {
  busbar::Run run;
  run.path = "training.jsonl";
  run.cases = cases;
  return run;
}

TrainingOptions over_100_gbe(std::vector<int> nodes) {
  return {.nodes = std::move(nodes),
          .network = {.rate = expected::LineRate{.GBps = 12.5, .text = "100gbe"}, .latency_s = 2e-6}};
}

TEST(Training, CountsTheTrafficOfARing) {
  EXPECT_DOUBLE_EQ(ring_allreduce_s({.ranks = 4, .nodes = 4}, 1e9, 10, 0), 0.15);
  EXPECT_DOUBLE_EQ(ring_allreduce_s({.ranks = 4, .nodes = 4}, 0, 10, 1e-6), 6e-6);
}

TEST(Training, PredictsPublishedWeakScalingWithinOnePercent) {
  const auto run = record({training(1, baseline_rate), training(2, 5391.751667), training(4, 10675.0925)});
  const Prediction p = predict_trainings({run}, over_100_gbe({2, 4}));
  ASSERT_EQ(p.trainings.size(), 1U);
  ASSERT_EQ(p.trainings[0].predicted.size(), 2U);
  for (const PredictedTraining& one : p.trainings[0].predicted) {
    const TrainingReading& asked = one.readings.front();
    EXPECT_EQ(asked.what, "fp32, no overlap");
    EXPECT_NEAR(asked.samples_per_s.value / *one.measured_samples_per_s, 1, 0.01);
    EXPECT_LE(asked.samples_per_s.low, *one.measured_samples_per_s);
    EXPECT_GE(asked.samples_per_s.high, *one.measured_samples_per_s);
    EXPECT_EQ(one.readings.size(), 6U);
  }
  EXPECT_EQ(p.trainings[0].equal_readings, 4U) << "neither type nor overlap is known";
  const double exchange_s = ring_allreduce_s({.ranks = 2, .nodes = 2}, 4.0 * 25557032, 12.5, 5 * 2e-6);
  EXPECT_NEAR(p.trainings[0].predicted[0].readings[0].samples_per_s.value,
              2 * batch / (batch / baseline_rate + exchange_s), 1e-6);
}

TEST(Training, WidensOnlyTheIntervalForLargerGroups) {
  const auto alone = record({training(1, baseline_rate)});
  const auto with_others = record({training(1, baseline_rate), training(2, 5000)});
  const auto rate = [](const busbar::Run& run) {
    return predict_trainings({run}, over_100_gbe({8})).trainings[0].predicted[0].readings[0].samples_per_s;
  };
  EXPECT_DOUBLE_EQ(rate(alone).value, rate(with_others).value);
  EXPECT_DOUBLE_EQ(rate(alone).low, rate(alone).high) << "no residuals, no interval";
  EXPECT_LT(rate(with_others).low, rate(with_others).value);
}

TEST(Training, HidesNoMoreThanTheBackwardPass) {
  auto options = over_100_gbe({2});
  options.overlap = std::string(backward_overlap);
  const auto run = record({training(1, baseline_rate)});
  EXPECT_EQ(predict_trainings({run}, options).trainings[0].predicted[0].readings[0].exposed_s, 0);
  options.network.rate->GBps = 0.1;
  const TrainingReading slow = predict_trainings({run}, options).trainings[0].predicted[0].readings[0];
  EXPECT_NEAR(slow.exchange_s - slow.exposed_s, 16120709120.0 / (16120709120.0 + 8178368512.0) * batch / baseline_rate,
              1e-9);
}

TEST(Training, SendsBucketsWhenTheyAreReady) {
  const std::vector<GradientBucket> buckets{
      {.bytes = 1, .ready = 0.1}, {.bytes = 1, .ready = 0.5}, {.bytes = 1, .ready = 1}};
  const auto exposed = [&buckets](std::vector<double> times_s) { return exposed_exchange_s(buckets, times_s, 10); };
  EXPECT_DOUBLE_EQ(exposed({1, 1, 1}), 1) << "the last starts when backward ends";
  EXPECT_DOUBLE_EQ(exposed({1, 6, 1}), 2) << "the last waits for the one before it";
  EXPECT_DOUBLE_EQ(exposed({9, 9, 9}), 1 + 27 - 10) << "one after the other from the first on";
  EXPECT_DOUBLE_EQ(exposed({0, 0, 0}), 0);
}

TEST(Training, FusesGradientsAsTheRecordSays) {
  auto one = training(1, 100), two = training(2, 190);
  two.key.bytes = 400'000'000;
  two.key.type = "fp32";
  two.key.training->overlap = "stream";
  two.key.training->bucket_bytes = two.key.training->first_bucket_bytes = 100'000'000;
  two.training->buckets = 4;
  const auto exchange = [&](std::optional<FusionLimits> fusion) {
    auto options = over_100_gbe({4});
    options.fusion = fusion;
    const Prediction p = predict_trainings({record({one, two})}, options);
    EXPECT_EQ(p.trainings[0].equal_readings, 1U);
    EXPECT_EQ(p.trainings[0].predicted[0].readings[0].what, "fp32, bucket overlap");
    return p.trainings[0].predicted[0].readings[0].exchange_s;
  };
  const double bandwidth_s = 1.5 * 4e8 / 12.5e9;
  EXPECT_NEAR(exchange({}), bandwidth_s + 4 * 12e-6, 1e-9) << "four buckets";
  EXPECT_NEAR(exchange(FusionLimits{.first = 0, .others = 1U << 30U}), bandwidth_s + 2 * 12e-6, 1e-9);
}

TEST(Training, TakesTheExchangeFromAFittedAllreduce) {
  Machine machine("ring", fast, 0, 0, 1, "mpi");
  const fit::Fit fit = fit::fit_runs(launches(machine, {2, 4, 8}, 10, 28), {}, 0.05);
  ASSERT_EQ(fit.sweeps.size(), 1U);
  auto options = over_100_gbe({16});
  options.network = {.rate = std::nullopt, .fitted = fit.sweeps.data()};
  options.gradients = "fp32";
  options.fusion = FusionLimits{.first = 1U << 30U, .others = 1U << 30U};
  const auto of_four = [&options] {
    return predict_trainings({record({training(1, 4 * baseline_rate, per_node)})}, options).trainings.at(0);
  };
  const TrainingReading none = of_four().predicted[0].readings[0];
  EXPECT_NEAR(none.exchange_s / machine.truth(16, 4 * 25557032), 1, 0.1);
  EXPECT_LT(none.samples_per_s.low, none.samples_per_s.value) << "the exchange has an interval";
  const std::string error =
      catch_error([&] { (void)predict_trainings({record({training(1, baseline_rate)})}, options); });
  EXPECT_NE(error.find("4 ranks on a node, the training with 1"), std::string::npos) << error;
}

TEST(Training, ScalesSimulatedTimesByMeasuredOnes) {
  const auto measured = record({training(1, 100), training(2, 190)});
  auto simulated = record({training(1, 110), training(2, 209), training(64, 6000)});
  simulated.head.origin = Origin::simulated;
  const Prediction p = predict_trainings_by_simulation({measured}, {simulated}, {.nodes = {2, 64}});
  ASSERT_EQ(p.trainings.size(), 1U) << p.left_out.front();
  const auto& predicted = p.trainings[0].predicted;
  ASSERT_EQ(predicted.size(), 2U);
  EXPECT_DOUBLE_EQ(*predicted[0].measured_samples_per_s, 190);
  EXPECT_NEAR(predicted[0].readings[0].samples_per_s.value, 190, 1e-9);
  EXPECT_NEAR(predicted[1].readings[0].samples_per_s.value, 6000 / 1.1, 1e-6);
  EXPECT_LT(predicted[1].readings[0].samples_per_s.low, 0.9 * 6000 / 1.1) << "launches differ";
}

TEST(Training, PrefersSimulationsWithTheOverlapOfTheMeasured) {
  const auto with_overlap = [](const char* kind) {
    auto run = record({training(1, 110), training(2, 209), training(64, 6000)});
    for (CaseRecord& c : run.cases) c.key.training->overlap = kind;
    run.head.origin = Origin::simulated;
    return run;
  };
  auto measured = record({training(1, 100), training(2, 190)});
  const auto equal = [&] {
    const Prediction p =
        predict_trainings_by_simulation({measured}, {with_overlap("none"), with_overlap("stream")}, {.nodes = {64}});
    EXPECT_EQ(p.trainings[0].predicted[0].readings.size(), 2U);
    return p.trainings[0].equal_readings;
  };
  EXPECT_EQ(equal(), 2U) << "the overlap of the measured training is unknown";
  for (CaseRecord& c : measured.cases) c.key.training->overlap = "stream";
  EXPECT_EQ(equal(), 1U);
}

TEST(Training, NeedsTheScaleAndACommonOneInSimulations) {
  const auto measured = record({training(1, 100)});
  auto simulated = record({training(2, 209), training(64, 6000)});
  simulated.head.origin = Origin::simulated;
  const Prediction p = predict_trainings_by_simulation({measured}, {simulated}, {.nodes = {64}});
  EXPECT_TRUE(p.trainings.empty());
  ASSERT_EQ(p.left_out.size(), 1U);
  EXPECT_NE(p.left_out[0].find("no simulated training has a measured scale"), std::string::npos);
}

TEST(Training, NamesUnknownModels) {
  auto c = training(1, baseline_rate);
  c.key.collective = "mystery";
  const std::string error = catch_error([&] { (void)predict_trainings({record({c})}, over_100_gbe({2})); });
  EXPECT_NE(error.find("mystery"), std::string::npos) << error;
  EXPECT_NE(error.find("--model"), std::string::npos) << error;
}

TEST(Training, UsesTheGradientsOfTheRecord) {
  auto one = training(1, 100), two = training(2, 190);
  two.key.bytes = 400'000'000;
  two.key.type = "fp16";
  const Prediction p = predict_trainings({record({one, two})}, over_100_gbe({4}));
  EXPECT_EQ(p.trainings[0].predicted[0].readings[0].what, "fp16, no overlap");
  // Of a hundredth, 4 MB, each: the first bucket has one, the others seven
  constexpr double buckets = 1 + 15;
  EXPECT_NEAR(p.trainings[0].predicted[0].readings[0].exchange_s, 1.5 * 4e8 / 12.5e9 + buckets * 12e-6, 1e-9);
}

TEST(Training, GivesUnknownsEqualStanding) {
  const auto run = record({training(1, baseline_rate)});
  const auto first = [&run](std::optional<std::string> gradients, std::optional<std::string> overlap) {
    auto options = over_100_gbe({2});
    options.gradients = std::move(gradients);
    options.overlap = std::move(overlap);
    const Prediction p = predict_trainings({run}, options);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < p.trainings[0].equal_readings; ++i)
      all.push_back(p.trainings[0].predicted[0].readings[i].what);
    const bool told = std::ranges::any_of(
        p.assumptions, [](const std::string& text) { return text.find("equal standing") != std::string::npos; });
    EXPECT_EQ(told, all.size() > 1);
    return all;
  };
  using Readings = std::vector<std::string>;
  EXPECT_EQ(first({}, {}),
            (Readings{"fp32, no overlap", "fp32, bucket overlap", "fp16, no overlap", "fp16, bucket overlap"}));
  EXPECT_EQ(first("fp16", {}), (Readings{"fp16, no overlap", "fp16, bucket overlap"}));
  EXPECT_EQ(first({}, "none"), (Readings{"fp32, no overlap", "fp16, no overlap"}));
  EXPECT_EQ(first("bf16", "backward"), (Readings{"bf16, full overlap"}));
}

TEST(Training, SkipsStrongScaling) {
  auto c = training(1, 100);
  c.key.training->scaling = "strong";
  const Prediction p = predict_trainings({record({c})}, over_100_gbe({2}));
  EXPECT_TRUE(p.trainings.empty());
  ASSERT_EQ(p.left_out.size(), 1U);
}

// Changed machines

const KnownNetwork hundred{.GBps = 12.5, .nics = 1, .text = "100gbe"};

/// Of launches on 2, 4 and 8 nodes of this machine, with one change.
Prediction what_if(Machine& machine, const std::string& change, const FromFitOptions& o,
                   const std::optional<KnownNetwork>& network = hundred) {
  const fit::Fit fit = fit::fit_runs(launches(machine, {2, 4, 8}, 3, 24), {}, 0.1);
  Prediction p = predict_from(fit, o);
  add_variants(p, {parse_change(change)}, fit, o, network);
  return p;
}

TEST(WhatIf, PredictsTheTimesOfTheChangedMachine) {
  for (const auto& [change, then] :
       {std::pair("line-rate=25gbe", Terms{10e-6, 4e-6, 4 / 20e9}), std::pair("nics=2", Terms{10e-6, 4e-6, 0.5 / 20e9}),
        std::pair("nics=2,line-rate=200gbe,latency=2us", Terms{10e-6, 2e-6, 0.25 / 20e9})}) {
    Machine now("tree", fast, 0, 0, 1, "mpi"), changed("tree", then, 0, 0, 1, "mpi");
    const FromFitOptions o{.nodes = {4, 8}, .sizes = {8, 1U << 14U, 1U << 24U}};
    const Prediction p = what_if(now, change, o);
    ASSERT_EQ(p.variants.size(), 1U);
    for (const Predicted& one : p.variants[0].series.at(0).predicted)
      EXPECT_NEAR(one.time_s.value / changed.truth(one.scale.nodes, one.bytes), 1, 0.05)
          << change << " " << one.bytes << " B on " << one.scale.nodes;
  }
}

TEST(WhatIf, ChangesRanksAndAlgorithmByTheirSteps) {
  Machine tree("tree", fast, 0, 0, 1, "mpi");
  const FromFitOptions o{.nodes = {8}, .sizes = {1U << 24U}};
  const auto time = [&](const std::string& change) {
    return what_if(tree, change, o).variants.at(0).series.at(0).predicted.at(0);
  };
  EXPECT_EQ(time("gpus-per-node=2").scale.ranks, 16);
  const Predicted doubling = time("algorithm=Recursive-Doubling");
  const Terms x = *fit::terms_of("allreduce", "recursive doubling", on_nodes(8), 1U << 24U);
  EXPECT_NEAR(doubling.time_s.value / fit::dot(x, fast), 1, 0.02);
  EXPECT_EQ(doubling.readings.size(), 1U) << "the library does not switch from what was chosen for it";
}

TEST(WhatIf, IsNeverSurerThanOfTheMachineAsItIs) {
  Machine machine("tree", fast, 0.05, 0.02, 3, "mpi");
  const FromFitOptions o{.nodes = {16}, .sizes = {8, 1U << 24U}};
  for (const char* change : {"line-rate=25gbe", "line-rate=400gbe", "latency=1us", "gpus-per-node=8", "price=3"}) {
    const Prediction p = what_if(machine, change, o);
    for (std::size_t i = 0; i < 2; ++i) {
      const Span now = p.series.at(0).predicted.at(i).time_s,
                 then = p.variants.at(0).series.at(0).predicted.at(i).time_s;
      EXPECT_GE(then.value / then.low, now.value / now.low * (1 - 1e-9)) << change;
      EXPECT_GE(then.high / then.value, now.high / now.value * (1 - 1e-9)) << change;
    }
  }
  const Span large = what_if(machine, "line-rate=25gbe", o).variants.at(0).series.at(0).predicted.at(1).time_s;
  const Span larger = what_if(machine, "line-rate=1gbe", o).variants.at(0).series.at(0).predicted.at(1).time_s;
  EXPECT_GT(larger.high / larger.value, 1.5 * large.high / large.value) << "the larger the change, the wider";
}

TEST(WhatIf, NamesWhatItNeeds) {
  Machine machine("tree", fast, 0, 0, 1, "mpi");
  const FromFitOptions o{.nodes = {8}, .sizes = {8}};
  const auto error = [&](const char* change, const std::optional<KnownNetwork>& network) {
    return catch_error([&] { (void)what_if(machine, change, o, network); });
  };
  EXPECT_NE(error("line-rate=25gbe", std::nullopt).find("--what-if: 'line-rate=25gbe' needs the rate"),
            std::string::npos);
  EXPECT_NE(error("nics=2", KnownNetwork{.GBps = 25}).find("needs the number of NICs"), std::string::npos);
  EXPECT_NE(error("algorithm=bruck", hundred)
                .find("--what-if algorithm=bruck: not in the model of allreduce by mpi; known: ring"),
            std::string::npos);
  for (const char* change : {"", "nics", "nics=0", "nics=1.5", "nic=2", "nics=2,nics=2", "line-rate=0gbe",
                             "line-rate=fast", "latency=0us", "latency=1", "gpus-per-node=0", "algorithm=", "price=0",
                             "price=-1", "price=1e400", "price=3 <b>", "nics=2,line-rate=2x100gbe"}) {
    const std::string text = catch_error([&] { (void)parse_change(change); });
    EXPECT_TRUE(text.starts_with("--what-if")) << change << ": " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

TEST(WhatIf, KnowsTheNetworkOfRecordsThatAgree) {
  const auto of = [](double Gbps) {
    busbar::Run run = record({training(2, 100)});
    Host host{.name = "a"};
    host.rdma = {{.device = "mlx5_0", .link_layer = "InfiniBand", .state = "ACTIVE", .rate_Gbps = Gbps},
                 {.device = "mlx5_1", .link_layer = "InfiniBand", .state = "ACTIVE", .rate_Gbps = Gbps}};
    run.head.hosts = {host};
    return run;
  };
  const auto known = known_network(std::nullopt, {of(200), of(200)});
  ASSERT_TRUE(known);
  EXPECT_DOUBLE_EQ(known->GBps, 50) << "without what headers take";
  EXPECT_DOUBLE_EQ(known->nics.value(), 2);
  EXPECT_FALSE(known_network(std::nullopt, {of(200), of(100)}));
  EXPECT_FALSE(known_network(std::nullopt, {record({training(2, 100)})})) << "no host is described";
  const auto given = known_network(expected::LineRate{.GBps = 100, .text = "4x200Gb/s"}, {of(200)});
  EXPECT_DOUBLE_EQ(given.value().GBps, 100);
  EXPECT_DOUBLE_EQ(given->nics.value(), 4);
}

/// Of a training at 100 Gb/s, with these changes.
Prediction training_what_if(const busbar::Run& run, const std::vector<std::string>& changes,
                            const std::vector<int>& nodes) {
  TrainingOptions o = over_100_gbe(nodes);
  o.gradients = "fp32";
  o.overlap = no_overlap;
  Prediction p = predict_trainings({run}, o);
  std::vector<Change> parsed;
  for (const std::string& change : changes) parsed.push_back(parse_change(change));
  add_variants(p, parsed, {run}, o, known_network(o.network.rate, {run}));
  set_prices(p, parse_price("--price", "10 EUR"), parsed);
  return p;
}

TEST(WhatIf, ChangesOnlyTheExchangeOfATraining) {
  const double step_s = batch / baseline_rate, bytes = 4.0 * 25557032;
  const auto exchange = [&](int ranks, int nodes, double GBps) {
    constexpr int buckets = 5;
    return ring_allreduce_s({.ranks = ranks, .nodes = nodes}, bytes, GBps, buckets * 2e-6);
  };
  // A baseline on two nodes has the exchange of the network as it is in its step.
  const auto run = record({training(2, 2 * batch / (step_s + exchange(2, 2, 12.5)))});
  const Prediction p = training_what_if(run, {"line-rate=25gbe", "line-rate=25gbe,gpus-per-node=2"}, {4});
  const auto rate = [&](std::size_t i) {
    return p.variants.at(i).trainings.at(0).predicted.at(0).readings.at(0).samples_per_s;
  };
  EXPECT_NEAR(rate(0).value / (4 * batch / (step_s + exchange(4, 4, 3.125))), 1, 1e-9);
  EXPECT_NEAR(rate(1).value / (8 * batch / (step_s + exchange(8, 4, 3.125))), 1, 1e-9);
  EXPECT_LT(rate(0).low, rate(0).value);
  EXPECT_GT(rate(0).high, rate(0).value);
}

TEST(WhatIf, ComparesMeasuredGroupsWithTheNetworkThatTheyHad) {
  const auto run = record({training(1, baseline_rate), training(2, 5391.751667), training(4, 10675.0925)});
  const Prediction p = training_what_if(run, {"line-rate=1gbe"}, {8});
  const Span now = p.trainings.at(0).predicted.at(0).readings.at(0).samples_per_s;
  const Span then = p.variants.at(0).trainings.at(0).predicted.at(0).readings.at(0).samples_per_s;
  EXPECT_LT(now.high / now.value, 1.03);
  EXPECT_LT(then.value, 0.5 * now.value);
  EXPECT_LT(then.high / then.value, 2.5) << "by doubts of the bandwidth, not by the change of the rates";
}

TEST(WhatIf, ComparesCosts) {
  const auto run = record({training(1, baseline_rate)});
  const Prediction p = training_what_if(run, {"line-rate=25gbe", "price=20"}, {2, 4});
  EXPECT_EQ(p.currency, "EUR");
  const auto all = compare_machines(p, p.trainings.at(0), "fp32, no overlap");
  ASSERT_EQ(all.size(), 6U) << "three machines on two numbers of nodes";
  const double rate = all[0].figure.value;
  EXPECT_DOUBLE_EQ(all[0].node_hours.value, 2 * 1e6 / rate / 3600);
  EXPECT_DOUBLE_EQ(all[0].cost->value, 10 * all[0].node_hours.value);
  EXPECT_FALSE(all[0].ratio);
  EXPECT_GT(all[1].cost->value, all[0].cost->value) << "a slower network";
  EXPECT_LT(all[1].ratio->high, 1);
  EXPECT_DOUBLE_EQ(all[2].cost->value, 2 * all[0].cost->value);
  EXPECT_DOUBLE_EQ(all[2].ratio->value, 1);
  EXPECT_DOUBLE_EQ(all[2].ratio->high, 1);
  const std::string error = catch_error([&] {
    Prediction other = p;
    set_prices(other, parse_price("--price", "1 EUR"), {parse_change("nics=1"), parse_change("price=1 USD")});
  });
  EXPECT_NE(error.find("one currency, not EUR and USD"), std::string::npos) << error;
}

// Files

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "prediction.json";
  std::ofstream(path) << text;
  return path;
}

TEST(PredictionFile, IsReadBack) {
  Machine machine("tree", fast, 0, 0.02, 1);
  Prediction p = predict(launches(machine, {2, 8}, 3, 12), {.nodes = {64}});
  p.trainings = predict_trainings({record({training(1, 100), training(2, 190)})}, over_100_gbe({2, 4})).trainings;
  const std::string text = json_of(p).dump();
  EXPECT_EQ(json_of(read_prediction(written(text))).dump(), text);
  const Prediction changed = training_what_if(record({training(1, 100)}), {"latency=1us", "price=3"}, {2, 4});
  const std::string with_variants = json_of(changed).dump();
  EXPECT_EQ(json_of(read_prediction(written(with_variants))).dump(), with_variants);
}

TEST(PredictionFile, IsReadWithoutVariants) {
  auto j = json_of(predict_trainings({record({training(1, 100)})}, over_100_gbe({2})));
  for (const char* key : {"variants", "price", "currency"}) j.erase(key);
  const Prediction p = read_prediction(written(j.dump()));
  EXPECT_EQ(p.trainings.size(), 1U);
  EXPECT_TRUE(p.variants.empty());
}

TEST(PredictionFile, RefusesOtherTextsInOneLine) {
  Machine machine("tree", fast, 0, 0, 1);
  auto all = predict(launches(machine, {2, 8}, 3, 12), {.nodes = {64}});
  const Prediction with_variant = training_what_if(record({training(1, 100)}), {"latency=1us"}, {2});
  all.trainings = predict_trainings({record({training(1, 100)})}, over_100_gbe({2})).trainings;
  all.variants = with_variant.variants;
  const auto good = json_of(all);
  const auto changed = [&](const char* pointer, const nlohmann::json& value) {
    auto j = good;
    j[nlohmann::json::json_pointer(pointer)] = value;
    return j.dump();
  };
  for (const std::string& text : {std::string(),
                                  std::string("[1"),
                                  std::string("3"),
                                  changed("/format", 3),
                                  changed("/format", "busbar fit"),
                                  changed("/version", 99),
                                  changed("/series", 1),
                                  changed("/series/0/predicted/0/time_s/value", -1),
                                  changed("/series/0/predicted/0/time_s/low", 1e9),
                                  changed("/series/0/predicted/0/bytes", 0),
                                  changed("/series/0/measured/0/scale/nodes", 0),
                                  changed("/series/0/measured/0/time_s", nullptr),
                                  changed("/confidence", 2),
                                  changed("/trainings/0/baseline_samples_per_s", 0),
                                  changed("/trainings/0/predicted/0/readings", nlohmann::json::array()),
                                  changed("/trainings/0/equal_readings", 0),
                                  changed("/trainings/0/equal_readings", 7),
                                  changed("/price", -1),
                                  changed("/variants/0/price", 0),
                                  changed("/variants/0/name", 3),
                                  changed("/variants/0/trainings/0/predicted/0/scale/nodes", 0)}) {
    const std::string error = catch_error([&] { (void)read_prediction(written(text)); });
    EXPECT_NE(error.find("prediction.json: "), std::string::npos) << error << ": " << text.substr(0, 200);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace busbar::predict::test
