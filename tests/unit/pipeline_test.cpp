// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/machine/local_clock.hpp"
#include "tests/unit/catch_error.hpp"
#include "tests/unit/thread_ranks.hpp"
#include "workloads/pipeline/drawing.hpp"
#include "workloads/pipeline/executor.hpp"
#include "workloads/pipeline/schedule.hpp"
#include "workloads/pipeline/stages.hpp"
#include "workloads/pipeline/timetable.hpp"

namespace busbar::test {
namespace {

using namespace pipeline;

std::vector<StageTimes> alike(int stages, StageTimes times) {
  return std::vector<StageTimes>(static_cast<std::size_t>(stages), times);
}

const ScheduleKind& kind_named(std::string_view name) { return *try_find<ScheduleKind>(name); }

/// Calls `body` with every tested shape of pipeline.
template <class Body>
void for_all_shapes(const Body& body) {
  for (int stages = 1; stages <= 8; ++stages)
    for (int micro_batches = 1; micro_batches <= 16; ++micro_batches) {
      SCOPED_TRACE(fmt::format("{} stages, {} micro-batches", stages, micro_batches));
      body(stages, micro_batches);
    }
}

/// Index of `operation`; -1 unless it occurs exactly once.
int position(const std::vector<Operation>& operations, const Operation& operation) {
  if (std::ranges::count(operations, operation) != 1) return -1;
  return static_cast<int>(std::ranges::find(operations, operation) - operations.begin());
}

/// Every stage computes in the order of the schedule, one operation at a time, each after what it needs.
void expect_valid(const Timetable& table, const Schedule& schedule, double transfer_s = 0) {
  ASSERT_EQ(table.stages.size(), schedule.size());
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    ASSERT_EQ(table.stages[s].size(), schedule[s].size());
    double before = 0;
    for (std::size_t i = 0; i < schedule[s].size(); ++i) {
      const auto& [operation, start_s, end_s] = table.stages[s][i];
      EXPECT_EQ(operation, schedule[s][i]);
      EXPECT_LE(before, start_s);
      EXPECT_LE(start_s, end_s);
      before = end_s;
      const bool forward = operation.pass == Pass::forward;
      if (forward ? s == 0 : s + 1 == schedule.size()) continue;
      const auto& neighbour = table.stages[forward ? s - 1 : s + 1];
      const auto needed = std::ranges::find(neighbour, operation, &TimedOperation::operation);
      ASSERT_NE(needed, neighbour.end());
      EXPECT_LE(needed->end_s + transfer_s, start_s) << "stage " << s << ", " << describe(operation);
    }
  }
}

class Schedules : public testing::TestWithParam<const ScheduleKind*> {};

TEST_P(Schedules, RunEveryMicroBatchForwardAndThenBackwardOnce) {
  for_all_shapes([](int stages, int micro_batches) {
    for (const auto& operations : make_schedule(*GetParam(), stages, micro_batches)) {
      EXPECT_EQ(operations.size(), static_cast<std::size_t>(2 * micro_batches));
      for (int i = 0; i < micro_batches; ++i) {
        const int forward = position(operations, {.pass = Pass::forward, .micro_batch = i});
        EXPECT_GE(forward, 0);
        EXPECT_LT(forward, position(operations, {.pass = Pass::backward, .micro_batch = i}));
      }
    }
  });
}

TEST_P(Schedules, FinishWithAnyStageTimes) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> some(0, 9);
  for_all_shapes([&](int stages, int micro_batches) {
    const Schedule schedule = make_schedule(*GetParam(), stages, micro_batches);
    auto times = alike(stages, {});
    for (StageTimes& t : times)
      t = {.forward_s = static_cast<double>(some(random)), .backward_s = static_cast<double>(some(random))};
    const double transfer_s = some(random);
    expect_valid(simulate(schedule, times, transfer_s), schedule, transfer_s);
  });
}

TEST_P(Schedules, HaveTheBubbleOfTheFormulaForEqualStages) {
  for_all_shapes([](int stages, int micro_batches) {
    const Schedule schedule = make_schedule(*GetParam(), stages, micro_batches);
    const double expected = (stages - 1.0) / (micro_batches + stages - 1.0);
    for (const double backward_s : {1.0, 2.0}) {
      const Timetable table =
          simulate(schedule, alike(stages, {.forward_s = 1, .backward_s = backward_s}), /*transfer_s=*/0);
      EXPECT_EQ(table.makespan_s(), (micro_batches + stages - 1) * (1 + backward_s));
      EXPECT_EQ(bubble(table), expected);
      for (const auto& stage : table.stages) EXPECT_EQ(idle_share(stage, table.makespan_s()), expected);
    }
  });
}

TEST_P(Schedules, NeedOneStageAndMicroBatch) {
  EXPECT_THROW((void)make_schedule(*GetParam(), 0, 1), UsageError);
  EXPECT_THROW((void)make_schedule(*GetParam(), 1, 0), UsageError);
}

TEST(InFlight, IsEveryMicroBatchInGpipeAndAtMostTheRemainingStagesIn1F1B) {
  for_all_shapes([](int stages, int micro_batches) {
    const Schedule all_forward = make_schedule(kind_named("gpipe"), stages, micro_batches);
    const Schedule in_turns = make_schedule(kind_named("1f1b"), stages, micro_batches);
    for (int s = 0; s < stages; ++s) {
      EXPECT_EQ(most_in_flight(all_forward[static_cast<std::size_t>(s)]), micro_batches);
      EXPECT_EQ(most_in_flight(in_turns[static_cast<std::size_t>(s)]), std::min(micro_batches, stages - s));
    }
  });
}

TEST(TimetableOfASchedule, AddsAllStagesForOneMicroBatch) {
  const Schedule schedule = make_schedule(kind_named("1f1b"), 3, 1);
  const std::vector<StageTimes> times{
      {.forward_s = 1, .backward_s = 2}, {.forward_s = 4, .backward_s = 8}, {.forward_s = 16, .backward_s = 32}};
  const Timetable table = simulate(schedule, times, 0.5);
  EXPECT_EQ(table.makespan_s(), 63 + 4 * 0.5);
  EXPECT_EQ(table.stages[1][0].start_s, 1.5);
  EXPECT_EQ(table.stages[1][1].end_s, 63 + 4 * 0.5 - 2.5);
  EXPECT_EQ(idle_share(table.stages[2], table.makespan_s()), 17.0 / 65);
  EXPECT_EQ(bubble(table), (3 * 65 - 63.0) / (3 * 65));
}

TEST(TimetableOfASchedule, FollowsTheSlowestStage) {
  const Schedule schedule = make_schedule(kind_named("1f1b"), 2, 100);
  const std::vector<StageTimes> times{{.forward_s = 1, .backward_s = 1}, {.forward_s = 3, .backward_s = 3}};
  const Timetable table = simulate(schedule, times, 0);
  EXPECT_EQ(table.makespan_s(), 1 + 600 + 1);
}

TEST(TimetableOfASchedule, StartsAtItsFirstOperation) {
  const Timetable table{
      .stages = {{{.operation = {}, .start_s = 5, .end_s = 6}}, {{.operation = {}, .start_s = 6, .end_s = 9}}}};
  EXPECT_EQ(table.start_s(), 5);
  EXPECT_EQ(table.makespan_s(), 4);
  EXPECT_EQ(bubble(table), 0.5);
}

TEST(TimetableOfASchedule, HasNoBubbleWhenEmpty) {
  EXPECT_EQ(Timetable{}.makespan_s(), 0);
  EXPECT_EQ(bubble({}), 0);
  EXPECT_EQ(bubble(simulate(make_schedule(kind_named("gpipe"), 2, 2), alike(2, {}), 0)), 0);
}

std::string catch_simulation_error(const Schedule& schedule, const std::vector<StageTimes>& times) {
  return catch_error<Error>([&] { (void)simulate(schedule, times, 0); });
}

TEST(ImpossibleSchedule, NamesTheWaitingStage) {
  const Operation f0{.pass = Pass::forward, .micro_batch = 0}, b0{.pass = Pass::backward, .micro_batch = 0};
  const Operation f1{.pass = Pass::forward, .micro_batch = 1}, b1{.pass = Pass::backward, .micro_batch = 1};
  EXPECT_EQ(catch_simulation_error({{b0, f0}}, alike(1, {})),
            "a schedule that cannot be run: stage 0 waits for ever before the backward pass of micro-batch 1");
  EXPECT_EQ(catch_simulation_error({{f0, b0, f1, b1}, {f0, f1, b0, b1}}, alike(2, {})),
            "a schedule that cannot be run: stage 0 waits for ever before the backward pass of micro-batch 1");
  EXPECT_EQ(catch_simulation_error({{f0, b0}, {f0, f1, b0, b1}}, alike(2, {})),
            "a schedule that cannot be run: stage 0 waits for ever before the backward pass of micro-batch 1");
  EXPECT_EQ(catch_simulation_error({{f0, b0}, {f0, b0}}, alike(1, {})), "times of 1 stages for a schedule of 2");
}

/// Starts with a line break, so that the expected text can start on its own line.
std::string drawn(std::string_view schedule, int stages, int micro_batches, StageTimes times, int columns = 80) {
  const Schedule all = make_schedule(kind_named(schedule), stages, micro_batches);
  return "\n" + draw(simulate(all, alike(stages, times), 0), columns);
}

constexpr StageTimes one_ms{.forward_s = 1e-3, .backward_s = 1e-3};

TEST(Drawing, ShowsGpipe) {
  EXPECT_EQ(drawn("gpipe", 4, 4, one_ms), R"(
stage 0 |F1---F2---F3---F4---..............................B4===B3===B2===B1===|
stage 1 |.....F1---F2---F3---F4---....................B4===B3===B2===B1===.....|
stage 2 |..........F1---F2---F3---F4---..........B4===B3===B2===B1===..........|
stage 3 |...............F1---F2---F3---F4---B4===B3===B2===B1===...............|
F forward, B backward of a micro-batch, . idle; a column is 200 us
)");
}

TEST(Drawing, Shows1F1B) {
  EXPECT_EQ(drawn("1f1b", 4, 4, one_ms), R"(
stage 0 |F1---F2---F3---F4---...............B1===.....B2===.....B3===.....B4===|
stage 1 |.....F1---F2---F3---..........B1===F4---B2===.....B3===.....B4===.....|
stage 2 |..........F1---F2---.....B1===F3---B2===F4---B3===.....B4===..........|
stage 3 |...............F1---B1===F2---B2===F3---B3===F4---B4===...............|
F forward, B backward of a micro-batch, . idle; a column is 200 us
)");
}

TEST(Drawing, OmitsNamesThatDoNotFit) {
  EXPECT_EQ(drawn("1f1b", 2, 11, {.forward_s = 1, .backward_s = 2}, 46), R"(
stage 0 |FF..B1FB2FB3FB4FB5FB6FB7FB8FB9FB=.B=|
stage 1 |.FB1FB2FB3FB4FB5FB6FB7FB8FB9FB=FB=..|
F forward, B backward of a micro-batch, . idle; a column is 1 s
)");
}

TEST(Drawing, StaysWithinItsColumns) {
  for_all_shapes([](int stages, int micro_batches) {
    for (const int columns : {20, 33, 80, 200}) {
      const std::string all = drawn("gpipe", stages, micro_batches, one_ms, columns);
      std::size_t begin = 1;
      for (int line = 0; line < stages; ++line) {
        const std::size_t end = all.find('\n', begin);
        EXPECT_LE(end - begin, static_cast<std::size_t>(columns));
        begin = end + 1;
      }
    }
  });
}

TEST(Drawing, HasEmptyRowsWithoutOperations) {
  EXPECT_EQ(draw({.stages = {{}, {}}}).substr(0, 22), "stage 0 ||\nstage 1 ||\n");
}

/// The smallest largest stage of all ways to cut, by looking at all of them.
double best_by_trying(const std::vector<double>& costs, const std::vector<bool>& may_cut_after, int stages) {
  double best = 1e9;
  const unsigned ways = 1U << (costs.size() - 1);
  for (unsigned cuts = 0; cuts < ways; ++cuts) {
    if (std::popcount(cuts) != stages - 1) continue;
    double largest = 0, sum = 0;
    bool allowed = true;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      sum += costs[i];
      largest = std::max(largest, sum);
      if ((cuts >> i & 1U) == 0) continue;
      allowed = allowed && may_cut_after[i];
      sum = 0;
    }
    if (allowed) best = std::min(best, largest);
  }
  return best;
}

/// Of its largest stage; also looks whether the stages are cut where they may be, with no layer left out.
double largest_stage(const std::vector<StageLayers>& division, const std::vector<double>& costs,
                     const std::vector<bool>& may_cut_after) {
  double largest = 0;
  std::size_t layer = 0;
  for (const auto& [begin, end] : division) {
    EXPECT_EQ(begin, layer);
    EXPECT_LT(begin, end);
    EXPECT_TRUE(end == costs.size() || may_cut_after[end - 1]);
    double sum = 0;
    for (; layer < end; ++layer) sum += costs[layer];
    largest = std::max(largest, sum);
  }
  EXPECT_EQ(layer, costs.size());
  return largest;
}

TEST(Divide, MatchesExhaustiveSearch) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> cost(0, 9), coin(0, 2), length(1, 10);
  for (int input = 0; input < 300; ++input) {
    std::vector<double> costs(static_cast<std::size_t>(length(random)));
    std::ranges::generate(costs, [&] { return cost(random); });
    std::vector<bool> may_cut_after(costs.size());
    std::generate(may_cut_after.begin(), may_cut_after.end(), [&] { return coin(random) > 0; });
    const auto cuts = static_cast<int>(std::count(may_cut_after.begin(), may_cut_after.end() - 1, true));
    for (int stages = 1; stages <= cuts + 1; ++stages) {
      const auto division = divide(costs, may_cut_after, stages);
      EXPECT_EQ(division.size(), static_cast<std::size_t>(stages));
      EXPECT_EQ(largest_stage(division, costs, may_cut_after), best_by_trying(costs, may_cut_after, stages));
    }
    EXPECT_THROW((void)divide(costs, may_cut_after, cuts + 2), UsageError);
  }
}

TEST(Divide, NamesPossibleNumbersOfStages) {
  const std::vector<double> costs{1, 2, 3, 4};
  const auto catch_division_error = [&](int stages) {
    return catch_error([&] { (void)divide(costs, {true, false, true, true}, stages); });
  };
  EXPECT_EQ(catch_division_error(3), "no error");
  EXPECT_EQ(catch_division_error(4), "4 layers with 2 possible cuts make 1 to 3 stages, not 4");
  EXPECT_EQ(catch_division_error(0), "4 layers with 2 possible cuts make 1 to 3 stages, not 0");
  EXPECT_THROW((void)divide({}, {}, 1), UsageError);
  EXPECT_THROW((void)divide(costs, {true}, 1), Error);
}

/// One direction between two neighbours. A sender waits until the receiver has taken its previous message, as with the
/// rendezvous protocol.
class Channel {
 public:
  void offer(int message) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !offered_; });
    offered_ = message;
    changed_.notify_all();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return offered_.has_value(); });
    const int message = *offered_;
    offered_.reset();
    changed_.notify_all();
    return message;
  }
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !offered_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> offered_;
};

/// Between stage i and stage i + 1.
struct Border {
  Channel forward, backward;
};

class ChannelLink final : public Link {
 public:
  ChannelLink(std::vector<Border>& borders, std::size_t stage) : borders_(borders), stage_(stage) {}
  void send_forward(int micro_batch) override { behind().forward.offer(micro_batch); }
  void receive_forward(int micro_batch) override { EXPECT_EQ(before().forward.take(), micro_batch); }
  void send_backward(int micro_batch) override { before().backward.offer(micro_batch); }
  void receive_backward(int micro_batch) override { EXPECT_EQ(behind().backward.take(), micro_batch); }
  void finish() override {
    if (stage_ > 0) before().backward.drain();
    if (stage_ < borders_.size()) behind().forward.drain();
  }

 private:
  Border& before() { return borders_.at(stage_ - 1); }
  Border& behind() { return borders_.at(stage_); }
  std::vector<Border>& borders_;
  std::size_t stage_;
};

/// Sleeps in place of computing.
class Sleep final : public StageWork {
 public:
  explicit Sleep(std::chrono::microseconds each) : each_(each) {}
  void forward(int micro_batch) override {
    held_.push_back(micro_batch);
    std::this_thread::sleep_for(each_);
  }
  void backward(int micro_batch) override {
    EXPECT_EQ(std::erase(held_, micro_batch), 1U);
    std::this_thread::sleep_for(each_);
  }

 private:
  std::chrono::microseconds each_;
  std::vector<int> held_;
};

/// Times of a step on p thread ranks, gathered on rank 0.
Timetable run_on_threads(const Schedule& schedule, std::chrono::microseconds each) {
  const auto stages = static_cast<int>(schedule.size());
  std::vector<Border> borders(schedule.size() - 1);
  const std::int64_t origin_ns = steady_ns();
  Timetable seen;
  run_ranks(stages, [&](Group& group, Backend&) {
    const auto me = static_cast<std::size_t>(group.rank());
    ChannelLink link(borders, me);
    Sleep work(each);
    const auto mine = run_step(schedule[me], {.stage = group.rank(), .stages = stages}, link, work, origin_ns);
    const Timetable all = gather(group, mine);
    if (group.rank() == 0) seen = all;
  });
  return seen;
}

TEST_P(Schedules, RunOnThreadsWithOneMessagePerDirection) {
  for (int stages = 1; stages <= 5; ++stages)
    for (int micro_batches = 1; micro_batches <= 8; ++micro_batches) {
      SCOPED_TRACE(fmt::format("{} stages, {} micro-batches", stages, micro_batches));
      const Schedule schedule = make_schedule(*GetParam(), stages, micro_batches);
      expect_valid(run_on_threads(schedule, std::chrono::microseconds(0)), schedule);
    }
}

TEST_P(Schedules, TakeAtLeastTheirSimulatedTime) {
  constexpr int stages = 4, micro_batches = 8;
  constexpr double each_s = 300e-6;
  const Schedule schedule = make_schedule(*GetParam(), stages, micro_batches);
  const Timetable measured = run_on_threads(schedule, std::chrono::microseconds(300));
  const Timetable simulated = simulate(schedule, alike(stages, {.forward_s = each_s, .backward_s = each_s}), 0);
  expect_valid(measured, schedule);
  EXPECT_GE(measured.makespan_s(), 0.999 * simulated.makespan_s());
  EXPECT_GT(bubble(measured), 0);
  EXPECT_LT(bubble(measured), 1);
  double mean = 0;
  for (const auto& stage : measured.stages) mean += idle_share(stage, measured.makespan_s()) / stages;
  EXPECT_NEAR(bubble(measured), mean, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Schedules, testing::ValuesIn(table<ScheduleKind>().begin(), table<ScheduleKind>().end()),
                         [](const auto& kind) { return std::string(kind.param->name); });

}  // namespace
}  // namespace busbar::test
