// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/fields.hpp"
#include "core/statistics.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

constexpr std::array<ClockReason, 9> reasons{{{.bit = 0x1, .word = "gpu_idle", .throttles = false},
                                              {.bit = 0x2, .word = "applications_clocks_setting", .throttles = false},
                                              {.bit = 0x4, .word = "sw_power_cap", .throttles = true},
                                              {.bit = 0x8, .word = "hw_slowdown", .throttles = true},
                                              {.bit = 0x10, .word = "sync_boost", .throttles = false},
                                              {.bit = 0x20, .word = "sw_thermal_slowdown", .throttles = true},
                                              {.bit = 0x40, .word = "hw_thermal_slowdown", .throttles = true},
                                              {.bit = 0x80, .word = "hw_power_brake_slowdown", .throttles = true},
                                              {.bit = 0x100, .word = "display_clock_setting", .throttles = false}}};

using Number = std::optional<double> GpuReading::*;
using Count = std::optional<std::uint64_t> GpuReading::*;
using Small = std::optional<int> GpuReading::*;

std::optional<Spread> spread(std::span<const GpuReading> readings, Number number) {
  std::vector<double> values;
  for (const GpuReading& r : readings)
    if (r.*number) values.push_back(*(r.*number));
  if (values.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  return Spread{.min = least, .median = median(values), .max = most};
}

std::optional<int> highest(std::span<const GpuReading> readings, Small number) {
  std::optional<int> most;
  for (const GpuReading& r : readings)
    if (r.*number) most = std::max(most.value_or(0), *(r.*number));
  return most;
}

/// A counter that goes backwards was reset or has wrapped: how often nobody knows.
std::optional<std::uint64_t> growth(std::span<const GpuVisit> visits, Count count) {
  std::uint64_t sum = 0;
  for (const GpuVisit& v : visits) {
    const auto& before = v.before.*count;
    const auto& after = v.after.*count;
    if (!before || !after || *after < *before) return std::nullopt;
    sum += *after - *before;
  }
  return visits.empty() ? std::nullopt : std::optional(sum);
}

void judge_clocks(std::span<const GpuReading> readings, GpuTelemetry& t) {
  std::vector<std::uint64_t> masks;
  for (const GpuReading& r : readings)
    if (r.clock_reasons) masks.push_back(*r.clock_reasons);
  if (masks.empty()) return;
  t.throttled = false;
  for (const ClockReason& reason : reasons) {
    const auto seen = std::ranges::count_if(masks, [&](std::uint64_t mask) { return (mask & reason.bit) != 0; });
    if (seen == 0) continue;
    t.clock_reasons.push_back(
        {.reason = std::string(reason.word), .share = static_cast<double>(seen) / static_cast<double>(masks.size())});
    if (reason.throttles) t.throttled = true;
  }
}

}  // namespace

std::span<const ClockReason> clock_reasons() { return reasons; }

GpuTelemetry summarise(std::span<const GpuVisit> visits, const GpuLimits& limits) {
  std::vector<GpuReading> readings;
  for (const GpuVisit& v : visits) {
    readings.push_back(v.before);
    readings.push_back(v.after);
  }
  GpuTelemetry t{.uuid = limits.uuid,
                 .readings = readings.size(),
                 .sm_clock_MHz = spread(readings, &GpuReading::sm_clock_MHz),
                 .memory_clock_MHz = spread(readings, &GpuReading::memory_clock_MHz),
                 .power_W = spread(readings, &GpuReading::power_W),
                 .temperature_C = spread(readings, &GpuReading::temperature_C),
                 .busy_percent = spread(readings, &GpuReading::busy_percent),
                 .sm_clock_max_MHz = limits.sm_clock_max_MHz,
                 .memory_clock_max_MHz = limits.memory_clock_max_MHz,
                 .power_limit_W = limits.power_limit_W,
                 .nvlink_tx_bytes = growth(visits, &GpuReading::nvlink_tx_bytes),
                 .nvlink_rx_bytes = growth(visits, &GpuReading::nvlink_rx_bytes),
                 .pcie_tx_bytes = growth(visits, &GpuReading::pcie_tx_bytes),
                 .pcie_rx_bytes = growth(visits, &GpuReading::pcie_rx_bytes),
                 .ecc_corrected = growth(visits, &GpuReading::ecc_corrected),
                 .ecc_uncorrected = growth(visits, &GpuReading::ecc_uncorrected),
                 .pcie_gen = highest(readings, &GpuReading::pcie_gen),
                 .pcie_width = highest(readings, &GpuReading::pcie_width),
                 .pcie_gen_max = limits.pcie_gen_max,
                 .pcie_width_max = limits.pcie_width_max,
                 .nvlinks = limits.nvlinks,
                 .nvlink_version = limits.nvlink_version};
  judge_clocks(readings, t);
  return t;
}

std::optional<bool> throttled(std::span<const GpuTelemetry> ranks) {
  if (std::ranges::any_of(ranks, [](const auto& r) { return r.throttled == true; })) return true;
  if (ranks.empty() || std::ranges::any_of(ranks, [](const auto& r) { return !r.throttled; })) return std::nullopt;
  return false;
}

std::string throttling(std::span<const GpuTelemetry> ranks) {
  std::string text;
  for (const ClockReason& reason : clock_reasons()) {
    int seen = 0;
    double most = 0;
    for (const GpuTelemetry& rank : ranks)
      for (const ReasonShare& share : rank.clock_reasons)
        if (reason.throttles && share.reason == reason.word) {
          ++seen;
          most = std::max(most, share.share);
        }
    if (seen > 0)
      text += fmt::format("{}{} (on {} of {}, in up to {:.0f} % of readings)", text.empty() ? "throttled: " : ", ",
                          reason.word, seen, plural(ranks.size(), "rank"), 100 * most);
  }
  return text;
}

void TelemetryMeter::begin_visit() {
  if (gpu_ != nullptr) before_ = gpu_->read();
}

void TelemetryMeter::end_visit() {
  if (gpu_ != nullptr) visits_.push_back({.before = before_, .after = gpu_->read()});
}

GpuTelemetry TelemetryMeter::summary() const {
  return gpu_ != nullptr ? summarise(visits_, gpu_->limits()) : GpuTelemetry{};
}

// In JSON

static constexpr auto fields(const Spread*) {
  return std::tuple(std::pair("min", &Spread::min), std::pair("median", &Spread::median),
                    std::pair("max", &Spread::max));
}
static constexpr auto fields(const ReasonShare*) {
  return std::tuple(std::pair("reason", &ReasonShare::reason), std::pair("share", &ReasonShare::share));
}
static constexpr auto fields(const GpuTelemetry*) {
  using T = GpuTelemetry;
  return std::tuple(std::pair("uuid", &T::uuid), std::pair("readings", &T::readings),
                    std::pair("sm_clock_MHz", &T::sm_clock_MHz), std::pair("memory_clock_MHz", &T::memory_clock_MHz),
                    std::pair("power_W", &T::power_W), std::pair("temperature_C", &T::temperature_C),
                    std::pair("busy_percent", &T::busy_percent), std::pair("sm_clock_max_MHz", &T::sm_clock_max_MHz),
                    std::pair("memory_clock_max_MHz", &T::memory_clock_max_MHz),
                    std::pair("power_limit_W", &T::power_limit_W), std::pair("clock_reasons", &T::clock_reasons),
                    std::pair("throttled", &T::throttled), std::pair("nvlink_tx_bytes", &T::nvlink_tx_bytes),
                    std::pair("nvlink_rx_bytes", &T::nvlink_rx_bytes), std::pair("pcie_tx_bytes", &T::pcie_tx_bytes),
                    std::pair("pcie_rx_bytes", &T::pcie_rx_bytes), std::pair("ecc_corrected", &T::ecc_corrected),
                    std::pair("ecc_uncorrected", &T::ecc_uncorrected), std::pair("pcie_gen", &T::pcie_gen),
                    std::pair("pcie_width", &T::pcie_width), std::pair("pcie_gen_max", &T::pcie_gen_max),
                    std::pair("pcie_width_max", &T::pcie_width_max), std::pair("nvlinks", &T::nvlinks),
                    std::pair("nvlink_version", &T::nvlink_version));
}
void to_json(nlohmann::json& j, const GpuTelemetry& t) { busbar::to_json<GpuTelemetry>(j, t); }
void from_json(const nlohmann::json& j, GpuTelemetry& t) { busbar::from_json<GpuTelemetry>(j, t); }

}  // namespace busbar
