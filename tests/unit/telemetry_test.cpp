// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry.hpp"

#include <gtest/gtest.h>

#include "core/job/telemetry.hpp"
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

TEST(Telemetry, SpreadsAreOverAllReadingsThatTell) {
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

TEST(Telemetry, BytesAreSummedOverVisitsAndNotBetweenThem) {
  const std::vector<GpuVisit> visits{with(100, 150), with(1000, 1007)};
  EXPECT_EQ(summarise(visits, {}).nvlink_tx_bytes, 57U);
  EXPECT_FALSE(summarise(visits, {}).nvlink_rx_bytes);
}

TEST(Telemetry, ACounterThatWasResetOrMissingLeavesNoSum) {
  EXPECT_FALSE(summarise(std::vector{with(100, 150), with(200, 10)}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise(std::vector{with(100, 150), with({}, 10)}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise(std::vector{with(100, {})}, {}).nvlink_tx_bytes);
  EXPECT_FALSE(summarise({}, {}).nvlink_tx_bytes);
  EXPECT_EQ(summarise(std::vector{with(7, 7)}, {}).nvlink_tx_bytes, 0U);
}

TEST(Telemetry, ErrorsDuringTheCaseAreNotThoseBeforeIt) {
  const std::vector<GpuVisit> visits{
      {.before = {.ecc_corrected = 40, .ecc_uncorrected = 1}, .after = {.ecc_corrected = 43, .ecc_uncorrected = 1}}};
  EXPECT_EQ(summarise(visits, {}).ecc_corrected, 3U);
  EXPECT_EQ(summarise(visits, {}).ecc_uncorrected, 0U);
}

TEST(Telemetry, TheLinkIsTheBestThatWasNegotiated) {
  const std::vector<GpuVisit> visits{{.before = {.pcie_gen = 1, .pcie_width = 8}, .after = {.pcie_gen = 4}}};
  EXPECT_EQ(summarise(visits, {}).pcie_gen, 4);
  EXPECT_EQ(summarise(visits, {}).pcie_width, 8);
}

TEST(Telemetry, ReasonsComeWithTheShareOfReadings) {
  const GpuTelemetry t = of_masks({0x4, 0x0, 0x5, {}, 0x1, 0x1});
  ASSERT_EQ(words(t), (std::vector<std::string>{"gpu_idle", "sw_power_cap"}));
  EXPECT_DOUBLE_EQ(t.clock_reasons[0].share, 3.0 / 5);
  EXPECT_DOUBLE_EQ(t.clock_reasons[1].share, 2.0 / 5);
}

TEST(Telemetry, ThrottledMeansPowerTemperatureOrSupply) {
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

TEST(Telemetry, OfAllRanksOneIsEnoughAndAllAreNeeded) {
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
    return {.power_W = 100.0 * readings, .nvlink_tx_bytes = static_cast<std::uint64_t>(readings * readings)};
  }
  [[nodiscard]] GpuLimits limits() const override { return {.uuid = "GPU-7"}; }
  mutable int readings = 0;
};

TEST(TelemetryMeter, TakesTwoReadingsAVisit) {
  const MadeUp gpu;
  TelemetryMeter meter(&gpu);
  EXPECT_EQ(meter.summary().readings, 0U);
  for (int visit = 0; visit < 2; ++visit) {
    meter.begin_visit();
    meter.end_visit();
  }
  const GpuTelemetry t = meter.summary();
  EXPECT_EQ(gpu.readings, 4);
  EXPECT_EQ(t.readings, 4U);
  EXPECT_EQ(t.uuid, "GPU-7");
  EXPECT_EQ(t.power_W.value().max, 400);
  EXPECT_EQ(t.nvlink_tx_bytes, (4U - 1U) + (16U - 9U));
}

TEST(TelemetryMeter, WithoutAGpuKnowsNothing) {
  TelemetryMeter meter(nullptr);
  meter.begin_visit();
  meter.end_visit();
  EXPECT_EQ(meter.summary().readings, 0U);
  EXPECT_FALSE(meter.summary().uuid);
}

TEST(AddTelemetry, EveryRankHasTheRowsOfAll) {
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

TEST(AddTelemetry, ARankWithoutAGpuHasAnEmptyRow) {
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

TEST(AddTelemetry, WhereNoRankHasAGpuThereAreNoRows) {
  run_ranks(2, [](Group& group, Backend&) {
    CaseRecord record;
    add_telemetry(group, {}, record);
    EXPECT_TRUE(record.telemetry.empty());
    EXPECT_FALSE(record.throttled);
  });
}

}  // namespace
}  // namespace busbar::test
