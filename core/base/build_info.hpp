// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// Version of this build, e.g. "0.1.0".
[[nodiscard]] std::string_view version();
/// `git describe` of the sources at build time, "-dirty" appended where they differed from it; "unknown" outside git.
[[nodiscard]] std::string_view git_revision();
/// Name and version of the compiler, e.g. "GNU 12.2.0".
[[nodiscard]] std::string_view compiler();
/// CMake build type, e.g. "Release". Anything else is not what one measures with.
[[nodiscard]] std::string_view build_type();
/// Why this build has no module of this name ("cuda", "nccl", "cudnn"), in words; empty where it has one.
[[nodiscard]] std::string_view missing_for_module(std::string_view name);

/// Version of the format that this build writes. It reads this and all older ones and refuses newer ones by name.
inline constexpr int schema_version = 1;

}  // namespace busbar
