// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// Where this program is, and what is installed beside it. Nothing here is a path of the machine that compiled it: a
/// folder of programs can be moved as a whole. A build folder has the same shape (scripts/cmake/Install.cmake).
namespace busbar {

/// The file of the running program. Throws std::filesystem::filesystem_error where /proc is not mounted.
[[nodiscard]] std::filesystem::path own_program();

/// The folder above the program's own: holds bin/, lib/busbar/ (modules) and share/busbar/ (data).
[[nodiscard]] std::filesystem::path own_prefix();

/// The folder that holds models/, profiles/ and suites/: the environment variable BUSBAR_DATA where it is set, else
/// share/busbar in own_prefix(). Throws UsageError where BUSBAR_DATA names no folder.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace busbar
