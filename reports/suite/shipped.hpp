// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/own_place.hpp"

/// The suites that come with busbar.
namespace busbar::suite {

/// Names of the suites in `folder` (files NAME.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_suites(const std::filesystem::path& folder = data_folder() / "suites");

/// The name of the default suite for so many hosts: one-node, two-nodes or many-nodes.
[[nodiscard]] std::string default_suite(std::size_t hosts);

/// What a command line names: a file, else one of the shipped suites. Throws UsageError that lists them.
[[nodiscard]] std::filesystem::path find_suite(const std::string& name,
                                               const std::filesystem::path& folder = data_folder() / "suites");

}  // namespace busbar::suite
