// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/shipped.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"

namespace busbar::suite {

namespace fs = std::filesystem;

std::vector<std::string> shipped_suites(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string default_suite(std::size_t hosts) {
  if (hosts == 1) return "one-node";
  return hosts == 2 ? "two-nodes" : "many-nodes";
}

fs::path find_suite(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return name;
  const auto names = shipped_suites(folder);
  if (std::ranges::find(names, name) != names.end()) return folder / (name + ".json");
  throw UsageError(fmt::format("no suite '{}': neither a file nor one of those in {}{}", name, folder.string(),
                               names.empty() ? ", where there is none" : fmt::format(": {}", fmt::join(names, ", "))));
}

}  // namespace busbar::suite
