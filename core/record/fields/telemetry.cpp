// SPDX-License-Identifier: Apache-2.0
#include "core/record/telemetry.hpp"

#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field gpu_telemetry_fields[] = {
    field<&GpuTelemetry::uuid>("uuid", "The GPU; null: the rank has none, or none that NVML knows."),
    field<&GpuTelemetry::readings>("readings", "How often it was looked at: before and after each visit."),
    field<&GpuTelemetry::sm_clock_MHz>("sm_clock_MHz", "Clock of its processors, in MHz."),
    field<&GpuTelemetry::memory_clock_MHz>("memory_clock_MHz", "Clock of its memory, in MHz."),
    field<&GpuTelemetry::power_W>("power_W", "Power drawn, in W."),
    field<&GpuTelemetry::temperature_C>("temperature_C", "Temperature of the GPU, in degrees Celsius."),
    field<&GpuTelemetry::busy_percent>("busy_percent",
                                       "Share of the driver's last sample period in which a kernel ran, in per cent."),
    field<&GpuTelemetry::sm_clock_max_MHz>("sm_clock_max_MHz", "Highest clock of its processors, in MHz."),
    field<&GpuTelemetry::memory_clock_max_MHz>("memory_clock_max_MHz", "Highest clock of its memory, in MHz."),
    field<&GpuTelemetry::power_limit_W>("power_limit_W", "Power limit in force, in W."),
    field<&GpuTelemetry::clock_reasons>(
        "clock_reasons",
        "Why clocks were not as high as they could be, as NVML tells it; empty: no reason was seen, or not known."),
    field<&GpuTelemetry::throttled>(
        "throttled",
        "Power, temperature or the supply held the clocks down: for more than 1 % of span_s by a counter, or at some "
        "reading for a reason without one; null where not known."),
    field<&GpuTelemetry::span_s>("span_s",
                                 "From the reading before each visit to the one behind it, in seconds, summed over "
                                 "visits; null: no GPU, or a record of an earlier version.")
        .later(),
    field<&GpuTelemetry::calls>("calls",
                                "Calls of this rank between these readings, warm-up and checks included; training: "
                                "steps. Null: no GPU, or a record of an earlier version.")
        .later(),
    field<&GpuTelemetry::energy_J>("energy_J",
                                   "Energy of the GPU by its counter, in joules: summed over visits with their "
                                   "warm-up; null: not supported, or the counter was reset.")
        .later(),
    field<&GpuTelemetry::throttle_time_s>("throttle_time_s",
                                          "For how long each reason limited the clocks by NVML's counters, in seconds, "
                                          "over span_s; a reason without a counter is not in it. Empty: not supported.")
        .later(),
    field<&GpuTelemetry::nvlink_tx_bytes>(
        "nvlink_tx_bytes", "Sent over NVLink, payload of all links, in bytes: summed over visits with their warm-up."),
    field<&GpuTelemetry::nvlink_rx_bytes>("nvlink_rx_bytes", "Received over NVLink, in bytes."),
    field<&GpuTelemetry::pcie_tx_bytes>("pcie_tx_bytes",
                                        "Sent over PCIe, in bytes; null also where the driver counts in 32 bits."),
    field<&GpuTelemetry::pcie_rx_bytes>("pcie_rx_bytes", "Received over PCIe, in bytes."),
    field<&GpuTelemetry::ecc_corrected>("ecc_corrected", "Memory errors that were corrected, during the visits."),
    field<&GpuTelemetry::ecc_uncorrected>("ecc_uncorrected",
                                          "Memory errors that were not corrected, during the visits."),
    field<&GpuTelemetry::pcie_gen>("pcie_gen", "PCIe generation: the highest that was read.").at_least(1),
    field<&GpuTelemetry::pcie_width>("pcie_width", "PCIe lanes: the most that were read.").at_least(1),
    field<&GpuTelemetry::pcie_gen_max>("pcie_gen_max", "Highest PCIe generation.").at_least(1),
    field<&GpuTelemetry::pcie_width_max>("pcie_width_max", "Most PCIe lanes.").at_least(1),
    field<&GpuTelemetry::nvlinks>("nvlinks", "NVLinks that are up."),
    field<&GpuTelemetry::nvlink_version>("nvlink_version", "Of its NVLinks, e.g. 4.0."),
};
constexpr Part gpu_telemetry_part{"gpu_telemetry", "What one rank's GPU did during the visits of a case, by NVML.",
                                  gpu_telemetry_fields};

constexpr Field spread_fields[] = {
    field<&Spread::min>("min", "The least.").of_any_sign(),
    field<&Spread::median>("median", "The median.").of_any_sign(),
    field<&Spread::max>("max", "The most.").of_any_sign(),
};
constexpr Part spread_part{"spread", "Over readings, in the unit of the key.", spread_fields};

constexpr Field reason_share_fields[] = {
    field<&ReasonShare::reason>(
        "reason",
        "gpu_idle, applications_clocks_setting, sw_power_cap, hw_slowdown, sync_boost, sw_thermal_slowdown, "
        "hw_thermal_slowdown, hw_power_brake_slowdown, display_clock_setting."),
    field<&ReasonShare::share>("share", "Of the readings that told reasons, 0 to 1.").at_most(1),
};
constexpr Part reason_share_part{"reason_share", "A reason and how often it held.", reason_share_fields};

}  // namespace

const Part& part_of(const GpuTelemetry* /*type*/) { return gpu_telemetry_part; }
const Part& part_of(const Spread* /*type*/) { return spread_part; }
const Part& part_of(const ReasonShare* /*type*/) { return reason_share_part; }

}  // namespace busbar
