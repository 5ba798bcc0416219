// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// Version of this build, e.g. "0.1.0".
[[nodiscard]] std::string_view version();
/// `git describe` of the sources at build time, with "-dirty" if they had local changes; "unknown" outside git.
[[nodiscard]] std::string_view git_revision();
/// Name and version of the compiler, e.g. "GNU 12.2.0".
[[nodiscard]] std::string_view compiler();
/// CMake build type, e.g. "Release". Measure with no other type.
[[nodiscard]] std::string_view build_type();
/// Why this build lacks the module `name` ("cuda", "nccl", "cudnn"); empty if it has the module.
[[nodiscard]] std::string_view missing_for_module(std::string_view name);

/// Version of the record format that this build writes. It reads this and all older versions, and refuses newer ones.
inline constexpr int schema_version = 1;

}  // namespace busbar
