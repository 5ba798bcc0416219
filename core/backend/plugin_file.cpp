// SPDX-License-Identifier: Apache-2.0
#include "core/backend/plugin_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/core.h>

#include "core/files/kernel_files.hpp"
#include "core/files/own_place.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "busbar-", suffix = ".so";

/// True if a file name can contain it: no folder, nothing hidden.
bool is_plugin_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::ranges::all_of(name, fits);
}

/// NAME of busbar-NAME.so; empty for other files.
std::string plugin_name(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) return "";
  return name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
}

}  // namespace

std::vector<fs::path> plugin_folders() {
  std::vector<fs::path> all;
  const char* told = std::getenv("BUSBAR_BACKENDS");
  for (const std::string_view folder : facts::split(told == nullptr ? "" : told, ':'))
    if (!folder.empty()) all.emplace_back(folder);
  all.push_back(own_prefix() / "lib" / "busbar" / "backends");
  return all;
}

std::optional<fs::path> find_plugin(std::string_view name) {
  if (!is_plugin_name(name)) return std::nullopt;
  std::error_code problem;
  for (const fs::path& folder : plugin_folders())
    if (fs::path file = folder / fmt::format("{}{}{}", prefix, name, suffix); fs::is_regular_file(file, problem))
      return fs::absolute(file);
  return std::nullopt;
}

std::vector<PluginFile> list_plugins() {
  std::map<std::string, fs::path> found;
  std::error_code problem;
  for (const fs::path& folder : plugin_folders())
    for (const auto& file : fs::directory_iterator(folder, problem))
      if (const std::string name = plugin_name(file.path()); is_plugin_name(name))
        found.try_emplace(name, fs::absolute(file.path()));
  std::vector<PluginFile> all;
  for (const auto& [name, file] : found) all.push_back({name, file});
  return all;
}

}  // namespace busbar
