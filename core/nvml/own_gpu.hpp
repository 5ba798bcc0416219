// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/record/telemetry.hpp"

namespace busbar::nvml {

/// The GPU of this rank, for a TelemetryMeter. `uuid` as printed by nvidia-smi -L. `bus` (PCI address) is used if NVML
/// does not know the uuid: for a MIG instance it selects the whole GPU. Null if both are empty (then NVML is not
/// opened), without NVML, or if it has no such GPU.
[[nodiscard]] std::unique_ptr<GpuProbe> open_gpu(const std::optional<std::string>& uuid,
                                                 const std::optional<std::string>& bus);

}  // namespace busbar::nvml
