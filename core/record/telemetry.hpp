// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// GPU telemetry of a case, computed from readings. Nothing here accesses a GPU (core/nvml/device.hpp does). Unknown
/// values are empty, never 0.
namespace busbar {

/// One reading of a GPU. Counters count since the driver was loaded.
struct GpuReading {
  std::optional<double> sm_clock_MHz, memory_clock_MHz, power_W, temperature_C;
  std::optional<double> busy_percent;  ///< share of the driver's last sample period (1/6 to 1 s) in which a kernel ran
  std::optional<std::uint64_t> clock_reasons;                     ///< bit mask of ClockReason::bit
  std::optional<int> pcie_gen, pcie_width;                        ///< negotiated; an idle GPU may lower its generation
  std::int64_t at_ns = 0;                                         ///< by steady_ns(), just before the counters
  std::optional<std::uint64_t> energy_mJ;                         ///< of this GPU
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes;  ///< payload, all links
  std::optional<std::uint64_t> pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  /// Time in which a reason limited the clocks; see ClockReason::time_ns.
  std::optional<std::uint64_t> sw_power_cap_ns, sync_boost_ns, sw_thermal_slowdown_ns, hw_thermal_slowdown_ns,
      hw_power_brake_slowdown_ns;
};

/// A counter of a GpuReading.
using GpuCounter = std::optional<std::uint64_t> GpuReading::*;

/// Why a GPU's clocks are below their maximum: a bit of NVML's "clocks event reasons" (formerly "clocks throttle
/// reasons"), NVML API Reference, nvmlClocksEventReasons.
struct ClockReason {
  std::uint64_t bit;
  std::string_view word;
  bool throttles;      ///< see clock_reasons()
  GpuCounter time_ns;  ///< time in which it limited the clocks; null: NVML does not count it
};

/// All reasons that NVML defines, in the order of their bits. `throttles` is true if power, temperature or the supply
/// limit the requested clocks: sw_power_cap (at the power limit), hw_slowdown (core clocks halved or less: temperature,
/// power brake, or power drawn too fast), sw_thermal_slowdown (at the maximum operating temperature of GPU or memory),
/// hw_thermal_slowdown, hw_power_brake_slowdown (requested by the system's power supply). It is false for chosen or
/// idle states: gpu_idle, applications_clocks_setting, sync_boost (follows the slowest GPU of its group, which has its
/// own reasons), display_clock_setting. According to NVML, hw_slowdown may also appear during clock changes, so check
/// its share of readings.
[[nodiscard]] std::span<const ClockReason> clock_reasons();

/// Constant properties of a GPU.
struct GpuLimits {
  std::optional<std::string> uuid;
  std::optional<double> sm_clock_max_MHz, memory_clock_max_MHz, power_limit_W;
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;  ///< active links
  std::optional<std::string> nvlink_version;
};

/// Readings before a visit's warm-up calls and right after its batch.
struct GpuVisit {
  GpuReading before, after;
  std::uint64_t calls = 0;  ///< between the readings, including warm-up; for training: steps
};

/// Spread over readings. The median of an even number is the mean of the middle two.
struct Spread {
  double min = 0, median = 0, max = 0;
};

/// A ClockReason and its share (0 to 1) of the readings that include reasons.
struct ReasonShare {
  std::string reason;
  double share = 0;
};

/// Telemetry of one rank's GPU during a case.
struct GpuTelemetry {
  std::optional<std::string> uuid;  ///< empty if this rank has no GPU that NVML knows
  std::uint64_t readings = 0;
  std::optional<Spread> sm_clock_MHz, memory_clock_MHz, power_W, temperature_C, busy_percent;
  std::optional<double> sm_clock_max_MHz, memory_clock_max_MHz, power_limit_W;
  std::vector<ReasonShare> clock_reasons;  ///< observed reasons, in the order of clock_reasons()
  std::optional<bool> throttled;           ///< see throttling_reasons(); empty: unknown
  /// Time and calls (training: steps) between the two readings of each visit, summed over visits: the denominators of
  /// the sums below. Empty in records of an earlier version.
  std::optional<double> span_s;
  std::optional<std::uint64_t> calls;
  /// Sums over visits, including warm-up calls. Empty if a counter was missing or ever decreased.
  std::optional<double> energy_J;
  std::map<std::string, double> throttle_time_s;  ///< by ClockReason::word; only reasons with a counter
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes, pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  std::optional<int> pcie_gen, pcie_width;  ///< maximum over readings
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;
  std::optional<std::string> nvlink_version;
};

/// Summarises the readings of a case.
[[nodiscard]] GpuTelemetry summarise(std::span<const GpuVisit> visits, const GpuLimits& limits);

/// A throttling ClockReason that limited the clocks of one GPU during a case.
struct ThrottlingReason {
  std::string_view word;
  double share = 0;      ///< 0 to 1: of the visits' time if NVML counts it, otherwise of the readings
  bool counted = false;  ///< NVML has a time counter for it
};

/// Reasons that throttled a GPU, in the order of clock_reasons(). A reason with a time counter must limit the clocks
/// for more than 1 % of the time: GPUs touch their power limit briefly while they adjust their clocks
/// (https://github.com/NVIDIA/DCGM/issues/285), which does not affect a median. A reason without a counter must appear
/// in a reading.
[[nodiscard]] std::vector<ThrottlingReason> throttling_reasons(const GpuTelemetry& gpu);

/// True if any rank was throttled; empty if none is known to have been and some are unknown.
[[nodiscard]] std::optional<bool> throttled(std::span<const GpuTelemetry> ranks);

/// "throttled: sw_power_cap (on 2 of 8 ranks, for up to 95 % of the time)", in the order of clock_reasons(); empty if
/// no rank was throttled.
[[nodiscard]] std::string throttling(std::span<const GpuTelemetry> ranks);

/// Energy of one GPU per call (training: per step), including warm-up: energy_J / calls.
struct EnergyPerCall {
  double energy_J = 0;
  double error_share = 0;  ///< relative, in both directions: lag of NVML's counter at the ends of visits
};

/// NVML updates its energy counter every 20 to 100 ms on newer GPUs (PETSc manual, PetscLogGpuEnergyMeter; ML.ENERGY
/// blog, "Thermally Stable Profiling", says about 100 ms). Not verified here.
inline constexpr double energy_update_s = 0.1;
inline constexpr double most_energy_error_share = 0.25;

/// Empty if unknown, or if visits are so short that the error exceeds most_energy_error_share.
[[nodiscard]] std::optional<EnergyPerCall> energy_per_call(const GpuTelemetry& gpu);

/// One row per GPU with readings, even if ranks share it. Each row without a uuid counts as a separate GPU.
[[nodiscard]] std::vector<const GpuTelemetry*> each_gpu(std::span<const GpuTelemetry> ranks);

/// Total of all GPUs of a job. Empty if that of any GPU is.
[[nodiscard]] std::optional<EnergyPerCall> energy_per_call(std::span<const GpuTelemetry> ranks);

/// Source of readings.
class GpuProbe {
 public:
  virtual ~GpuProbe() = default;
  [[nodiscard]] virtual GpuReading read() const = 0;
  [[nodiscard]] virtual GpuLimits limits() const = 0;
};

/// Collects the readings of one case on one rank.
class TelemetryMeter {
 public:
  /// `gpu` must outlive this. If it is null, nothing is read.
  explicit TelemetryMeter(const GpuProbe* gpu) : gpu_(gpu) {}

  /// Call it before a visit's warm-up calls: during a reading the GPU may go idle.
  void begin_visit();
  /// Call it right after the batch, outside the timed part. `calls`: since begin_visit(), including warm-up; training:
  /// steps.
  void end_visit(std::uint64_t calls);
  /// Summary of all visits so far.
  [[nodiscard]] GpuTelemetry summary() const;

 private:
  const GpuProbe* gpu_;
  std::vector<GpuVisit> visits_;
  GpuReading before_;
};

}  // namespace busbar
