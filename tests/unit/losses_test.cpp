// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/losses.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/drawing/render.hpp"
#include "tests/unit/synthetic.hpp"
#include "workloads/networks/model.hpp"
#include "workloads/networks/network.hpp"

// Made-up trainings of which every part of the loss is known.

namespace busbar::losses::test {
namespace {

using ::testing::HasSubstr;

// 100 pieces of 4 MB in 4 buckets of 100 MB, ready after 25, 50, 75 and 100 ms of backward.
constexpr std::uint64_t gradient_bytes = 400'000'000, bucket_bytes = 100'000'000;
constexpr int buckets = 4;
constexpr double backward_s = 0.1, forward_s = 0.05;
constexpr double call_s = 0.002, byte_s = 8e-11;  // of an allreduce: 2 ms + 8 ms for a bucket
constexpr double bucket_s = 0.010, exchange_s = buckets * bucket_s;

busbar::Run on_hosts(int hosts, int ranks) {
  busbar::Run run;
  run.path = "made-up.jsonl";
  for (int r = 0; r < ranks; ++r)
    run.head.placement.push_back({.rank = r, .host = "n" + std::to_string(r * hosts / ranks)});
  return run;
}

/// An allreduce of 8 B to 128 MiB, of these costs, one rank a node.
busbar::Run allreduces(int ranks, double call = call_s, double byte = byte_s) {
  busbar::Run run = on_hosts(ranks, ranks);
  run.path = "allreduce" + std::to_string(ranks) + ".jsonl";
  for (unsigned e = 3; e <= 27; ++e) {
    CaseRecord c{.key = busbar::test::allreduce_key(std::uint64_t{1} << e, ranks, ranks)};
    c.time_s = call + byte * static_cast<double>(c.key.bytes);
    run.cases.push_back(std::move(c));
  }
  return run;
}

CaseRecord training_case(int ranks, StepSplit split, const std::string& overlap) {
  CaseRecord c{.key = {.kind = CaseKind::training,
                       .collective = "made-up",
                       .backend = "mpi",
                       .memory = "host",
                       .type = "fp32",
                       .bytes = gradient_bytes,
                       .ranks = ranks,
                       .nodes = ranks,
                       .ranks_per_node = 1,
                       .training = TrainingKey{.compute = "onednn",
                                               .computed_on = "cpu",
                                               .batch = 8,
                                               .overlap = overlap,
                                               .first_bucket_bytes = bucket_bytes,
                                               .bucket_bytes = bucket_bytes}},
               .training = Training{.buckets = ranks > 1 ? buckets : 0}};
  split.step_s = split.forward_s + split.backward_s + split.exposed_s + split.optimiser_s + split.other_s;
  c.time_s = split.step_s;
  c.training->split = split;
  c.training->samples_per_s = 8 * ranks / split.step_s;
  return c;
}

StepSplit computing(double exposed_s = 0, double hidden_s = 0) {
  return {.forward_s = forward_s,
          .backward_s = backward_s,
          .exposed_s = exposed_s,
          .optimiser_s = 0.01,
          .hidden_s = hidden_s,
          .slowest_compute_s = forward_s + backward_s};
}

void set_scaling(CaseRecord& c, const CaseRecord& base) {
  const double efficiency = c.training->samples_per_s / c.key.ranks / (base.training->samples_per_s / base.key.ranks);
  c.training->scaling = Scaling{.baseline_ranks = base.key.ranks,
                                .baseline_samples_per_s = base.training->samples_per_s,
                                .speed_up = efficiency * c.key.ranks / base.key.ranks,
                                .efficiency = efficiency};
}

/// One rank, and four with this split.
busbar::Run training(const StepSplit& four, const std::string& overlap = "none") {
  busbar::Run run = on_hosts(4, 4);
  run.path = "train.jsonl";
  run.cases.push_back(training_case(1, computing(), overlap));
  run.cases.push_back(training_case(4, four, overlap));
  set_scaling(run.cases[1], run.cases[0]);
  return run;
}

double part(const ScaleLosses& s, Cause cause) {
  for (const Part& p : s.parts)
    if (p.cause == cause) return p.loss_s;
  return NAN;
}

const Part& whole_part(const ScaleLosses& s, Cause cause) {
  const auto it = std::ranges::find(s.parts, cause, &Part::cause);
  EXPECT_NE(it, s.parts.end());
  return *it;
}

double sum(const ScaleLosses& s) {
  double all = 0;
  for (const Part& p : s.parts) all += p.loss_s;
  return all;
}

/// The losses of the only scale of the only training.
ScaleLosses only(const std::vector<busbar::Run>& runs) {
  const auto all = losses_of(runs);
  EXPECT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().problem, "");
  EXPECT_EQ(all.front().scales.size(), 1U);
  return all.front().scales.front();
}

constexpr double close = 1e-4;  // the latency is fitted: 0.1 ms

TEST(Losses, DivideAnExchangeWithoutOverlap) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s)), allreduces(4)};
  const ScaleLosses s = only(runs);
  ASSERT_TRUE(s.exchange.predicted) << s.exchange.problem;
  EXPECT_EQ(s.exchange.predicted->buckets, 4U);
  EXPECT_NEAR(s.exchange.predicted->total_s.value, exchange_s, 1e-9);
  EXPECT_NEAR(s.exchange.predicted->latency_s, buckets * call_s, close);
  EXPECT_NEAR(s.exchange.communicating_s(), exchange_s, 1e-12);
  // The best schedule hides three of four buckets: each takes 10 ms, the next one is ready 25 ms later.
  EXPECT_NEAR(part(s, Cause::latency), call_s, close);
  EXPECT_NEAR(part(s, Cause::bandwidth), bucket_s - call_s, close);
  EXPECT_NEAR(part(s, Cause::overlap), 3 * bucket_s, 1e-9);
  EXPECT_NEAR(part(s, Cause::host), 0, 1e-12);
  EXPECT_NEAR(part(s, Cause::stragglers), 0, 1e-12);
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
  EXPECT_NEAR(s.loss_s, exchange_s, 1e-12);
  EXPECT_NEAR(sum(s), s.loss_s, 1e-12);
  EXPECT_EQ(whole_part(s, Cause::latency).certainty, explain::Certainty::possible)
      << "when the gradients are ready is assumed";
  EXPECT_TRUE(s.notes.empty());
}

TEST(Losses, KnowTheBucketsOfANetwork) {
  busbar::Run run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) {
    c.key.collective = "resnet18";
    c.key.bytes = 11'689'512 * 4;
    c.key.training->image = 224;
    c.key.training->first_bucket_bytes = 1U << 20U;
    c.key.training->bucket_bytes = 25U << 20U;
    if (c.key.ranks > 1) c.training->buckets = 3;
  }
  const std::vector<busbar::Run> runs{run, allreduces(4)};
  const ScaleLosses s = only(runs);
  ASSERT_TRUE(s.exchange.predicted) << s.exchange.problem;
  EXPECT_EQ(s.exchange.predicted->buckets, 3U);
  EXPECT_EQ(s.exchange.predicted->buckets_from, "the operations of the layers of resnet18");
  EXPECT_NEAR(s.exchange.predicted->total_s.value, 3 * call_s + byte_s * 11'689'512 * 4, 1e-9);
  EXPECT_EQ(whole_part(s, Cause::latency).certainty, explain::Certainty::likely);
  run.cases[1].training->buckets = 4;  // not what the sizes of its tensors say
  const std::vector<busbar::Run> other{run, allreduces(4)};
  const ScaleLosses equal = only(other);
  EXPECT_EQ(equal.exchange.predicted->buckets, 4U);
  EXPECT_EQ(whole_part(equal, Cause::latency).certainty, explain::Certainty::possible);
}

TEST(Losses, MissNoOverlapWhereTheBestScheduleRan) {
  const std::vector<busbar::Run> runs{training(computing(bucket_s, 3 * bucket_s), "stream"), allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::latency), call_s, close);
  EXPECT_NEAR(part(s, Cause::bandwidth), bucket_s - call_s, close);
  EXPECT_NEAR(part(s, Cause::overlap), 0, 1e-9);
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
}

TEST(Losses, AreUnexplainedWhereTheExchangeTakesLongerThanPredicted) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s + 0.007)), allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::overlap), 3 * bucket_s, 1e-9);
  EXPECT_NEAR(part(s, Cause::unexplained), 0.007, 1e-9);
  ASSERT_EQ(s.notes.size(), 1U);
  EXPECT_EQ(s.notes[0],
            "The exchange leaves more exposed than the allreduces say, which adds 7 ms to what is unexplained.");
}

TEST(Losses, CanBeLessThanPredicted) {
  const std::vector<busbar::Run> runs{training(computing(0.004), "stream"), allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::overlap), 0, 1e-12);
  EXPECT_NEAR(part(s, Cause::unexplained), 0.004 - bucket_s, 1e-9);
  EXPECT_NEAR(sum(s), s.loss_s, 1e-12);
  ASSERT_EQ(s.notes.size(), 2U);
  EXPECT_THAT(s.notes[0],
              HasSubstr("leaves less exposed than the allreduces say, which takes 6 ms from what is unexplained"));
  EXPECT_EQ(s.notes[1], "What is unexplained is negative: the other parts add up to more than the loss.");
}

/// Three ranks compute 150 ms, one 190 ms: 160 ms on the mean, and the mean rank waits for 30 ms.
busbar::Run with_a_slow_rank(bool recorded) {
  StepSplit split = computing(exchange_s + 0.03);
  split.backward_s += 0.01;
  split.slowest_compute_s.reset();
  if (recorded) split.slowest_compute_s = 0.19;
  busbar::Run run = training(split);
  run.cases[1].training->slow_ranks = {{.rank = 2, .host = "n2", .compute_s = 0.19, .others_compute_s = 0.15}};
  return run;
}

TEST(Losses, NameASlowRank) {
  for (const bool recorded : {true, false}) {
    const std::vector<busbar::Run> runs{with_a_slow_rank(recorded), allreduces(4)};
    const ScaleLosses s = only(runs);
    EXPECT_NEAR(part(s, Cause::stragglers), 0.04, 1e-12);
    EXPECT_NEAR(part(s, Cause::host), 0, 1e-12) << "the usual rank computes as long as alone";
    EXPECT_NEAR(part(s, Cause::latency) + part(s, Cause::bandwidth) + part(s, Cause::overlap), exchange_s, 1e-9);
    EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
    EXPECT_EQ(s.notes.empty(), recorded);
    EXPECT_EQ(whole_part(s, Cause::stragglers).certainty,
              recorded ? explain::Certainty::known : explain::Certainty::likely);
  }
}

TEST(Losses, NameRanksThatTakeTurnsBeingSlow) {
  StepSplit split = computing(exchange_s + 0.02);
  *split.slowest_compute_s += 0.02;
  const std::vector<busbar::Run> runs{training(split), allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::stragglers), 0.02, 1e-12);
  EXPECT_EQ(whole_part(s, Cause::stragglers).from, "the slowest rank of each step computes 170 ms, a mean rank 150 ms");
}

TEST(Losses, NameTheHost) {
  StepSplit split = computing(exchange_s);
  split.forward_s += 0.01;
  split.optimiser_s += 0.002;
  split.other_s = 0.003;
  *split.slowest_compute_s += 0.01;
  busbar::Run run = training(split);
  run.cases[1].contention = Contention{.reasons = {"runnable but not running 12 % of the time"}};
  const std::vector<busbar::Run> runs{run, allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::host), 0.01, 1e-12);
  EXPECT_NEAR(part(s, Cause::optimiser), 0.002, 1e-12);
  EXPECT_NEAR(part(s, Cause::other), 0.003, 1e-12);
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
  EXPECT_EQ(whole_part(s, Cause::host).from,
            "forward and backward of a usual rank: 160 ms here, 150 ms in the baseline. Cause, likely: CPU "
            "contention: runnable but not running 12 % of the time.");
}

TEST(Losses, KeepTheExchangeWholeWithoutCollectives) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s))};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::exchange), exchange_s, 1e-12);
  EXPECT_TRUE(std::isnan(part(s, Cause::latency)));
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-12);
  EXPECT_EQ(s.exchange.problem, "no allreduce of the same hosts, library and type is among the records");
  EXPECT_EQ(s.exchange.to_run, "mpirun -np 4 busbar-bench allreduce -b 8 -e 128M -d fp32 --backend mpi");
}

/// The only reason why allreduces were left out.
std::string reason(busbar::Run allreduce) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s)), std::move(allreduce)};
  const ScaleLosses s = only(runs);
  EXPECT_FALSE(s.exchange.predicted);
  return s.exchange.others.size() == 1 ? s.exchange.others.front() : "";
}

TEST(Losses, LeaveOutWhatIsNotTheSame) {
  busbar::Run other = allreduces(4);
  for (RankPlace& place : other.head.placement) place.host = "m" + std::to_string(place.rank);
  EXPECT_EQ(reason(other), "25 cases of allreduce left out: on other hosts (m0, m1, m2, m3).");
  other = allreduces(4);
  for (CaseRecord& c : other.cases) c.key.type = "fp16";
  EXPECT_EQ(reason(other), "25 cases of allreduce left out: type fp16 instead of fp32.");
  other = allreduces(4);
  for (CaseRecord& c : other.cases) c.key.backend = "nccl";
  EXPECT_EQ(reason(other), "25 cases of allreduce left out: library nccl instead of mpi.");
  other = allreduces(4);
  for (CaseRecord& c : other.cases) c.key.algorithm = "ring";
  EXPECT_EQ(reason(other), "25 cases of allreduce left out: algorithm ring requested.");
  other = allreduces(4);
  other.head.origin = Origin::simulated;
  EXPECT_EQ(reason(other), "25 cases of allreduce left out: simulated and measured differ.");
}

TEST(Losses, NeedSizesNearTheBuckets) {
  busbar::Run small = allreduces(4);
  std::erase_if(small.cases, [](const CaseRecord& c) { return c.key.bytes > (1U << 20U); });
  const std::vector<busbar::Run> runs{training(computing(exchange_s)), small};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::exchange), exchange_s, 1e-12);
  EXPECT_THAT(s.exchange.problem, HasSubstr("a bucket of 95.4 MiB is too far from the measured sizes (allreduce, mpi"));
}

TEST(Losses, PredictAnUnmeasuredScaleFromOthers) {
  // A ring on one rank a node: 2 (n - 1) steps, 2 (n - 1) / n of the bytes.
  const auto ring = [](int n) { return allreduces(n, 2 * (n - 1) * 20e-6, 2.0 * (n - 1) / n * 1e-10); };
  const double truth_s = 4 * (6 * 20e-6 + 1.5 * 1e-10 * bucket_bytes);
  const std::vector<busbar::Run> runs{training(computing(truth_s)), ring(2), ring(3), ring(8)};
  const ScaleLosses s = only(runs);
  ASSERT_TRUE(s.exchange.predicted) << s.exchange.problem;
  EXPECT_NEAR(s.exchange.predicted->total_s.value / truth_s, 1, 0.03);
  EXPECT_EQ(whole_part(s, Cause::bandwidth).certainty, explain::Certainty::possible);
  const auto& interval = whole_part(s, Cause::bandwidth).interval_s;
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->low, part(s, Cause::bandwidth));
  EXPECT_GT(interval->high, part(s, Cause::bandwidth));
}

TEST(Losses, SubtractTheExchangeOfTheBaseline) {
  busbar::Run run = on_hosts(4, 4);
  run.cases = {training_case(2, computing(4 * 0.006), "none"), training_case(4, computing(exchange_s), "none")};
  set_scaling(run.cases[1], run.cases[0]);
  const std::vector<busbar::Run> runs{run, allreduces(4), allreduces(2, 0.001, 5e-11)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::latency), 0.001, close);
  EXPECT_NEAR(part(s, Cause::bandwidth), 0.003, close);
  EXPECT_NEAR(part(s, Cause::overlap), 3 * 0.004, 1e-9);
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
  const std::vector<busbar::Run> one_scale{run, allreduces(4)};
  const ScaleLosses from_others = only(one_scale);
  EXPECT_TRUE(from_others.exchange.predicted) << "that of the baseline is predicted from 4 ranks";
  EXPECT_GT(part(from_others, Cause::bandwidth), 0);
}

void move_to_one_node(busbar::Run& run) {
  for (RankPlace& place : run.head.placement) place.host = "n0";
  for (CaseRecord& c : run.cases) c.key.nodes = 1, c.key.ranks_per_node = c.key.ranks;
}

TEST(Losses, NeedTheScaleOfTheBaseline) {
  busbar::Run run = on_hosts(4, 4), allreduce = allreduces(4);
  run.cases = {training_case(2, computing(4 * 0.006), "none"), training_case(4, computing(exchange_s), "none")};
  set_scaling(run.cases[1], run.cases[0]);
  move_to_one_node(run);
  move_to_one_node(allreduce);
  const std::vector<busbar::Run> runs{run, allreduce};
  const ScaleLosses unknown = only(runs);
  EXPECT_NEAR(part(unknown, Cause::exchange), exchange_s - 4 * 0.006, 1e-12);
  EXPECT_THAT(unknown.exchange.problem, HasSubstr("allreduce was not measured on 2 ranks on 1 node, and"));
  EXPECT_EQ(unknown.exchange.to_run, "mpirun -np 2 busbar-bench allreduce -b 8 -e 128M -d fp32 --backend mpi");
}

TEST(Losses, OfStrongScalingCompareWithAShareOfTheWork) {
  StepSplit quarter = computing(exchange_s);
  quarter.forward_s /= 4, quarter.backward_s /= 4;
  quarter.slowest_compute_s = quarter.forward_s + quarter.backward_s;
  busbar::Run run = training(quarter);
  for (CaseRecord& c : run.cases) c.key.training->scaling = strong_scaling;
  CaseRecord& four = run.cases[1];
  four.training->scaling->efficiency = *run.cases[0].time_s / 4 / *four.time_s;
  const std::vector<busbar::Run> runs{run, allreduces(4)};
  const ScaleLosses s = only(runs);
  EXPECT_NEAR(part(s, Cause::host), 0, 1e-12);
  EXPECT_NEAR(part(s, Cause::optimiser), 0.75 * 0.01, 1e-12) << "each rank updates all weights";
  EXPECT_NEAR(part(s, Cause::unexplained), 0, 1e-9);
  EXPECT_NEAR(sum(s), s.loss_s, 1e-12);
}

TEST(Losses, AddUpWhateverTheRecordSays) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> upTo(0, 0.1);
  for (int i = 0; i < 200; ++i) {
    StepSplit split{.forward_s = upTo(random),
                    .backward_s = upTo(random),
                    .exposed_s = upTo(random),
                    .optimiser_s = upTo(random),
                    .other_s = upTo(random),
                    .hidden_s = upTo(random)};
    if (i % 2 == 0) split.slowest_compute_s = split.forward_s + split.backward_s + upTo(random);
    busbar::Run run = training(split, i % 3 == 0 ? "none" : "poll");
    run.cases[1].time_s = *run.cases[1].time_s * (0.9 + 2 * upTo(random));  // median over rounds, not mean
    Scaling& scaling = *run.cases[1].training->scaling;
    scaling.efficiency_interval =
        Interval{.low = scaling.efficiency - 0.05, .high = scaling.efficiency + 0.05, .confidence = 0.95};
    std::vector<busbar::Run> runs{run};
    if (i % 5 != 0) runs.push_back(allreduces(4));
    const ScaleLosses s = only(runs);
    EXPECT_NEAR(sum(s), s.loss_s, 1e-12);
    const Part& rest = s.parts.back();
    ASSERT_TRUE(rest.interval_s);
    EXPECT_NEAR(rest.interval_s->high - rest.interval_s->low, 0.1 * s.step_s, 1e-9) << "as wide as that of the loss";
  }
}

std::string problem(const busbar::Run& run) {
  const std::vector<busbar::Run> runs{run};
  return losses_of(runs).at(0).problem;
}

TEST(Losses, SayWhyTheyAreNotDivided) {
  busbar::Run run = training(computing(exchange_s));
  run.cases.pop_back();
  EXPECT_EQ(problem(run), "one group of ranks only: measure several in one launch (--scale 1,2)");
  run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) c.training->split.reset();
  EXPECT_EQ(problem(run), "the record does not break down its steps");
  run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) c.key.training->parallel = by_pipeline;
  EXPECT_EQ(problem(run), "only data-parallel training is divided");
  run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) c.key.training->sharded = true;
  const std::vector<busbar::Run> runs{run, allreduces(4)};
  EXPECT_EQ(only(runs).exchange.problem, "the optimiser is sharded: its exchange is reduce-scatter and allgather");
}

TEST(Losses, PutNoTextOfARecordIntoACommand) {
  busbar::Run run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) c.key.backend = "mpi; rm -rf /";
  const std::vector<busbar::Run> runs{run};
  EXPECT_EQ(only(runs).exchange.to_run, "mpirun -np 4 busbar-bench allreduce -b 8 -e 128M -d fp32 --backend NAME");
}

TEST(Losses, RefuseImpossibleRecords) {
  busbar::Run run = training(computing(exchange_s));
  run.cases[1].training->buckets = 2'000'000'000;
  const std::vector<busbar::Run> many{run, allreduces(4)};
  EXPECT_EQ(only(many).exchange.problem, "2000000000 reductions per step are too many");
  run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) c.key.bytes = UINT64_MAX;
  const std::vector<busbar::Run> large{run, allreduces(4)};
  EXPECT_FALSE(only(large).exchange.predicted);
  run = training(computing(exchange_s));
  for (CaseRecord& c : run.cases) {
    c.key.collective = "resnet18";
    c.key.training->image = INT32_MAX;
    c.key.training->micro_batches = 0;
  }
  const std::vector<busbar::Run> image{run, allreduces(4)};
  const ScaleLosses s = only(image);
  EXPECT_NEAR(sum(s), s.loss_s, 1e-12);
}

TEST(Losses, AreShownWithTheirSources) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s)), allreduces(4)};
  const auto losses = losses_of(runs);
  const std::string text = report::render_text(
      {.title = "t", .chapters = {{.name = "losses", .title = "Losses", .blocks = blocks_of(losses)}}},
      {.width = 80, .colour = false});
  EXPECT_THAT(text, HasSubstr("4 ranks on 4 nodes: efficiency 80.0 %, 200 ms a step, 40 ms of it lost"));
  EXPECT_THAT(text, HasSubstr("missed overlap       30.000    +15.00  possible"));
  EXPECT_THAT(text, HasSubstr("measured loss        40.000    +20.00  known"));
  EXPECT_THAT(text, HasSubstr("unexplained           0.000      0.00"));
  EXPECT_THAT(text, HasSubstr("  ranks  latency  bandwidth  predicted  measured  off by  best exposed  exposed\n"));
  EXPECT_TRUE(blocks_of(losses_of({allreduces(4)})).empty()) << "no training";
}

TEST(Losses, AreWrittenAsJson) {
  const std::vector<busbar::Run> runs{training(computing(exchange_s)), allreduces(4)};
  const nlohmann::json json = json_of(losses_of(runs));
  const nlohmann::json& scale = json.at(0).at("scales").at(0);
  EXPECT_EQ(scale.at("ranks"), 4);
  EXPECT_EQ(scale.at("baseline_ranks"), 1);
  double all = 0, points = 0;
  for (const auto& p : scale.at("parts")) {
    all += p.at("loss_s").get<double>();
    points += p.at("efficiency_points").get<double>();
  }
  EXPECT_NEAR(all, scale.at("loss_s").get<double>(), 1e-12);
  EXPECT_NEAR(points, 100 * (1 - scale.at("efficiency").get<double>()), 1e-9);
  EXPECT_EQ(scale.at("parts").back().at("cause"), "unexplained");
  EXPECT_NEAR(scale.at("exchange").at("predicted").at("total_s").at("value").get<double>(), exchange_s, 1e-9);
}

TEST(NetworkGradients, HaveAllParametersInOrderOfBackward) {
  const Network network = resnet(18);
  const auto gradients = gradients_in_order(network);
  std::uint64_t all = 0;
  double before = 0;
  for (const Gradient& g : gradients) {
    all += g.elements;
    EXPECT_GE(g.ready, before);
    before = g.ready;
  }
  EXPECT_EQ(all, 11'689'512U);  // torchvision's resnet18
  EXPECT_EQ(gradients.front().name, "fc.bias");
  EXPECT_EQ(gradients.back().name, "conv1.weight");
  EXPECT_DOUBLE_EQ(gradients.back().ready, 1);
}

}  // namespace
}  // namespace busbar::losses::test
