// SPDX-License-Identifier: Apache-2.0
#include "core/record/telemetry.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double least_throttled_share = 0.01;  ///< of the time; see throttling_reasons()

constexpr std::array<ClockReason, 9> reasons{
    {{.bit = 0x1, .word = "gpu_idle", .throttles = false, .time_ns = nullptr},
     {.bit = 0x2, .word = "applications_clocks_setting", .throttles = false, .time_ns = nullptr},
     {.bit = 0x4, .word = "sw_power_cap", .throttles = true, .time_ns = &GpuReading::sw_power_cap_ns},
     {.bit = 0x8, .word = "hw_slowdown", .throttles = true, .time_ns = nullptr},
     {.bit = 0x10, .word = "sync_boost", .throttles = false, .time_ns = &GpuReading::sync_boost_ns},
     {.bit = 0x20, .word = "sw_thermal_slowdown", .throttles = true, .time_ns = &GpuReading::sw_thermal_slowdown_ns},
     {.bit = 0x40, .word = "hw_thermal_slowdown", .throttles = true, .time_ns = &GpuReading::hw_thermal_slowdown_ns},
     {.bit = 0x80,
      .word = "hw_power_brake_slowdown",
      .throttles = true,
      .time_ns = &GpuReading::hw_power_brake_slowdown_ns},
     {.bit = 0x100, .word = "display_clock_setting", .throttles = false, .time_ns = nullptr}}};

using Number = std::optional<double> GpuReading::*;
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

/// Growth of a counter over visits. Empty if it ever decreased: it was reset or wrapped an unknown number of times.
std::optional<std::uint64_t> growth(std::span<const GpuVisit> visits, GpuCounter count) {
  std::uint64_t sum = 0;
  for (const GpuVisit& v : visits) {
    const auto& before = v.before.*count;
    const auto& after = v.after.*count;
    if (!before || !after || *after < *before) return std::nullopt;
    sum += *after - *before;
  }
  return visits.empty() ? std::nullopt : std::optional(sum);
}

std::optional<double> scaled_growth(std::span<const GpuVisit> visits, GpuCounter count, double unit) {
  const auto sum = growth(visits, count);
  return sum ? std::optional(static_cast<double>(*sum) * unit) : std::nullopt;
}

double span_of(std::span<const GpuVisit> visits) {
  double sum_s = 0;
  for (const GpuVisit& v : visits) sum_s += static_cast<double>(v.after.at_ns - v.before.at_ns) * 1e-9;
  return sum_s;
}

std::uint64_t calls_of(std::span<const GpuVisit> visits) {
  std::uint64_t sum = 0;
  for (const GpuVisit& v : visits) sum += v.calls;
  return sum;
}

std::map<std::string, double> throttle_time(std::span<const GpuVisit> visits) {
  std::map<std::string, double> by_reason;
  for (const ClockReason& reason : reasons)
    if (reason.time_ns != nullptr)
      if (const auto time_s = scaled_growth(visits, reason.time_ns, 1e-9)) by_reason.emplace(reason.word, *time_s);
  return by_reason;
}

/// Sets `clock_reasons` and `throttled`. Requires the time counters.
void judge_clocks(std::span<const GpuReading> readings, GpuTelemetry& t) {
  std::vector<std::uint64_t> masks;
  for (const GpuReading& r : readings)
    if (r.clock_reasons) masks.push_back(*r.clock_reasons);
  for (const ClockReason& reason : reasons) {
    const auto seen = std::ranges::count_if(masks, [&](std::uint64_t mask) { return (mask & reason.bit) != 0; });
    if (seen > 0)
      t.clock_reasons.push_back(
          {.reason = std::string(reason.word), .share = static_cast<double>(seen) / static_cast<double>(masks.size())});
  }
  if (!throttling_reasons(t).empty())
    t.throttled = true;
  else if (!masks.empty())
    t.throttled = false;  // counters alone do not cover every reason
}

/// Throttling of this GPU by `reason`, if any.
std::optional<ThrottlingReason> throttling_by(const ClockReason& reason, const GpuTelemetry& gpu) {
  const auto time = gpu.throttle_time_s.find(std::string(reason.word));
  if (time != gpu.throttle_time_s.end() && gpu.span_s && *gpu.span_s > 0) {
    const double share = time->second / *gpu.span_s;
    if (share <= least_throttled_share) return std::nullopt;
    return ThrottlingReason{.word = reason.word, .share = std::min(share, 1.0), .counted = true};
  }
  const auto seen = std::ranges::find(gpu.clock_reasons, reason.word, &ReasonShare::reason);
  if (seen == gpu.clock_reasons.end()) return std::nullopt;
  return ThrottlingReason{.word = reason.word, .share = seen->share, .counted = false};
}

/// "for up to 95 % of the time", "in up to 40 % of readings", or both if ranks have different counters.
std::string most_throttled(std::span<const ThrottlingReason> of_ranks) {
  std::string text;
  for (const bool counted : {true, false}) {
    double most = 0;
    for (const ThrottlingReason& r : of_ranks)
      if (r.counted == counted) most = std::max(most, r.share);
    if (most > 0)
      text += fmt::format("{}{} up to {:.0f} % of {}", text.empty() ? "" : ", ", counted ? "for" : "in", 100 * most,
                          counted ? "the time" : "readings");
  }
  return text;
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
                 .span_s = span_of(visits),
                 .calls = calls_of(visits),
                 .energy_J = scaled_growth(visits, &GpuReading::energy_mJ, 1e-3),
                 .throttle_time_s = throttle_time(visits),
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

std::vector<ThrottlingReason> throttling_reasons(const GpuTelemetry& gpu) {
  std::vector<ThrottlingReason> all;
  for (const ClockReason& reason : reasons)
    if (const auto limiting = reason.throttles ? throttling_by(reason, gpu) : std::nullopt) all.push_back(*limiting);
  return all;
}

std::string throttling(std::span<const GpuTelemetry> ranks) {
  std::string text;
  for (const ClockReason& reason : reasons) {
    std::vector<ThrottlingReason> of_ranks;
    for (const GpuTelemetry& rank : ranks)
      if (const auto limiting = reason.throttles ? throttling_by(reason, rank) : std::nullopt)
        of_ranks.push_back(*limiting);
    if (!of_ranks.empty())
      text += fmt::format("{}{} (on {} of {}, {})", text.empty() ? "throttled: " : ", ", reason.word, of_ranks.size(),
                          plural(ranks.size(), "rank"), most_throttled(of_ranks));
  }
  return text;
}

std::optional<EnergyPerCall> energy_per_call(const GpuTelemetry& gpu) {
  if (!gpu.energy_J || gpu.calls.value_or(0) == 0 || gpu.span_s.value_or(0) <= 0) return std::nullopt;
  const double visits = static_cast<double>(gpu.readings) / 2;
  const double error_share = energy_update_s * visits / *gpu.span_s;
  if (error_share > most_energy_error_share) return std::nullopt;
  return EnergyPerCall{.energy_J = *gpu.energy_J / static_cast<double>(*gpu.calls), .error_share = error_share};
}

std::vector<const GpuTelemetry*> each_gpu(std::span<const GpuTelemetry> ranks) {
  std::vector<const GpuTelemetry*> all;
  std::set<std::string> seen;
  for (const GpuTelemetry& rank : ranks)
    if (rank.readings > 0 && (!rank.uuid || seen.insert(*rank.uuid).second)) all.push_back(&rank);
  return all;
}

std::optional<EnergyPerCall> energy_per_call(std::span<const GpuTelemetry> ranks) {
  const auto gpus = each_gpu(ranks);
  EnergyPerCall all;
  for (const GpuTelemetry* gpu : gpus) {
    const auto its_energy = energy_per_call(*gpu);
    if (!its_energy) return std::nullopt;
    all.energy_J += its_energy->energy_J;
    all.error_share = std::max(all.error_share, its_energy->error_share);
  }
  return gpus.empty() ? std::nullopt : std::optional(all);
}

void TelemetryMeter::begin_visit() {
  if (gpu_ != nullptr) before_ = gpu_->read();
}

void TelemetryMeter::end_visit(std::uint64_t calls) {
  if (gpu_ != nullptr) visits_.push_back({.before = before_, .after = gpu_->read(), .calls = calls});
}

GpuTelemetry TelemetryMeter::summary() const {
  return gpu_ != nullptr ? summarise(visits_, gpu_->limits()) : GpuTelemetry{};
}

}  // namespace busbar
