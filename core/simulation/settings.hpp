// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace busbar {

/// Simulators speak where they cannot go on, and not otherwise.
void quieten();

/// Settings of SimGrid, by name.
using SimGridSettings = std::map<std::string, std::string>;

/// Those of the user, and what has to stand before a platform is loaded. An Engine exists. Throws UsageError for what
/// SimGrid does not know.
void set_before_platform(const SimGridSettings& users);

/// What a simulation of busbar's has where neither the platform file nor the user has said otherwise. SMPI has not
/// begun. Gives all settings that were made but for those in the file.
[[nodiscard]] SimGridSettings set_after_platform(SimGridSettings users);

/// "3.32"
[[nodiscard]] std::string simgrid_version();

}  // namespace busbar
