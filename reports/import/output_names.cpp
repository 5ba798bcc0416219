// SPDX-License-Identifier: Apache-2.0
#include "reports/import/output_names.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

/// The input's stem, prefixed with up to `depth` of its parent folders.
std::string name_with(const fs::path& input, int depth) {
  std::string name = input.stem().string();
  fs::path folder = input.parent_path();
  for (; depth > 0 && folder.has_filename(); --depth, folder = folder.parent_path())
    name = folder.filename().string() + "." + name;
  return name;
}

bool all_differ(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

/// `name` without characters that are special in paths or to a shell.
std::string tame(const std::string& name) {
  constexpr std::size_t longest = 100;
  constexpr std::string_view others = "._+=,";
  std::string tamed;
  for (const char c : name.substr(0, longest)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    tamed += plain || others.find(c) != std::string_view::npos ? c : '-';
  }
  return tamed.empty() ? "run" : tamed;
}

}  // namespace

std::vector<fs::path> journal_names(const std::vector<std::string>& inputs, const fs::path& folder) {
  std::vector<fs::path> absolute;
  int deepest = 0;
  for (const std::string& input : inputs) {
    const fs::path& path = absolute.emplace_back(fs::absolute(input).lexically_normal());
    if (std::ranges::count(absolute, path) > 1) throw UsageError(fmt::format("{}: given twice", input));
    deepest = std::max(deepest, static_cast<int>(std::distance(path.begin(), path.end())));
  }
  std::vector<std::string> names;
  for (int depth = 0; depth == 0 || (!all_differ(names) && depth <= deepest); ++depth) {
    names.clear();
    for (const fs::path& input : absolute) names.push_back(name_with(input, depth));
  }
  std::vector<fs::path> files;
  const bool suffixes = !all_differ(names);  // a.log next to a.txt
  for (std::size_t i = 0; i < names.size(); ++i)
    files.push_back(folder / (names[i] + (suffixes ? absolute[i].extension().string() : "") + ".jsonl"));
  return files;
}

std::vector<fs::path> run_files(const fs::path& file, const std::vector<std::string>& names) {
  if (names.size() == 1) return {file};
  std::vector<fs::path> files;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    std::string tamed = tame(name);
    for (int nth = 2; !taken.insert(tamed).second; ++nth) tamed = fmt::format("{}-{}", tame(name), nth);
    fs::path named = file;
    files.push_back(named.replace_filename(file.stem().string() + "." + tamed + file.extension().string()));
  }
  return files;
}

}  // namespace busbar
