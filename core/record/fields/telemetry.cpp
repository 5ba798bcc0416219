// SPDX-License-Identifier: Apache-2.0
#include "core/record/telemetry.hpp"

#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field gpu_telemetry_fields[] = {
    field<&GpuTelemetry::uuid>("uuid", "UUID of the GPU; null if the rank has no GPU that NVML knows."),
    field<&GpuTelemetry::readings>("readings", "Number of readings: one before and one after each visit."),
    field<&GpuTelemetry::sm_clock_MHz>("sm_clock_MHz", "SM clock, in MHz."),
    field<&GpuTelemetry::memory_clock_MHz>("memory_clock_MHz", "Memory clock, in MHz."),
    field<&GpuTelemetry::power_W>("power_W", "Power drawn, in W."),
    field<&GpuTelemetry::temperature_C>("temperature_C", "Temperature of the GPU, in degrees Celsius."),
    field<&GpuTelemetry::busy_percent>(
        "busy_percent",
        "GPU utilisation: share of the driver's last sample period in which a kernel ran, in per cent."),
    field<&GpuTelemetry::sm_clock_max_MHz>("sm_clock_max_MHz", "Maximum SM clock, in MHz."),
    field<&GpuTelemetry::memory_clock_max_MHz>("memory_clock_max_MHz", "Maximum memory clock, in MHz."),
    field<&GpuTelemetry::power_limit_W>("power_limit_W", "Enforced power limit, in W."),
    field<&GpuTelemetry::clock_reasons>(
        "clock_reasons",
        "Why clocks were below their maximum, as reported by NVML; empty: no reason observed, or unknown."),
    field<&GpuTelemetry::throttled>("throttled",
                                    "Power, temperature or supply throttled the GPU: for more than 1 % of span_s by a "
                                    "counter, or in any reading for a reason without a counter; null if unknown."),
    field<&GpuTelemetry::span_s>("span_s",
                                 "Time from the reading before each visit to the reading after it, in seconds, summed "
                                 "over visits; null without a GPU, or in a record of an earlier version.")
        .later(),
    field<&GpuTelemetry::calls>("calls",
                                "Number of this rank's calls between these readings, including warm-up and checks; for "
                                "training: steps. null without a GPU, or in a record of an earlier version.")
        .later(),
    field<&GpuTelemetry::energy_J>("energy_J",
                                   "Energy of the GPU by its counter, in joules, summed over visits including their "
                                   "warm-up; null if not supported, or if the counter was reset.")
        .later(),
    field<&GpuTelemetry::throttle_time_s>(
        "throttle_time_s",
        "Time during span_s in which each reason limited the clocks, by NVML's counters, in seconds. Omits reasons "
        "without a counter. Empty if not supported.")
        .later(),
    field<&GpuTelemetry::nvlink_tx_bytes>(
        "nvlink_tx_bytes", "Bytes sent over NVLink, payload of all links, summed over visits including their warm-up."),
    field<&GpuTelemetry::nvlink_rx_bytes>("nvlink_rx_bytes", "Bytes received over NVLink."),
    field<&GpuTelemetry::pcie_tx_bytes>("pcie_tx_bytes",
                                        "Bytes sent over PCIe; also null if the driver counts in 32 bits."),
    field<&GpuTelemetry::pcie_rx_bytes>("pcie_rx_bytes", "Bytes received over PCIe."),
    field<&GpuTelemetry::ecc_corrected>("ecc_corrected", "Number of corrected memory errors during the visits."),
    field<&GpuTelemetry::ecc_uncorrected>("ecc_uncorrected", "Number of uncorrected memory errors during the visits."),
    field<&GpuTelemetry::pcie_gen>("pcie_gen", "PCIe generation; maximum over readings.").at_least(1),
    field<&GpuTelemetry::pcie_width>("pcie_width", "Number of PCIe lanes; maximum over readings.").at_least(1),
    field<&GpuTelemetry::pcie_gen_max>("pcie_gen_max", "Maximum PCIe generation.").at_least(1),
    field<&GpuTelemetry::pcie_width_max>("pcie_width_max", "Maximum number of PCIe lanes.").at_least(1),
    field<&GpuTelemetry::nvlinks>("nvlinks", "Number of active NVLinks."),
    field<&GpuTelemetry::nvlink_version>("nvlink_version", "Version of its NVLinks, e.g. 4.0."),
};
constexpr Part gpu_telemetry_part{
    "gpu_telemetry", "Telemetry of one rank's GPU during the visits of a case, from NVML.", gpu_telemetry_fields};

constexpr Field spread_fields[] = {
    field<&Spread::min>("min", "Minimum.").of_any_sign(),
    field<&Spread::median>("median", "Median.").of_any_sign(),
    field<&Spread::max>("max", "Maximum.").of_any_sign(),
};
constexpr Part spread_part{"spread", "Minimum, median and maximum over readings, in the unit of the key.",
                           spread_fields};

constexpr Field reason_share_fields[] = {
    field<&ReasonShare::reason>(
        "reason",
        "gpu_idle, applications_clocks_setting, sw_power_cap, hw_slowdown, sync_boost, sw_thermal_slowdown, "
        "hw_thermal_slowdown, hw_power_brake_slowdown, display_clock_setting."),
    field<&ReasonShare::share>("share", "Fraction of the readings that include reasons, 0 to 1.").at_most(1),
};
constexpr Part reason_share_part{"reason_share", "A reason and how often it applied.", reason_share_fields};

}  // namespace

const Part& part_of(const GpuTelemetry* /*type*/) { return gpu_telemetry_part; }
const Part& part_of(const Spread* /*type*/) { return spread_part; }
const Part& part_of(const ReasonShare* /*type*/) { return reason_share_part; }

}  // namespace busbar
