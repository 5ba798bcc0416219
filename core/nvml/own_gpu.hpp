// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/record/telemetry.hpp"

namespace busbar::nvml {

/// The GPU that this rank measures with, for a TelemetryMeter. `uuid` as nvidia-smi -L shows it; `bus`, its PCI
/// address, where NVML does not know that (an instance of MIG: then its whole GPU is read). Null, and nothing is
/// opened, where there is neither; null too without NVML, or where it has no such GPU.
[[nodiscard]] std::unique_ptr<GpuProbe> open_gpu(const std::optional<std::string>& uuid,
                                                 const std::optional<std::string>& bus);

}  // namespace busbar::nvml
