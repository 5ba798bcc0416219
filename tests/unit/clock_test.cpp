// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "bench/engine/clock_model.hpp"
#include "bench/engine/clock_sync.hpp"
#include "bench/engine/window.hpp"
#include "core/base/json.hpp"
#include "core/record/parts.hpp"
#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t long_up = 11'000'000 * second + 7;  // 127 days: more nanoseconds than a double counts

// The model, in numbers.

TEST(ClockModel, KeepsNanosecondsAfterALongUptime) {
  const ClockModel ahead{.reference_ns = long_up, .offset_ns = -long_up + 5, .drift = 0};
  EXPECT_EQ(ahead.to_global(long_up + 1), 6);
  EXPECT_EQ(ahead.to_local(6), long_up + 1);
}

TEST(ClockModel, AppliesDriftFromTheReferencePoint) {
  const ClockModel fast{.reference_ns = long_up, .offset_ns = 1000, .drift = 40e-6};
  EXPECT_EQ(fast.to_global(long_up), long_up + 1000);
  EXPECT_EQ(fast.to_global(long_up + second), long_up + second + 41'000);
  EXPECT_EQ(fast.to_global(long_up - second), long_up - second - 39'000);
}

TEST(ClockModel, InvertsWithinANanosecond) {
  const ClockModel model{.reference_ns = long_up, .offset_ns = -123'456'789'012'345, .drift = -73.7e-6};
  for (const std::int64_t after : {-second, std::int64_t{0}, std::int64_t{1}, 17 * second + 3, 3600 * second})
    EXPECT_NEAR(static_cast<double>(model.to_local(model.to_global(long_up + after)) - long_up - after), 0, 1);
}

/// Points, 10 ms apart, of a noisy clock with this drift and this offset at `long_up`.
std::vector<OffsetPoint> points(int n, double offset_ns, double drift, double noise_ns, std::int64_t from = long_up) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, noise_ns);
  std::vector<OffsetPoint> all;
  for (int i = 0; i < n; ++i) {
    const std::int64_t local = from + i * (second / 100);
    const double offset = offset_ns + drift * static_cast<double>(local - long_up) + (noise_ns > 0 ? noise(random) : 0);
    all.push_back({.local_ns = local, .offset_ns = std::llround(offset), .round_trip_ns = 2000});
  }
  return all;
}

double error_ns(const ClockModel& model, std::int64_t local_ns, double offset_ns, double drift) {
  const double truth = offset_ns + drift * static_cast<double>(local_ns - long_up);
  return static_cast<double>(model.to_global(local_ns) - local_ns) - truth;
}

TEST(ClockFit, FindsALineWithoutNoise) {
  const ClockFit fit = fit_clock(points(50, 5e6, 40e-6, 0));
  EXPECT_NEAR(fit.model.drift, 40e-6, 1e-12);
  EXPECT_NEAR(error_ns(fit.model, long_up + 10 * second, 5e6, 40e-6), 0, 5);
}

TEST(ClockFit, FitsAnOffsetToOnePoint) {
  const ClockFit fit = fit_clock(points(1, -3e15, 40e-6, 0));
  EXPECT_EQ(fit.model.offset_ns, -3'000'000'000'000'000);
  EXPECT_EQ(fit.model.drift, 0);
  EXPECT_TRUE(std::isinf(fit.slope_error));
}

TEST(ClockFit, FitsNoDriftToPointsAtOneTime) {
  const std::vector same(8, OffsetPoint{.local_ns = 5, .offset_ns = 9, .round_trip_ns = 2});
  EXPECT_EQ(fit_clock(same).model.drift, 0);
  EXPECT_EQ(fit_clock(same).model.offset_ns, 9);
}

TEST(ClockFit, IgnoresLatePoints) {
  auto seen = points(50, 5e6, 40e-6, 0);
  for (std::size_t i = 0; i < seen.size(); i += 3)
    seen[i].offset_ns += 400'000, seen[i].round_trip_ns += 800'000;  // the reply was 0.8 ms late
  EXPECT_NEAR(fit_clock(seen).model.drift, 40e-6, 1e-12);
}

TEST(ClockFit, GivesLongerRoundTripsLessWeight) {
  const std::vector<OffsetPoint> seen{{.local_ns = 0, .offset_ns = 100, .round_trip_ns = 99},
                                      {.local_ns = 10, .offset_ns = 600, .round_trip_ns = 199},
                                      {.local_ns = 20, .offset_ns = 9999, .round_trip_ns = 9999},
                                      {.local_ns = 30, .offset_ns = 9999, .round_trip_ns = 9999}};
  EXPECT_EQ(fit_clock(seen).model.offset_ns, 200);  // weights 1 and 1/4
  EXPECT_EQ(fit_clock(seen).model.reference_ns, 2);
}

TEST(ClockFit, SetsDriftWithinNoiseToZero) {
  const auto flat = points(50, 100, 0, 0);
  auto noisy = flat;
  for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i].offset_ns += i % 2 == 0 ? 500 : -500;
  EXPECT_EQ(fit_clock(noisy).model.drift, 0);
  EXPECT_GT(fit_clock(noisy).slope_error, 0);
  EXPECT_NEAR(static_cast<double>(fit_clock(noisy).model.offset_ns), 100, 50);
}

TEST(ClockFit, SetsImplausibleDriftToZero) { EXPECT_EQ(fit_clock(points(50, 0, 0.01, 0)).model.drift, 0); }

TEST(ClockFit, FixesTheDriftOverALongerBaseline) {
  const ClockFit before = fit_clock(points(50, 5e6, 4e-6, 300));
  const ClockFit now = fit_clock(points(50, 5e6, 4e-6, 300, long_up + 5 * second));
  const ClockFit longer = with_longer_base(now, before);
  EXPECT_LT(longer.slope_error, now.slope_error / 5);
  EXPECT_NEAR(longer.model.drift, 4e-6, 4 * longer.slope_error);
  EXPECT_EQ(longer.model.offset_ns, now.model.offset_ns);
}

TEST(ClockFit, TakesNoDriftFromAJumpBetweenTwoFits) {
  const ClockFit before = fit_clock(points(50, 5e6, 4e-6, 300));
  for (const double jump : {50e3, 10e6}) {  // 10 ppm and 2,000 ppm of 5 s
    const ClockFit now = fit_clock(points(50, 5e6 + jump, 4e-6, 300, long_up + 5 * second));
    EXPECT_EQ(with_longer_base(now, before).model.drift, now.model.drift);
  }
}

TEST(ClockFit, IgnoresEarlierFitsTooFarAway) {
  const ClockFit now = fit_clock(points(50, 5e6, 4e-6, 300));
  for (const std::int64_t apart : {-101 * second, 1 * second}) {
    const ClockFit other = fit_clock(points(50, 5e6, 4e-6, 300, long_up + apart));
    EXPECT_EQ(with_longer_base(now, other).slope, now.slope);
  }
}

// Synchronisation of fake clocks, one per rank, made from the clock that all threads share. On a busy machine
// ping-pongs are as slow as its scheduler, so the bounds are those of the synchronisation itself, plus slack.

struct FakeClock {
  std::int64_t ahead_ns = 0;
  double drift = 0;
  std::atomic<std::int64_t> jump_ns = 0;

  [[nodiscard]] std::int64_t shows(std::int64_t steady) const {
    static const std::int64_t begin = steady_ns();
    return steady + ahead_ns + jump_ns + std::llround(drift * static_cast<double>(steady - begin));
  }
};

/// Expects all ranks to read rank 0's clock through the synchronisation, which began at `begin`. Only drift since then
/// may exceed the error that the synchronisation states.
void expect_one_time(Group& group, const ClockSync& sync, const FakeClock& zero, const FakeClock& own,
                     std::int64_t begin) {
  const double slack_s = 1e-6 + 2 * most_drift * static_cast<double>(steady_ns() - begin) * 1e-9;
  const RankClock& said = sync.facts().ranks[static_cast<std::size_t>(group.rank())];
  const std::int64_t steady = steady_ns();
  const double error_s = static_cast<double>(sync.to_global(own.shows(steady)) - zero.shows(steady)) * 1e-9;
  EXPECT_LE(std::abs(error_s), said.residual_s + said.uncertainty_s + slack_s) << "rank " << group.rank();
  EXPECT_NEAR(static_cast<double>(sync.to_local(sync.to_global(steady)) - steady), 0, 1);
}

std::vector<int> two_a_host(int ranks) {
  std::vector<int> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(r / 2);
  return hosts;
}

TEST(ClockSync, SharesOneClockPerHost) {
  for (const int n : {1, 2, 4, 7}) {
    FakeClock shared{.ahead_ns = long_up};
    run_ranks(n, [&](Group& group, Backend&) {
      ClockSync sync(group, std::vector(static_cast<std::size_t>(n), 0), [&] { return shared.shows(steady_ns()); });
      EXPECT_EQ(sync.facts().method, "shared clock");
      EXPECT_EQ(sync.to_global(long_up + 1), long_up + 1);
      EXPECT_EQ(sync.facts().ranks.size(), static_cast<std::size_t>(n));
      EXPECT_LE(sync.facts().residual_s, sync.facts().uncertainty_s + 2e-9);
      EXPECT_FALSE(sync.check(1.5));
      ASSERT_EQ(sync.checks().checks.size(), 1U);
      EXPECT_EQ(sync.checks().checks[0].at_s, 1.5);
      EXPECT_EQ(sync.checks().worst_residual_s, sync.checks().checks[0].residual_s);
    });
  }
}

TEST(ClockSync, GivesAllHostsTheTimeOfRankZero) {
  for (const int n : {2, 3, 7}) {
    for (const auto& hosts : {two_a_host(n), [&] {
                                std::vector<int> each(static_cast<std::size_t>(n));
                                for (int r = 0; r < n; ++r) each[static_cast<std::size_t>(r)] = n - r;
                                return each;
                              }()}) {
      std::vector<FakeClock> clocks(static_cast<std::size_t>(n) + 1);
      for (std::size_t h = 0; h < clocks.size(); ++h) {
        clocks[h].ahead_ns = long_up + static_cast<std::int64_t>(h) * (h % 2 == 0 ? 5'000'000 : -long_up / 9);
        clocks[h].drift = (h % 2 == 0 ? 40e-6 : -25e-6) * static_cast<double>(h);
      }
      run_ranks(n, [&](Group& group, Backend&) {
        const auto clock_of = [&](int rank) -> FakeClock& {
          return clocks[static_cast<std::size_t>(hosts[static_cast<std::size_t>(rank)])];
        };
        const std::int64_t begin = steady_ns();
        ClockSync sync(group, hosts, [&] { return clock_of(group.rank()).shows(steady_ns()); });
        EXPECT_EQ(sync.facts().method, std::ranges::count(hosts, hosts[0]) == n ? "shared clock" : "HCA3");
        expect_one_time(group, sync, clock_of(0), clock_of(group.rank()), begin);
        sync.check(1);
        expect_one_time(group, sync, clock_of(0), clock_of(group.rank()), begin);
      });
    }
  }
}

TEST(ClockSync, DetectsARankWithItsOwnClock) {
  std::vector<FakeClock> clocks(4);
  clocks[2].ahead_ns = -second;
  run_ranks(4, [&](Group& group, Backend&) {
    const FakeClock& own = clocks[static_cast<std::size_t>(group.rank())];
    const std::int64_t begin = steady_ns();
    ClockSync sync(group, {0, 0, 0, 0}, [&] { return own.shows(steady_ns()); });
    EXPECT_EQ(sync.facts().method, "HCA3");
    EXPECT_NEAR(sync.facts().ranks[2].offset_s, 1, 0.1);
    EXPECT_EQ(sync.facts().ranks[3].offset_s, 0);
    expect_one_time(group, sync, clocks[0], own, begin);
  });
}

TEST(ClockSync, DetectsAndCorrectsAJump) {
  for (const auto& hosts : {std::vector{0, 0, 1, 1}, std::vector{0, 0, 0, 0}}) {
    std::vector<FakeClock> clocks(4);
    run_ranks(4, [&](Group& group, Backend&) {
      FakeClock& own = clocks[static_cast<std::size_t>(group.rank())];
      const std::int64_t begin = steady_ns();
      ClockSync sync(group, hosts, [&] { return own.shows(steady_ns()); });
      if (group.rank() == 2) own.jump_ns = second;
      EXPECT_TRUE(sync.check(3));
      EXPECT_NEAR(sync.checks().checks[0].residual_s, 1, 0.3);
      EXPECT_EQ(sync.checks().resynchronised, 1);
      EXPECT_EQ(sync.facts().method, "HCA3");
      expect_one_time(group, sync, clocks[0], own, begin);
    });
  }
}

TEST(ClockSync, AgreesOnAStartToTheNanosecond) {
  FakeClock shared{.ahead_ns = long_up};
  run_ranks(3, [&](Group& group, Backend&) {
    ClockSync sync(group, {0, 0, 0}, [&] { return shared.shows(steady_ns()); });
    const std::int64_t before = shared.shows(steady_ns()), start = sync.agree_on_start(group, 10);
    const auto nanoseconds = group.all_gather(static_cast<double>(start % second));
    EXPECT_EQ(nanoseconds[0], nanoseconds[1]);
    EXPECT_EQ(nanoseconds[0], nanoseconds[2]);
    EXPECT_GT(start, before + 5 * second);  // rank 0 may have been first
    EXPECT_LE(start, shared.shows(steady_ns()) + 10 * second);
  });
}

TEST(ClockSync, ReadsItsFactsBackFromARecord) {
  const ClockFacts facts{
      .method = "HCA3",
      .residual_s = 1e-6,
      .uncertainty_s = 2e-6,
      .took_s = 0.4,
      .ranks = {{.rank = 1, .offset_s = -5, .drift_ppm = 40, .residual_s = 1e-6, .uncertainty_s = 2e-6}}};
  const nlohmann::json json = facts;
  EXPECT_EQ(nlohmann::json(json.get<ClockFacts>()), json);
  EXPECT_EQ(json["ranks"][0]["drift_ppm"], 40);
  const nlohmann::json none = ClockChecks{};
  EXPECT_TRUE(none["worst_residual_s"].is_null());
  const nlohmann::json some = ClockChecks{.checks = {{.at_s = 5, .residual_s = 1e-6, .uncertainty_s = 2e-6}},
                                          .worst_residual_s = 1e-6,
                                          .resynchronised = 2};
  EXPECT_EQ(nlohmann::json(some.get<ClockChecks>()), some);
}

// Windows.

TEST(Windows, StartAfterEachOther) {
  const Windows windows{.start_ns = long_up, .length_ns = 10'000};
  EXPECT_EQ(windows.begin(0), long_up);
  EXPECT_EQ(windows.begin(1'000'000), long_up + 10 * second);
}

TEST(Windows, WaitUntilTheStartAndReportLateRanks) {
  for (const bool yield : {false, true}) {
    std::int64_t time = 0;
    const auto ticks = [&] { return time += 10; };
    EXPECT_TRUE(wait_until(100, yield, ticks));
    EXPECT_EQ(time, 100);
    EXPECT_FALSE(wait_until(100, yield, ticks));
    EXPECT_EQ(time, 110);
    EXPECT_TRUE(wait_until(120, yield, ticks));
  }
  EXPECT_FALSE(wait_until(steady_ns() - 1, false));
  const std::int64_t soon = steady_ns() + second / 100;
  EXPECT_TRUE(wait_until(soon, true));
  EXPECT_GE(steady_ns(), soon);
}

TEST(WindowLength, StartsAboveTheMedianOfTheWarmUp) {
  EXPECT_DOUBLE_EQ(WindowLength(std::vector{900e-6, 20e-6, 22e-6, 18e-6, 21e-6}).seconds(), 31.5e-6);
  EXPECT_DOUBLE_EQ(WindowLength(std::vector{0.0}).seconds(), 1.5e-6);
  EXPECT_DOUBLE_EQ(WindowLength(std::vector{1e9}).seconds(), 60);
}

TEST(WindowLength, GrowsWithInvalidCallsAndShrinksWithoutThem) {
  WindowLength length(std::vector{20e-6});
  length.after_batch(0.1);
  EXPECT_DOUBLE_EQ(length.seconds(), 30e-6);
  length.after_batch(0.5);
  EXPECT_DOUBLE_EQ(length.seconds(), 45e-6);
  length.after_batch(1);
  EXPECT_DOUBLE_EQ(length.seconds(), 90e-6);
  length.after_batch(0);
  EXPECT_DOUBLE_EQ(length.seconds(), 88.2e-6);
  for (int i = 0; i < 1000; ++i) length.after_batch(0);
  EXPECT_DOUBLE_EQ(length.seconds(), 20e-6);
  for (int i = 0; i < 1000; ++i) length.after_batch(1);
  EXPECT_DOUBLE_EQ(length.seconds(), 60);
}

TEST(WindowLength, DelaysTheFirstWindowAfterAMissedBatch) {
  WindowLength length(std::vector{20e-6});
  EXPECT_DOUBLE_EQ(length.lead_s(), 100e-6);
  length.after_batch(0.9);
  EXPECT_DOUBLE_EQ(length.lead_s(), 100e-6);
  length.after_batch(1);
  EXPECT_DOUBLE_EQ(length.lead_s(), 800e-6);
  for (int i = 0; i < 10; ++i) length.after_batch(1);
  EXPECT_DOUBLE_EQ(length.lead_s(), 0.1);
  for (int i = 0; i < 20; ++i) length.after_batch(0);
  EXPECT_DOUBLE_EQ(length.lead_s(), 100e-6);
}

TEST(WindowLength, SettlesAtFewInvalidCalls) {
  WindowLength length(std::vector{10e-6});  // the timed calls turn out to take 20 us, one in twenty 40 us
  const auto invalid = [](double window_s) { return window_s < 20e-6 ? 1.0 : window_s < 40e-6 ? 0.05 : 0.0; };
  for (int i = 0; i < 200; ++i) length.after_batch(invalid(length.seconds()));
  EXPECT_LE(invalid(length.seconds()), 0.1);
  EXPECT_LT(length.seconds(), 45e-6);
}

}  // namespace
}  // namespace busbar::test
