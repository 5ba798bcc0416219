// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/own_place.hpp"

/// Finds the models and profiles that ship with busbar, and reads their files.
namespace busbar {

/// The first `most_bytes` of a file, or all of it. Throws UsageError "FILE: cannot be read".
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most_bytes);

/// Names of the models in `folder` (files NAME.json), sorted; empty if the folder does not exist.
[[nodiscard]] std::vector<std::string> shipped_models(const std::filesystem::path& folder = data_folder() / "models");
/// Path of a model. Throws UsageError that lists the available models.
[[nodiscard]] std::filesystem::path find_model(std::string_view name,
                                               const std::filesystem::path& folder = data_folder() / "models");

/// Same as above for profiles (files NAME.profile).
[[nodiscard]] std::vector<std::string> shipped_profiles(const std::filesystem::path& folder = data_folder() /
                                                                                              "profiles");
[[nodiscard]] std::filesystem::path find_profile(std::string_view name,
                                                 const std::filesystem::path& folder = data_folder() / "profiles");

}  // namespace busbar
