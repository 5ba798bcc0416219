// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What a GPU did while a case was measured, made of single readings. Nothing here asks a GPU (core/nvml/device.hpp
/// does): it is arithmetic. What is not known is empty, never 0.
namespace busbar {

/// Why a GPU's clocks are not as high as they could be: a bit of NVML's "clocks event reasons" (formerly "clocks
/// throttle reasons"), NVML API Reference, nvmlClocksEventReasons.
struct ClockReason {
  std::uint64_t bit;
  std::string_view word;
  bool throttles;  ///< see clock_reasons()
};

/// All that NVML defines, in the order of their bits. `throttles` holds for those in which power, temperature or the
/// supply keep the GPU from the clocks that were asked for: sw_power_cap (at the power limit), hw_slowdown (core clocks
/// halved or less: temperature, power brake, or power drawn too fast), sw_thermal_slowdown (at the highest operating
/// temperature of GPU or memory), hw_thermal_slowdown, hw_power_brake_slowdown (the system's power supply asked for
/// it). Not for those that somebody chose or that say that there is nothing to do: gpu_idle,
/// applications_clocks_setting, sync_boost (follows the slowest GPU of its group, which has reasons of its own),
/// display_clock_setting. NVML says of hw_slowdown that it may also be seen at a change of clocks; so look at the share
/// of readings.
[[nodiscard]] std::span<const ClockReason> clock_reasons();

/// One look at a GPU. Byte and error counts are since the driver was loaded.
struct GpuReading {
  std::optional<double> sm_clock_MHz, memory_clock_MHz, power_W, temperature_C;
  std::optional<double> busy_percent;  ///< of the driver's last sample period, 1/6 to 1 s, in which any kernel ran
  std::optional<std::uint64_t> clock_reasons;                     ///< a sum of ClockReason::bit
  std::optional<int> pcie_gen, pcie_width;                        ///< negotiated; an idle GPU may lower its generation
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes;  ///< payload, all links
  std::optional<std::uint64_t> pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
};

/// What of a GPU does not change from reading to reading.
struct GpuLimits {
  std::optional<std::string> uuid;
  std::optional<double> sm_clock_max_MHz, memory_clock_max_MHz, power_limit_W;
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;  ///< active ones
  std::optional<std::string> nvlink_version;
};

/// Before the warm-up calls of a visit and right behind its batch.
struct GpuVisit {
  GpuReading before, after;
};

/// Over readings; the median of an even number is the mean of the two in the middle.
struct Spread {
  double min = 0, median = 0, max = 0;
};

/// A ClockReason and the share of readings in which it held, 0 to 1, of those that told reasons.
struct ReasonShare {
  std::string reason;
  double share = 0;
};

/// One rank's GPU over a case.
struct GpuTelemetry {
  std::optional<std::string> uuid;  ///< empty: this rank has no GPU, or none that NVML knows
  std::uint64_t readings = 0;
  std::optional<Spread> sm_clock_MHz, memory_clock_MHz, power_W, temperature_C, busy_percent;
  std::optional<double> sm_clock_max_MHz, memory_clock_max_MHz, power_limit_W;
  std::vector<ReasonShare> clock_reasons;  ///< those that were seen, in the order of clock_reasons()
  std::optional<bool> throttled;           ///< some ClockReason with `throttles` was seen; empty: none were told
  /// Sums over visits, with their warm-up calls. Empty where a counter was not there or went backwards once.
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes, pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  std::optional<int> pcie_gen, pcie_width;  ///< the highest that was read
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;
  std::optional<std::string> nvlink_version;
};

/// What the readings of a case come to.
[[nodiscard]] GpuTelemetry summarise(std::span<const GpuVisit> visits, const GpuLimits& limits);

/// Of all ranks: true where any was, empty where none is known to have been and some are not known.
[[nodiscard]] std::optional<bool> throttled(std::span<const GpuTelemetry> ranks);

/// "throttled: sw_power_cap (on 2 of 8 ranks, in up to 95 % of readings)"; empty where no rank was. Reasons in the
/// order of clock_reasons().
[[nodiscard]] std::string throttling(std::span<const GpuTelemetry> ranks);

/// Where readings come from.
class GpuProbe {
 public:
  virtual ~GpuProbe() = default;
  [[nodiscard]] virtual GpuReading read() const = 0;
  [[nodiscard]] virtual GpuLimits limits() const = 0;
};

/// Keeps the readings of one case on one rank.
class TelemetryMeter {
 public:
  /// `gpu` outlives this; null: nothing is read and nothing known.
  explicit TelemetryMeter(const GpuProbe* gpu) : gpu_(gpu) {}

  /// Before the warm-up calls of a visit: what a reading takes must not let the GPU go idle before it is timed.
  void begin_visit();
  /// Right behind the batch, outside of what is timed.
  void end_visit();
  /// Of all visits so far.
  [[nodiscard]] GpuTelemetry summary() const;

 private:
  const GpuProbe* gpu_;
  std::vector<GpuVisit> visits_;
  GpuReading before_;
};

void to_json(nlohmann::json&, const GpuTelemetry&);
void from_json(const nlohmann::json&, GpuTelemetry&);

}  // namespace busbar
