// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// Locates this program and the files installed with it. No path of the build machine is compiled in, so an installed
/// prefix can be moved. A build folder has the same layout (scripts/cmake/Install.cmake).
namespace busbar {

/// Path of the running program. Throws std::filesystem::filesystem_error if /proc is not mounted.
[[nodiscard]] std::filesystem::path own_program();

/// The parent of the program's folder: contains bin/, lib/busbar/ (modules) and share/busbar/ (data).
[[nodiscard]] std::filesystem::path own_prefix();

/// The folder with models/, profiles/ and suites/: the environment variable BUSBAR_DATA if set, else share/busbar in
/// own_prefix(). Throws UsageError if BUSBAR_DATA is not a folder.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace busbar
