// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/replay.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "core/machine/local_clock.hpp"

namespace busbar::test {
namespace {

Profile small() {
  return {.model = "m",
          .batch = 1,
          .element_bytes = 2,
          .forward = {{.layer = "a", .us = 300}, {.layer = "b", .us = 700}},
          .backward = {{.layer = "b", .us = 500, .gradients = {3, 10}},
                       {.layer = "b", .us = 250},
                       {.layer = "a", .us = 1250, .gradients = {7}}},
          .optimiser_us = 300};
}

void busy(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

TEST(Replay, GivesGradientsInOrderWithoutGaps) {
  ReplayCompute compute(small(), 0);
  // 3 and 10 elements of 2 bytes take 1.5 and 5 floats, 7 take 3.5
  ASSERT_EQ(compute.gradients().size(), 2U + 5U + 4U);
  EXPECT_TRUE(compute.weights().empty());
  ASSERT_EQ(compute.stripes().size(), 3U);
  EXPECT_EQ(compute.stripes()[0].name, "b.0");
  EXPECT_EQ(compute.stripes()[1].name, "b.1");
  EXPECT_EQ(compute.stripes()[1].begin, 2U);
  EXPECT_EQ(compute.stripes()[1].elements, 5U);
  EXPECT_EQ(compute.stripes()[2].name, "a.0");
  for (int step = 0; step < 3; ++step) {
    EXPECT_FALSE(compute.forward());
    std::vector<std::pair<std::size_t, std::size_t>> calls;
    compute.backward([&](std::size_t begin, std::size_t end) { calls.emplace_back(begin, end); });
    compute.update(0, compute.gradients().size());
    EXPECT_EQ(calls, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 7}, {7, 11}}));
  }
}

TEST(Replay, HasTheBytesOfTheProfile) {
  EXPECT_EQ(replay_floats(1, 1), 1U);
  EXPECT_EQ(replay_floats(4, 1), 1U);
  EXPECT_EQ(replay_floats(5, 1), 2U);
  EXPECT_EQ(replay_floats(1000, 2), 500U);
  EXPECT_EQ(replay_floats(1001, 2), 501U);
  EXPECT_EQ(replay_floats(1000, 4), 1000U);
  EXPECT_EQ(replay_floats(1000, 8), 2000U);
}

TEST(Replay, FillsGradientsWithAPatternOfKnownMean) {
  constexpr int ranks = 4;
  std::vector<float> sum(11);
  for (int rank = 0; rank < ranks; ++rank) {
    ReplayCompute compute(small(), rank);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      EXPECT_EQ(compute.gradients()[i], ReplayCompute::pattern(rank, i));
      sum[i] += compute.gradients()[i];
    }
    compute.gradients()[3] = 99;
    compute.reset();
    EXPECT_EQ(compute.gradients()[3], ReplayCompute::pattern(rank, 3));
  }
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_EQ(sum[i] / ranks, ReplayCompute::mean_pattern(ranks, i));
  EXPECT_NE(ReplayCompute::mean_pattern(ranks, 0), ReplayCompute::mean_pattern(ranks, 1));
}

class Paces : public testing::TestWithParam<Pace> {};

TEST_P(Paces, StepsTakeAtLeastTheTimeOfTheProfile) {
  ReplayCompute compute(small(), 0, GetParam());
  const std::int64_t begin = steady_ns();
  std::vector<double> ready_s;
  constexpr int steps = 5;
  for (int step = 0; step < steps; ++step) {
    compute.forward();
    compute.backward([&](std::size_t, std::size_t) { ready_s.push_back(seconds_since(begin)); });
    // In parts, as buckets are updated
    compute.update(0, 4);
    compute.update(4, 11);
  }
  EXPECT_GE(seconds_since(begin), steps * step_s(small()) - 20e-9);  // each of the 10 updates is rounded to 1 ns
  ASSERT_EQ(ready_s.size(), 2U * steps);
  EXPECT_GE(ready_s[0], 1500e-6);
  EXPECT_GE(ready_s[1], 3000e-6);
}

TEST_P(Paces, CountTheCallersTimeBetweenPhases) {
  ReplayCompute compute(small(), 0, GetParam());
  const std::int64_t begin = steady_ns();
  compute.forward();
  busy(3);
  compute.backward([](std::size_t, std::size_t) {});
  busy(3);
  compute.update(0, 11);
  EXPECT_GE(seconds_since(begin), 6e-3 + step_s(small()));
}

TEST_P(Paces, DelayWhatFollowsABusyCaller) {
  ReplayCompute compute(small(), 0, GetParam());
  const std::int64_t begin = steady_ns();
  // Behind the first event, of 500 us, until long after the last
  compute.backward([&](std::size_t from, std::size_t) {
    if (from == 0) busy(5);
  });
  compute.update(0, 11);
  EXPECT_GE(seconds_since(begin), 500e-6 + 5e-3 + 300e-6);
}

INSTANTIATE_TEST_SUITE_P(Both, Paces, testing::Values(Pace::sleep, Pace::spin),
                         [](const auto& pace) { return pace.param == Pace::sleep ? "Sleep" : "Spin"; });

TEST(Replay, UpdatesNothingWithoutGradients) {
  Profile p = small();
  for (BackwardEvent& e : p.backward) e.gradients.clear();
  ReplayCompute compute(p, 0);
  compute.forward();
  compute.backward([](std::size_t, std::size_t) { FAIL(); });
  compute.update(0, 0);
  EXPECT_TRUE(compute.gradients().empty());
}

/// A clock that the test advances; waits overshoot.
struct Clock {
  DeviceTime device;
  std::int64_t now = 1000;
  void compute(std::int64_t work, std::int64_t overshoot) {
    const std::int64_t deadline = device.add(work), asked = now;
    if (now < deadline) now = deadline + overshoot;
    device.waited(asked, now);
  }
};

TEST(DeviceTime, DoesNotAccumulateOvershoots) {
  Clock clock;
  const std::int64_t begin = clock.now;
  std::int64_t work = 0;
  for (int phase = 0; phase < 1000; ++phase) {
    clock.device.begin(clock.now);
    for (const std::int64_t part : {100, 20, 300}) {
      clock.compute(part, 70);
      work += part;
      EXPECT_GE(clock.now - begin, work);
      EXPECT_LE(clock.now - begin, work + 70);
    }
  }
}

TEST(DeviceTime, MakesUpForALateWake) {
  Clock clock;
  clock.device.begin(clock.now);
  clock.compute(100, 70);  // 1170 where 1100 was due
  EXPECT_EQ(clock.device.late(), 70);
  clock.compute(20, 70);  // due at 1120: past
  EXPECT_EQ(clock.now, 1170);
  EXPECT_EQ(clock.device.late(), 50);
  clock.compute(100, 0);
  EXPECT_EQ(clock.now, 1220);
  EXPECT_EQ(clock.device.late(), 0);
}

TEST(DeviceTime, CountsTheCallersTimeBetweenPhases) {
  Clock clock;
  const std::int64_t begin = clock.now;
  for (int phase = 1; phase <= 100; ++phase) {
    clock.device.begin(clock.now);
    clock.compute(100, 70);
    clock.now += 500;
    EXPECT_EQ(clock.now - begin, phase * 600 + 70);
  }
}

TEST(DeviceTime, OverlapsTheCallersTimeWithinAPhase) {
  Clock clock;
  clock.device.begin(clock.now);
  clock.compute(100, 0);
  clock.now += 80;
  clock.compute(100, 0);
  EXPECT_EQ(clock.now, 1200);
  clock.now += 500;  // longer than what is left: the device is done at 1300
  clock.compute(100, 0);
  EXPECT_EQ(clock.now, 1700);
  EXPECT_EQ(clock.device.late(), 0);
  clock.device.begin(clock.now);
  clock.compute(100, 0);
  EXPECT_EQ(clock.now, 1800);
}

}  // namespace
}  // namespace busbar::test
