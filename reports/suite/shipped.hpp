// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The suites that come with busbar.
namespace busbar::suite {

/// The folder that holds them: suites/ under BUSBAR_DATA where that is set; else scripts/suites of the source folder
/// that this was built from, while it is there; else share/busbar/suites beside the folder of the executable. Throws
/// UsageError where BUSBAR_DATA names no folder.
[[nodiscard]] std::filesystem::path shipped_folder();

/// Names of the suites there (files NAME.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_suites(const std::filesystem::path& folder = shipped_folder());

/// The name of the default suite for so many hosts: one-node, two-nodes or many-nodes.
[[nodiscard]] std::string default_suite(std::size_t hosts);

/// What a command line names: a file, else one of the shipped suites. Throws UsageError that lists them.
[[nodiscard]] std::filesystem::path find_suite(const std::string& name,
                                               const std::filesystem::path& folder = shipped_folder());

}  // namespace busbar::suite
