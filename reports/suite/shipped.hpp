// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/own_place.hpp"

/// The suites shipped with busbar.
namespace busbar::suite {

/// Names of the suites in `folder` (files NAME.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_suites(const std::filesystem::path& folder = data_folder() / "suites");

/// Default suite for this number of hosts: one-node, two-nodes or many-nodes.
[[nodiscard]] std::string default_suite(std::size_t hosts);

/// Path of a suite: `name` as a file, else as a shipped suite. Throws UsageError with the shipped names.
[[nodiscard]] std::filesystem::path find_suite(const std::string& name,
                                               const std::filesystem::path& folder = data_folder() / "suites");

}  // namespace busbar::suite
