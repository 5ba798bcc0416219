// SPDX-License-Identifier: Apache-2.0
#include "core/record/telemetry.hpp"

#include <gtest/gtest.h>

#include "core/job/usage.hpp"
#include "core/record/case_record.hpp"
#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

GpuVisit with(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after) {
  return {.before = {.nvlink_tx_bytes = before}, .after = {.nvlink_tx_bytes = after}};
}

std::vector<std::string> words(const GpuTelemetry& t) {
  std::vector<std::string> all;
  for (const auto& r : t.clock_reasons) all.push_back(r.reason);
  return all;
}

GpuTelemetry of_masks(const std::vector<std::optional<std::uint64_t>>& masks) {
  std::vector<GpuVisit> visits;
  for (std::size_t i = 0; i + 1 < masks.size(); i += 2)
    visits.push_back({.before = {.clock_reasons = masks[i]}, .after = {.clock_reasons = masks[i + 1]}});
  return summarise(visits, {});
}

TEST(Telemetry, SpreadsCoverAllKnownReadings) {
  const std::vector<GpuVisit> visits{
      {.before = {.sm_clock_MHz = 1980, .power_W = 300}, .after = {.sm_clock_MHz = 1410, .power_W = 700}},
      {.before = {.sm_clock_MHz = 1755}, .after = {.sm_clock_MHz = 1980, .power_W = 690}}};
  const GpuTelemetry t = summarise(visits, {.uuid = "GPU-1", .power_limit_W = 700, .nvlinks = 18});
  EXPECT_EQ(t.readings, 4U);
  EXPECT_EQ(t.sm_clock_MHz.value().min, 1410);
  EXPECT_EQ(t.sm_clock_MHz.value().median, (1755 + 1980) / 2.0);
  EXPECT_EQ(t.sm_clock_MHz.value().max, 1980);
  EXPECT_EQ(t.power_W.value().median, 690);
  EXPECT_FALSE(t.temperature_C);
  EXPECT_EQ(t.uuid, "GPU-1");
  EXPECT_EQ(t.power_limit_W, 700);
  EXPECT_EQ(t.nvlinks, 18);
}

TEST(Telemetry, AddsBytesWithinVisitsOnly) {
  const std::vector<GpuVisit> visits{with(100, 150), with(1000, 1007)};
  EXPECT_EQ(summarise(visits, {}).nvlink_tx_bytes, 57U);
  EXPECT_FALSE(summarise(visits, {}).nvlink_rx_bytes);
}

TEST(Telemetry, HasNoSumOfResetOrMissingCounters) {
  EXPECT_FALSE(summarise(std::vector{with(100, 150), with(200, 10)}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise(std::vector{with(100, 150), with({}, 10)}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise(std::vector{with(100, {})}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise({}, {}).nvlink_tx_bytes);
  EXPECT_EQ(summarise(std::vector{with(7, 7)}, {}).nvlink_tx_bytes, 0U);
}

/// A visit of 2 s and 50 calls from a reading of 1 s on.
GpuVisit two_seconds(GpuReading before, GpuReading after) {
  before.at_ns = 1'000'000'000;
  after.at_ns = 3'000'000'000;
  return {.before = before, .after = after, .calls = 50};
}

TEST(Telemetry, TakesEnergyTimeAndCallsOfTheSameVisits) {
  const std::vector<GpuVisit> visits{two_seconds({.energy_mJ = 5'000}, {.energy_mJ = 805'000}),
                                     two_seconds({.energy_mJ = 900'000}, {.energy_mJ = 1'100'000})};
  const GpuTelemetry t = summarise(visits, {});
  EXPECT_EQ(t.energy_J, 1000);
  EXPECT_EQ(t.span_s, 4);
  EXPECT_EQ(t.calls, 100U);
  const auto energy = energy_per_call(t);
  ASSERT_TRUE(energy);
  EXPECT_DOUBLE_EQ(energy->energy_J, 10);
  EXPECT_DOUBLE_EQ(energy->error_share, 0.05) << "0.1 s for each visit of 2 s";
}

TEST(Telemetry, HasNoEnergyOfResetOrMissingCounters) {
  EXPECT_FALSE(summarise(std::vector{two_seconds({.energy_mJ = 10}, {.energy_mJ = 9})}, {}).energy_J);
  EXPECT_FALSE(summarise(std::vector{two_seconds({.energy_mJ = 10}, {})}, {}).energy_J);
  EXPECT_FALSE(energy_per_call(summarise(std::vector{two_seconds({}, {})}, {})));
}

TEST(Telemetry, NeedsLongVisitsForEnergyPerCall) {
  const GpuTelemetry enough{.uuid = "GPU-0", .readings = 20, .span_s = 4, .calls = 100, .energy_J = 1000};
  EXPECT_DOUBLE_EQ(energy_per_call(enough).value().error_share, 0.25);
  GpuTelemetry shorter = enough;
  shorter.span_s = 3.9;
  EXPECT_FALSE(energy_per_call(shorter)) << "visits of 0.39 s, where the counter may be 0.1 s behind";
  GpuTelemetry none = enough;
  none.calls = 0;
  EXPECT_FALSE(energy_per_call(none));
  none.calls.reset();
  EXPECT_FALSE(energy_per_call(none)) << "a record of an earlier version";
}

TEST(Telemetry, CountsEnergyOfASharedGpuOnce) {
  const GpuTelemetry one{.uuid = "GPU-0", .readings = 2, .span_s = 4, .calls = 100, .energy_J = 1000};
  GpuTelemetry two = one, without_counter = one;
  two.uuid = "GPU-1";
  two.span_s = 1;
  without_counter.uuid = "GPU-2";
  without_counter.energy_J.reset();
  const auto energy = energy_per_call(std::vector{one, one, two, GpuTelemetry{}});
  ASSERT_TRUE(energy);
  EXPECT_DOUBLE_EQ(energy->energy_J, 20);
  EXPECT_DOUBLE_EQ(energy->error_share, 0.1) << "the larger of the two";
  EXPECT_FALSE(energy_per_call(std::vector{one, without_counter}));
  EXPECT_FALSE(energy_per_call(std::vector{GpuTelemetry{}}));
}

TEST(Telemetry, CountsErrorsOfTheCaseOnly) {
  const std::vector<GpuVisit> visits{
      {.before = {.ecc_corrected = 40, .ecc_uncorrected = 1}, .after = {.ecc_corrected = 43, .ecc_uncorrected = 1}}};
  EXPECT_EQ(summarise(visits, {}).ecc_corrected, 3U);
  EXPECT_EQ(summarise(visits, {}).ecc_uncorrected, 0U);
}

TEST(Telemetry, TakesTheBestNegotiatedLink) {
  const std::vector<GpuVisit> visits{{.before = {.pcie_gen = 1, .pcie_width = 8}, .after = {.pcie_gen = 4}}};
  EXPECT_EQ(summarise(visits, {}).pcie_gen, 4);
  EXPECT_EQ(summarise(visits, {}).pcie_width, 8);
}

TEST(Telemetry, GivesReasonsWithTheirShareOfReadings) {
  const GpuTelemetry t = of_masks({0x4, 0x0, 0x5, {}, 0x1, 0x1});
  ASSERT_EQ(words(t), (std::vector<std::string>{"gpu_idle", "sw_power_cap"}));
  EXPECT_DOUBLE_EQ(t.clock_reasons[0].share, 3.0 / 5);
  EXPECT_DOUBLE_EQ(t.clock_reasons[1].share, 2.0 / 5);
}

TEST(Telemetry, CountsPowerTemperatureAndSupplyAsThrottling) {
  EXPECT_EQ(of_masks({0x0, 0x0}).throttled, false);
  for (const std::uint64_t chosen : {0x1U, 0x2U, 0x10U, 0x100U}) {
    EXPECT_EQ(of_masks({chosen, 0}).throttled, false) << chosen;
    EXPECT_EQ(of_masks({chosen, 0}).clock_reasons.size(), 1U) << chosen;
  }
  for (const std::uint64_t kept : {0x4U, 0x8U, 0x20U, 0x40U, 0x80U})
    EXPECT_EQ(of_masks({0, kept}).throttled, true) << kept;
  EXPECT_FALSE(of_masks({{}, {}}).throttled);
  EXPECT_EQ(of_masks({1ULL << 40, 0}).throttled, false) << "a reason that came after this program";
}

TEST(Telemetry, TakesThrottledTimeFromItsCounter) {
  const std::vector<GpuVisit> visits{two_seconds({.sw_power_cap_ns = 5}, {.sw_power_cap_ns = 1'000'000'005}),
                                     two_seconds({.sw_power_cap_ns = 7}, {.sw_power_cap_ns = 7})};
  const GpuTelemetry t = summarise(visits, {});
  EXPECT_EQ(t.throttle_time_s, (std::map<std::string, double>{{"sw_power_cap", 1.0}}));
  const auto reasons = throttling_reasons(t);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].word, "sw_power_cap");
  EXPECT_DOUBLE_EQ(reasons[0].share, 0.25);
  EXPECT_TRUE(reasons[0].counted);
  EXPECT_EQ(t.throttled, true);
}

TEST(Telemetry, PrefersCountedTimeToReadings) {
  const auto of = [](std::uint64_t mask, std::uint64_t power_cap_ns) {
    return summarise(std::vector{two_seconds({.clock_reasons = mask, .sw_power_cap_ns = 0},
                                             {.clock_reasons = mask, .sw_power_cap_ns = power_cap_ns})},
                     {});
  };
  EXPECT_EQ(of(0x4, 0).throttled, false) << "at the limit at both readings, and never in between";
  EXPECT_EQ(of(0x4, 20'000'000).throttled, false) << "1 % of 2 s";
  EXPECT_EQ(of(0x4, 20'000'001).throttled, true);
  EXPECT_EQ(of(0x0, 1'000'000'000).throttled, true) << "no reading shows it";
  EXPECT_EQ(of(0x20, 0).throttled, true) << "temperature has no counter here: the readings decide";
}

TEST(Telemetry, UsesReadingsWhenACounterWasReset) {
  const GpuTelemetry t = summarise(std::vector{two_seconds({.clock_reasons = 0x4, .sw_power_cap_ns = 9},
                                                           {.clock_reasons = 0x4, .sw_power_cap_ns = 1})},
                                   {});
  EXPECT_TRUE(t.throttle_time_s.empty());
  EXPECT_EQ(t.throttled, true);
}

TEST(Telemetry, IsUnknownWithCountersButWithoutReadings) {
  const auto of = [](std::uint64_t power_cap_ns) {
    return summarise(std::vector{two_seconds({.sw_power_cap_ns = 0}, {.sw_power_cap_ns = power_cap_ns})}, {}).throttled;
  };
  EXPECT_EQ(of(1'000'000'000), true);
  EXPECT_FALSE(of(0)) << "temperature may have";
}

TEST(Telemetry, NamesItsMeasureOfThrottling) {
  const GpuTelemetry counted{.span_s = 4, .throttle_time_s = {{"sw_power_cap", 3.8}, {"sync_boost", 4}}};
  const GpuTelemetry read{.clock_reasons = {{"sw_power_cap", 0.5}}}, none;
  EXPECT_EQ(throttling(std::vector{counted, none}),
            "throttled: sw_power_cap (on 1 of 2 ranks, for up to 95 % of the time)");
  EXPECT_EQ(throttling(std::vector{counted, read}),
            "throttled: sw_power_cap (on 2 of 2 ranks, for up to 95 % of the time, in up to 50 % of readings)");
}

TEST(Telemetry, IsThrottledByOneRankAndCleanByAll) {
  const GpuTelemetry yes{.throttled = true}, no{.throttled = false}, unknown;
  EXPECT_EQ(throttled(std::vector{no, yes, unknown}), true);
  EXPECT_EQ(throttled(std::vector{no, no}), false);
  EXPECT_FALSE(throttled(std::vector{no, unknown}));
  const GpuTelemetry capped{.clock_reasons = {{"gpu_idle", 1.0}, {"sw_power_cap", 0.25}}, .throttled = true};
  EXPECT_EQ(throttling(std::vector{no, capped}),
            "throttled: sw_power_cap (on 1 of 2 ranks, in up to 25 % of readings)");
  EXPECT_EQ(throttling(std::vector{no, no}), "");
  EXPECT_FALSE(throttled({}));
}

/// Gives out made-up readings, one after the other.
class MadeUp final : public GpuProbe {
 public:
  [[nodiscard]] GpuReading read() const override {
    ++readings;
    return {.power_W = 100.0 * readings,
            .at_ns = 1'000'000 * readings,
            .nvlink_tx_bytes = static_cast<std::uint64_t>(readings * readings)};
  }
  [[nodiscard]] GpuLimits limits() const override { return {.uuid = "GPU-7"}; }
  mutable int readings = 0;
};

TEST(TelemetryMeter, TakesTwoReadingsPerVisit) {
  const MadeUp gpu;
  TelemetryMeter meter(&gpu);
  EXPECT_EQ(meter.summary().readings, 0U);
  for (int visit = 0; visit < 2; ++visit) {
    meter.begin_visit();
    meter.end_visit(5);
  }
  const GpuTelemetry t = meter.summary();
  EXPECT_EQ(gpu.readings, 4);
  EXPECT_EQ(t.readings, 4U);
  EXPECT_EQ(t.uuid, "GPU-7");
  EXPECT_EQ(t.power_W.value().max, 400);
  EXPECT_EQ(t.nvlink_tx_bytes, (4U - 1U) + (16U - 9U));
  EXPECT_EQ(t.calls, 10U);
  EXPECT_DOUBLE_EQ(t.span_s.value(), 2e-3);
}

TEST(TelemetryMeter, IsEmptyWithoutAGpu) {
  TelemetryMeter meter(nullptr);
  meter.begin_visit();
  meter.end_visit(5);
  EXPECT_EQ(meter.summary().readings, 0U);
  EXPECT_FALSE(meter.summary().uuid);
}

TEST(AddTelemetry, GivesEveryRankTheRowsOfAll) {
  run_ranks(3, [](Group& group, Backend&) {
    CaseRecord record;
    GpuTelemetry mine{.uuid = "GPU-" + std::to_string(group.rank()),
                      .readings = 2,
                      .power_W = Spread{.min = 1, .median = 2, .max = 3},
                      .clock_reasons = {{.reason = "sw_power_cap", .share = 0.5}},
                      .throttled = group.rank() == 1};
    add_telemetry(group, mine, record);
    ASSERT_EQ(record.telemetry.size(), 3U);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(record.telemetry[r].uuid, "GPU-" + std::to_string(r));
    EXPECT_EQ(record.telemetry[2].power_W.value().median, 2);
    EXPECT_EQ(record.telemetry[2].clock_reasons.at(0).share, 0.5);
    EXPECT_EQ(record.throttled, true);
  });
}

TEST(AddTelemetry, AddsAnEmptyRowForARankWithoutGpu) {
  run_ranks(2, [](Group& group, Backend&) {
    CaseRecord record;
    GpuTelemetry mine;
    if (group.rank() == 1) mine = {.uuid = "GPU-1", .readings = 2, .throttled = false};
    add_telemetry(group, mine, record);
    ASSERT_EQ(record.telemetry.size(), 2U);
    EXPECT_FALSE(record.telemetry[0].uuid);
    EXPECT_EQ(record.telemetry[1].uuid, "GPU-1");
    EXPECT_FALSE(record.throttled);
  });
}

TEST(AddTelemetry, AddsNoRowsWithoutGpus) {
  run_ranks(2, [](Group& group, Backend&) {
    CaseRecord record;
    add_telemetry(group, {}, record);
    EXPECT_TRUE(record.telemetry.empty());
    EXPECT_FALSE(record.throttled);
  });
}

}  // namespace
}  // namespace busbar::test
