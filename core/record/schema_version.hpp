// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace busbar {

/// Version of the format that this build writes. It reads this and all older ones and refuses newer ones by name.
inline constexpr int schema_version = 1;

}  // namespace busbar
