// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/own_place.hpp"

/// Where models and profiles are that come with busbar, and which there are.
namespace busbar {

/// Names of the models in `folder` (files NAME.json), sorted; none where there is no such folder.
[[nodiscard]] std::vector<std::string> shipped_models(const std::filesystem::path& folder = data_folder() / "models");
/// The file of one of them. Throws UsageError that lists the models that there are.
[[nodiscard]] std::filesystem::path find_model(std::string_view name,
                                               const std::filesystem::path& folder = data_folder() / "models");

/// The same for profiles (files NAME.profile).
[[nodiscard]] std::vector<std::string> shipped_profiles(const std::filesystem::path& folder = data_folder() /
                                                                                              "profiles");
[[nodiscard]] std::filesystem::path find_profile(std::string_view name,
                                                 const std::filesystem::path& folder = data_folder() / "profiles");

}  // namespace busbar
