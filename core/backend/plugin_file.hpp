// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where the plug-ins of busbar-bench are (include/busbar/backend.h).
namespace busbar {

/// Folders in the order of the search: those of the environment variable BUSBAR_BACKENDS, then lib/busbar/backends in
/// own_prefix().
[[nodiscard]] std::vector<std::filesystem::path> plugin_folders();

/// The file of the plug-in `name`, busbar-NAME.so; empty if no folder has it.
[[nodiscard]] std::optional<std::filesystem::path> find_plugin(std::string_view name);

/// All plug-ins by name, each the one that find_plugin() finds.
struct PluginFile {
  std::string name;
  std::filesystem::path file;
};
[[nodiscard]] std::vector<PluginFile> list_plugins();

}  // namespace busbar
