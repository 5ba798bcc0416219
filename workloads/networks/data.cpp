// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/data.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/files/folders.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

fs::path find(std::string_view kind, std::string_view name, const fs::path& folder, std::string_view extension) {
  const auto names = names_in(folder, extension);
  if (std::ranges::find(names, name) != names.end()) return folder / fmt::format("{}{}", name, extension);
  throw UsageError(fmt::format("no {} '{}' in {}; there {}", kind, name, folder.string(),
                               names.empty() ? "is none" : fmt::format("are: {}", fmt::join(names, ", "))));
}

}  // namespace

std::string read_beginning(const fs::path& path, std::size_t most_bytes) {
  std::ifstream in(path, std::ios::binary);
  std::string text(most_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) throw UsageError(fmt::format("{}: cannot be read", path.string()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::vector<std::string> shipped_models(const fs::path& folder) { return names_in(folder, ".json"); }
fs::path find_model(std::string_view name, const fs::path& folder) { return find("model", name, folder, ".json"); }

std::vector<std::string> shipped_profiles(const fs::path& folder) { return names_in(folder, ".profile"); }
fs::path find_profile(std::string_view name, const fs::path& folder) {
  return find("profile", name, folder, ".profile");
}

}  // namespace busbar
