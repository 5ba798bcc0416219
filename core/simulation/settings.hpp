// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace busbar {

/// Limits SimGrid's log to critical errors.
void quieten();

/// Settings of SimGrid, by name.
using SimGridSettings = std::map<std::string, std::string>;

/// Applies the user's settings and those that must precede loading a platform. Requires an Engine. Throws UsageError
/// for settings that SimGrid rejects.
void set_before_platform(const SimGridSettings& users);

/// Applies busbar's defaults where neither the platform file nor the user has set a value. Call it before SMPI_init().
/// Returns all settings except those in the file.
[[nodiscard]] SimGridSettings set_after_platform(SimGridSettings users);

/// "3.32"
[[nodiscard]] std::string simgrid_version();

}  // namespace busbar
