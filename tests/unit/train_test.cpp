// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "tests/unit/catch_error.hpp"
#include "tests/unit/thread_ranks.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/summary.hpp"

namespace busbar::test {
namespace {

// Buckets

std::vector<Stripe> stripes_of(const std::vector<std::size_t>& sizes) {
  std::vector<Stripe> all;
  std::size_t begin = 0;
  for (const std::size_t n : sizes) {
    all.push_back({.name = "g", .begin = begin, .elements = n});
    begin += n;
  }
  return all;
}

TEST(Fusion, ClosesABucketAtItsLimit) {
  const auto gradients = stripes_of({10, 10, 10, 10, 100, 1});
  using Buckets = std::vector<Bucket>;
  EXPECT_EQ(fuse(gradients, 4, {.first = 40, .others = 80}), (Buckets{{0, 10}, {10, 30}, {30, 140}, {140, 141}}));
  EXPECT_EQ(fuse(gradients, 4, {.first = 1000, .others = 1000}), (Buckets{{0, 141}}));
  EXPECT_EQ(fuse(gradients, 2, {.first = 40, .others = 80}).front(), (Bucket{0, 20})) << "half as many bytes";
  EXPECT_EQ(fuse(gradients, 4, {}).size(), 6U);
}

// Plans

Curve curve(std::vector<int> scale, int jobs = 1) {
  Curve c{.scale = std::move(scale), .jobs = jobs};
  c.key = {.kind = CaseKind::training, .collective = "resnet50", .backend = "mpi"};
  c.key.training = TrainingKey{.compute = "onednn", .computed_on = "cpu", .batch = 8};
  return c;
}

TEST(Plan, UsesPowersOfTwoAndAllRanksByDefault) {
  std::vector<int> ranks;
  for (const TrainCase& c : make_plan(curve({}), std::vector<int>(6, 0))) ranks.push_back(c.key.ranks);
  EXPECT_EQ(ranks, (std::vector{1, 2, 4, 6}));
}

TEST(Plan, PacksGroupsOrSpreadsThemOverHosts) {
  const std::vector<int> hosts{0, 0, 1, 1};
  EXPECT_EQ(order_of(hosts, "packed"), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(order_of(hosts, "spread"), (std::vector{0, 2, 1, 3}));
  Curve c = curve({2});
  EXPECT_EQ(make_plan(c, hosts)[0].key.nodes, 1);
  c.key.training->layout = "spread";
  EXPECT_EQ(make_plan(c, hosts)[0].key.nodes, 2);
  EXPECT_EQ(make_plan(c, hosts)[0].key.ranks_per_node, 1);
}

TEST(Plan, MeasuresLayoutsBesideOneRank) {
  Curve c = curve({});
  c.layouts = {{1, 2}, {2, 1}, {2, 2}};
  const auto plan = make_plan(c, {0, 0, 1, 1});
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[0].key.ranks, 1);
  EXPECT_EQ(plan[0].key.training->layout, "packed");
  EXPECT_EQ(plan[1].jobs, (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(plan[2].jobs, (std::vector<std::vector<int>>{{0, 2}}));
  EXPECT_EQ(plan[2].key.nodes, 2);
  EXPECT_EQ(plan[3].key.training->layout, "2x2");
}

TEST(Plan, ComparesConcurrentJobsWithASingleOne) {
  const auto plan = make_plan(curve({1, 2}, 2), std::vector<int>(4, 0));
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[1].jobs, (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(plan[2].jobs, (std::vector<std::vector<int>>{{0}, {1}}));
  EXPECT_EQ(plan[3].jobs, (std::vector<std::vector<int>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(plan[3].key.ranks, 4);
  EXPECT_EQ(plan[3].key.training->jobs, 2);
}

TEST(Plan, HasACurvePerExchangeAndOneSingleRank) {
  Curve c = curve({1, 2});
  c.overlaps = {"none", "thread"};
  std::vector<std::pair<int, std::string>> cases;
  for (const TrainCase& one : make_plan(c, {0, 0})) cases.emplace_back(one.key.ranks, *one.key.training->overlap);
  EXPECT_EQ(cases, (std::vector<std::pair<int, std::string>>{{1, "none"}, {2, "none"}, {2, "thread"}}));
}

TEST(Plan, DividesTheBatchOfStrongScaling) {
  Curve c = curve({1, 2, 4});
  c.key.training->scaling = "strong";
  c.key.training->micro_batches = 2;
  const auto plan = make_plan(c, std::vector<int>(4, 0));
  EXPECT_EQ(plan[0].batch, 8);
  EXPECT_EQ(plan[2].batch, 2);
  EXPECT_EQ(plan[2].key.training->batch, 8) << "the key is of the whole curve";
  c.scale = {3};
  EXPECT_THROW(static_cast<void>(make_plan(c, std::vector<int>(4, 0))), UsageError);
}

TEST(Plan, RefusesGroupsLargerThanTheJob) {
  const auto catch_plan_error = [](const Curve& c) { return catch_error([&] { (void)make_plan(c, {0, 0}); }); };
  EXPECT_EQ(catch_plan_error(curve({1, 4})), "--scale: 4 ranks are wanted; this job has 2");
  EXPECT_EQ(catch_plan_error(curve({2}, 2)), "--jobs: 4 ranks are wanted; this job has 2");
  EXPECT_EQ(catch_plan_error(curve({}, 3)), "--jobs: 3 ranks are wanted; this job has 2");
}

// Rounds

RankReport report(double step_s, double exposed_s = 0) {
  return {.wall_s = 2 * step_s,
          .times = {.step_s = 2 * step_s,
                    .forward_s = 0.5 * step_s,
                    .backward_s = step_s,
                    .exposed_s = 2 * exposed_s,
                    .communicating_s = 3 * exposed_s},
          .loss = 3,
          .state = 0xFEDCBA9876543210U,
          .step_s = {step_s, step_s},
          .compute_s = {0.75 * step_s, 0.75 * step_s}};
}

TEST(Rounds, AreSentAsNumbers) {
  RankReport r = report(0.5, 0.1);
  r.layers.forward_s[2] = 7;
  r.layers.reorder_s = 9;
  const RankReport back = to_report(to_numbers(r));
  EXPECT_EQ(to_numbers(back), to_numbers(r));
  EXPECT_EQ(back.state, r.state);
  EXPECT_EQ(back.step_s, r.step_s);
  EXPECT_EQ(back.compute_s, r.compute_s);
  EXPECT_EQ(back.layers.forward_s[2], 7);
  EXPECT_EQ(back.times.communicating_s, r.times.communicating_s);
}

TEST(Rounds, AreAsLongAsTheSlowestRank) {
  const std::vector<RankReport> reports{report(1.0), report(1.5), report(0.5), report(0.25)};
  const TrainRound one_job = combine(reports, 4, 12);
  EXPECT_EQ(one_job.at_s, 12);
  EXPECT_EQ(one_job.step_s, 1.5);
  EXPECT_EQ(one_job.samples_s, (std::vector{1.5, 1.5}));
  EXPECT_EQ(one_job.job_step_s, (std::vector{1.5}));
  EXPECT_DOUBLE_EQ(one_job.mean.step_s, 3.25 / 4);
  EXPECT_EQ(one_job.compute_s, (std::vector{0.75, 1.125, 0.375, 0.1875}));
  EXPECT_EQ(combine(reports, 2, 0).job_step_s, (std::vector{1.5, 0.5}));
}

TEST(Rounds, KnowTheSlowestRankOfEachStep) {
  std::vector<RankReport> reports(4, report(1));
  reports[0].compute_s = {3, 1};
  reports[1].compute_s = {1, 2};
  EXPECT_DOUBLE_EQ(combine(reports, 4, 0).slowest_compute_s, 2.5) << "3 in the first step, 2 in the second";
  EXPECT_DOUBLE_EQ(combine(reports, 2, 0).slowest_compute_s, (2.5 + 0.75) / 2) << "mean over two jobs";
}

TEST(Rounds, NameARankWithOtherWeights) {
  std::vector<RankReport> reports(4, report(1));
  const auto plan = make_plan(curve({2}, 2), std::vector<int>(4, 0))[1];
  EXPECT_FALSE(difference(plan, combine(reports, 2, 0)));
  reports[2].state = reports[3].state = 1;
  EXPECT_FALSE(difference(plan, combine(reports, 2, 0))) << "jobs do not share weights";
  reports[3].state = 2;
  EXPECT_EQ(difference(plan, combine(reports, 2, 0)),
            "the weights of rank 3 differ from those of rank 2 after the same steps");
}

// Summaries

std::vector<TrainRound> rounds_of(const std::vector<double>& step_s, int ranks, int ranks_per_job) {
  std::vector<TrainRound> rounds;
  for (const double s : step_s)
    rounds.push_back(
        combine(std::vector<RankReport>(static_cast<std::size_t>(ranks), report(s, 0.1)), ranks_per_job, 0));
  return rounds;
}

const std::vector<RankPlace> places{{.rank = 0, .host = "a"},
                                    {.rank = 1, .host = "a"},
                                    {.rank = 2, .host = "b"},
                                    {.rank = 3, .host = "b", .cpus = "7"}};

CaseRecord summary_of(const TrainCase& plan, const std::vector<TrainRound>& rounds, const TrainCase& base,
                      const std::vector<TrainRound>& base_rounds, const std::vector<TrainRound>& alone = {}) {
  CaseRecord record{.key = plan.key, .training = Training{}};
  const std::vector<StopRule> rules{FixedCount{100}};
  summarise(record,
            {.plan = plan, .rounds = rounds, .baseline = base, .baseline_rounds = base_rounds, .alone_rounds = alone},
            rules, 0.95, places);
  return record;
}

TEST(Summary, ComputesEfficiencyPerRound) {
  // The machine is 3x slower in every other round, for both alike; two ranks need 1.25 times as long as one.
  const std::vector<double> one{1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3};
  std::vector<double> two = one;
  for (double& s : two) s *= 1.25;
  const auto plan = make_plan(curve({1, 2}), {0, 0});
  const auto base = rounds_of(one, 1, 1);
  const CaseRecord r = summary_of(plan[1], rounds_of(two, 2, 2), plan[0], base);
  ASSERT_TRUE(r.training->scaling);
  EXPECT_DOUBLE_EQ(r.training->scaling->efficiency, 0.8);
  EXPECT_DOUBLE_EQ(r.training->scaling->speed_up, 1.6);
  ASSERT_TRUE(r.training->scaling->efficiency_interval);
  EXPECT_DOUBLE_EQ(r.training->scaling->efficiency_interval->low, 0.8) << "pairs do not vary";
  EXPECT_EQ(r.training->scaling->baseline_ranks, 1);
  EXPECT_FALSE(summary_of(plan[0], base, plan[0], base).training->scaling) << "not against itself";
}

TEST(Summary, TakesTheBubbleFromAllTimedSteps) {
  // Of each step of 1 s, both stages update for 0.2 s and are idle for 0.2 s, but in the last round for 0.4 s.
  std::vector<TrainRound> rounds;
  for (int round = 0; round < 9; ++round) {
    const double idle_s = round < 8 ? 0.2 : 0.4;
    const RankReport stage{.wall_s = 2,
                           .times = {.step_s = 2,
                                     .forward_s = 0.6,
                                     .backward_s = 1 - 2 * idle_s,
                                     .exposed_s = 2 * idle_s,
                                     .optimiser_s = 0.4},
                           .step_s = {1, 1},
                           .compute_s = {0.8 - idle_s, 0.8 - idle_s}};
    rounds.push_back(combine(std::vector{stage, stage}, 2, 0));
  }
  Curve c = curve({2});
  c.key.training->parallel = by_pipeline;
  const auto plan = make_plan(c, {0, 0});
  CaseRecord record{.key = plan[0].key, .training = Training{.pipeline = Pipeline{.stages = 2, .micro_batches = 4}}};
  const std::vector<StopRule> rules{FixedCount{100}};
  summarise(record, {.plan = plan[0], .rounds = rounds, .baseline = plan[0], .baseline_rounds = rounds}, rules, 0.95,
            places);
  const Pipeline& p = *record.training->pipeline;
  EXPECT_DOUBLE_EQ(p.bubble, 0.25);
  ASSERT_TRUE(p.bubble_interval);
  EXPECT_LE(p.bubble_interval->low, 0.25);
  EXPECT_GE(p.bubble_interval->high, 0.25);
  ASSERT_EQ(p.stage_compute_s.size(), 2U);
  EXPECT_DOUBLE_EQ(p.stage_compute_s[1], 0.6);
}

TEST(Summary, CountsSamplesOfAllRanksByTheSlowest) {
  const auto plan = make_plan(curve({1, 2}), {0, 0});
  const auto base = rounds_of(std::vector<double>(8, 1.0), 1, 1);
  const CaseRecord r = summary_of(plan[1], rounds_of(std::vector<double>(8, 2.0), 2, 2), plan[0], base);
  EXPECT_EQ(r.time_s, 2);
  EXPECT_DOUBLE_EQ(r.training->samples_per_s, 2 * 8 / 2.0);
  EXPECT_EQ(r.samples_taken, 16U);
  const StepSplit& s = r.training->split.value();
  EXPECT_DOUBLE_EQ(s.step_s, s.forward_s + s.backward_s + s.exposed_s + s.optimiser_s + s.other_s);
  EXPECT_NEAR(s.hidden_s, 0.05, 1e-12);
}

TEST(Summary, RemarksOnAnEfficiencyAboveOne) {
  const auto plan = make_plan(curve({1, 2}), {0, 0});
  const auto base = rounds_of(std::vector<double>(8, 1.0), 1, 1);
  const CaseRecord r = summary_of(plan[1], rounds_of(std::vector<double>(8, 0.9), 2, 2), plan[0], base);
  ASSERT_FALSE(r.remarks.empty());
  EXPECT_NE(r.remarks.back().find("above 100 %"), std::string::npos);
}

TEST(Summary, ComparesEachJobWithASingleOne) {
  const auto plan = make_plan(curve({1}, 2), {0, 0});
  const auto alone = rounds_of(std::vector<double>(8, 1.0), 1, 1);
  std::vector<TrainRound> both;
  for (int i = 0; i < 8; ++i) both.push_back(combine(std::vector{report(1.25), report(2.0)}, 1, 0));
  const CaseRecord r = summary_of(plan[1], both, plan[0], alone, alone);
  ASSERT_EQ(r.training->jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(*r.training->jobs[0].slow_down, 1.25);
  EXPECT_DOUBLE_EQ(r.training->jobs[1].samples_per_s, 4);
  EXPECT_DOUBLE_EQ(r.training->samples_per_s, 8 / 1.25 + 8 / 2.0);
}

TEST(Summary, NamesRanksThatComputeLongerInEveryRound) {
  const std::vector<std::vector<double>> once{{1, 1, 1, 5}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  EXPECT_TRUE(slow_ranks(once).empty());
  const std::vector<std::vector<double>> always(4, {1.0, 1.02, 1.0, 1.2});
  EXPECT_EQ(slow_ranks(always), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(slow_ranks(std::vector<std::vector<double>>(4, {1.0})).empty());

  const auto plan = make_plan(curve({1, 4}), {0, 0, 1, 1});
  std::vector<TrainRound> rounds;
  for (int i = 0; i < 8; ++i)
    rounds.push_back(combine(std::vector{report(1), report(1), report(1), report(1.5)}, 4, 0));
  const CaseRecord r = summary_of(plan[1], rounds, plan[0], rounds_of(std::vector<double>(8, 1.0), 1, 1));
  ASSERT_EQ(r.training->slow_ranks.size(), 1U);
  EXPECT_EQ(r.training->slow_ranks[0].rank, 3);
  EXPECT_EQ(r.training->slow_ranks[0].cpus, "7");
}

// Replicas

/// Weights of one number each; gradients are the rank's number.
class Toy final : public Compute {
 public:
  explicit Toy(int rank) : rank_(rank) {}
  [[nodiscard]] const std::vector<Stripe>& stripes() const override { return stripes_; }
  [[nodiscard]] std::span<float> weights() override { return weights_; }
  [[nodiscard]] std::span<float> gradients() override { return gradients_; }
  std::optional<double> forward() override { return ++forwards; }
  void backward(const Ready& ready) override {
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      gradients_[i] = static_cast<float>(rank_ + forwards);
      ready(i, i + 1);
    }
  }
  void reset() override { weights_.assign(weights_.size(), 0); }
  void update(std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i) weights_[i] -= gradients_[i];
  }
  int forwards = 0;

 private:
  int rank_;
  std::vector<Stripe> stripes_ = stripes_of({1, 1, 1, 1});
  std::vector<float> weights_ = std::vector<float>(4), gradients_ = std::vector<float>(4);
};

/// Sums over thread ranks.
class ThreadSum final : public Reducer {
 public:
  explicit ThreadSum(Group& group) : group_(group) {}
  [[nodiscard]] int ranks() const override { return group_.size(); }
  void sum(std::span<float> values) override {
    for (float& v : values) {
      const auto all = group_.all_gather(static_cast<double>(v));
      v = static_cast<float>(std::accumulate(all.begin(), all.end(), 0.0));
    }
  }
  void start(std::span<float> values) override { sum(values); }
  [[nodiscard]] bool poll() override { return true; }
  void wait() override {}

 private:
  Group& group_;
};

TEST(Replicas, UpdateByTheMeanOverRanksAndMicroBatches) {
  for (const ExchangeKind* kind : table<ExchangeKind>()) {
    run_ranks(3, [&](Group& group, Backend&) {
      Toy toy(group.rank());
      ThreadSum sum(group);
      Replica replica(toy, 2, &sum, *kind, {{0, 1}, {1, 4}});
      const StepTimes t = replica.step();
      // micro-batches have gradients rank + 1 and rank + 2; mean rank is 1
      for (const float w : toy.weights()) EXPECT_FLOAT_EQ(w, -2.5F) << kind->name;
      EXPECT_EQ(toy.forwards, 2);
      EXPECT_DOUBLE_EQ(*replica.loss(), 1.5);
      EXPECT_GE(t.step_s, t.forward_s + t.backward_s + t.exposed_s + t.optimiser_s);
      EXPECT_GT(t.communicating_s, 0);
    });
  }
}

TEST(Replicas, TrainAloneWithoutAReducer) {
  Toy toy(0);
  Replica replica(toy, 1, nullptr, *table<ExchangeKind>().front(), {{0, 4}});
  const StepTimes t = replica.step();
  for (const float w : toy.weights()) EXPECT_EQ(w, -1);
  EXPECT_EQ(t.exposed_s, 0);
  EXPECT_EQ(t.communicating_s, 0);
}

}  // namespace
}  // namespace busbar::test
