// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a GPU did while a case was measured, made of single readings. Nothing here asks a GPU (core/nvml/device.hpp
/// does): it is arithmetic. What is not known is empty, never 0.
namespace busbar {

/// One look at a GPU. Counters are since the driver was loaded.
struct GpuReading {
  std::optional<double> sm_clock_MHz, memory_clock_MHz, power_W, temperature_C;
  std::optional<double> busy_percent;  ///< of the driver's last sample period, 1/6 to 1 s, in which any kernel ran
  std::optional<std::uint64_t> clock_reasons;                     ///< a sum of ClockReason::bit
  std::optional<int> pcie_gen, pcie_width;                        ///< negotiated; an idle GPU may lower its generation
  std::int64_t at_ns = 0;                                         ///< by steady_ns(), right before the counters
  std::optional<std::uint64_t> energy_mJ;                         ///< of this GPU
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes;  ///< payload, all links
  std::optional<std::uint64_t> pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  /// Time in which a reason limited the clocks, see ClockReason::time_ns.
  std::optional<std::uint64_t> sw_power_cap_ns, sync_boost_ns, sw_thermal_slowdown_ns, hw_thermal_slowdown_ns,
      hw_power_brake_slowdown_ns;
};

/// A counter of a GpuReading.
using GpuCounter = std::optional<std::uint64_t> GpuReading::*;

/// Why a GPU's clocks are not as high as they could be: a bit of NVML's "clocks event reasons" (formerly "clocks
/// throttle reasons"), NVML API Reference, nvmlClocksEventReasons.
struct ClockReason {
  std::uint64_t bit;
  std::string_view word;
  bool throttles;      ///< see clock_reasons()
  GpuCounter time_ns;  ///< for how long it limited the clocks; null: NVML does not count it
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
  std::uint64_t calls = 0;  ///< between the two, warm-up calls included; training: steps
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
  std::optional<bool> throttled;           ///< see throttling_reasons(); empty: not known
  /// Time and calls between the two readings of each visit, summed over visits; training: steps. What the sums below
  /// are to be divided by. Empty: a record of an earlier version.
  std::optional<double> span_s;
  std::optional<std::uint64_t> calls;
  /// Sums over visits, with their warm-up calls. Empty where a counter was not there or went backwards once.
  std::optional<double> energy_J;
  std::map<std::string, double> throttle_time_s;  ///< by ClockReason::word; reasons without a counter are not in it
  std::optional<std::uint64_t> nvlink_tx_bytes, nvlink_rx_bytes, pcie_tx_bytes, pcie_rx_bytes;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  std::optional<int> pcie_gen, pcie_width;  ///< the highest that was read
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;
  std::optional<std::string> nvlink_version;
};

/// What the readings of a case come to.
[[nodiscard]] GpuTelemetry summarise(std::span<const GpuVisit> visits, const GpuLimits& limits);

/// A ClockReason with `throttles` that limited the clocks of one GPU during a case.
struct ThrottlingReason {
  std::string_view word;
  double share = 0;      ///< 0 to 1: of the time of the visits where that is counted, of the readings otherwise
  bool counted = false;  ///< by NVML's time counter
};

/// A reason with a time counter limited the clocks if it did so for more than 1 % of the time: GPUs touch their power
/// limit for moments while they find their clock (https://github.com/NVIDIA/DCGM/issues/285), and so little time cannot
/// be told from no throttling in a median. A reason without a counter did so if any reading shows it. In the order of
/// clock_reasons().
[[nodiscard]] std::vector<ThrottlingReason> throttling_reasons(const GpuTelemetry& gpu);

/// Of all ranks: true where any was, empty where none is known to have been and some are not known.
[[nodiscard]] std::optional<bool> throttled(std::span<const GpuTelemetry> ranks);

/// "throttled: sw_power_cap (on 2 of 8 ranks, for up to 95 % of the time)"; empty where no rank was. Reasons in the
/// order of clock_reasons().
[[nodiscard]] std::string throttling(std::span<const GpuTelemetry> ranks);

/// Energy of one GPU per call (training: per step), warm-up calls included: energy_J over calls.
struct EnergyPerCall {
  double energy_J = 0;
  double error_share = 0;  ///< relative, either way: what NVML's counter may be behind at the ends of visits
};

/// NVML updates its energy counter every 20 to 100 ms on newer GPUs (PETSc manual, PetscLogGpuEnergyMeter; ML.ENERGY
/// blog, "Thermally Stable Profiling", says about 100 ms). Not verified here.
inline constexpr double energy_update_s = 0.1;
inline constexpr double most_energy_error_share = 0.25;

/// Empty: not known, or visits so short that the error is above most_energy_error_share.
[[nodiscard]] std::optional<EnergyPerCall> energy_per_call(const GpuTelemetry& gpu);

/// The rows of GPUs that were read, one of each though ranks share it; a row without a uuid is a GPU of its own.
[[nodiscard]] std::vector<const GpuTelemetry*> each_gpu(std::span<const GpuTelemetry> ranks);

/// Of all GPUs of a job together. Empty where that of any GPU is.
[[nodiscard]] std::optional<EnergyPerCall> energy_per_call(std::span<const GpuTelemetry> ranks);

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
  /// Right behind the batch, outside of what is timed. `calls` since begin_visit(), warm-up calls included; training:
  /// steps.
  void end_visit(std::uint64_t calls);
  /// Of all visits so far.
  [[nodiscard]] GpuTelemetry summary() const;

 private:
  const GpuProbe* gpu_;
  std::vector<GpuVisit> visits_;
  GpuReading before_;
};

}  // namespace busbar
