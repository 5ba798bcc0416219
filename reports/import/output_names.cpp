// SPDX-License-Identifier: Apache-2.0
#include "reports/import/output_names.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr int most_folders = 3;
// Together shorter than the 255 bytes of a file name, with ".jsonl" and a number.
constexpr std::size_t longest_stem = 100, longest_folder = 30, longest_name = 230;

/// The first `longest` bytes of `name`, without characters that are special in paths or to a shell.
std::string tame(std::string_view name, std::size_t longest, std::string_view if_empty) {
  constexpr std::string_view others = "._+=,";
  std::string tamed;
  for (const char c : name.substr(0, longest))
    tamed += is_alphanumeric(c) || others.find(c) != std::string_view::npos ? c : '-';
  return tamed.empty() ? std::string(if_empty) : tamed;
}

/// The input's stem, prefixed with up to `depth` of its parent folders, as far as its path names them.
std::string name_with(const fs::path& input, int depth) {
  std::string name = tame(input.stem().string(), longest_stem, "log");
  fs::path folder = input.parent_path();
  for (; depth > 0 && folder.has_filename() && folder.filename() != ".."; --depth, folder = folder.parent_path())
    name = tame(folder.filename().string(), longest_folder, "") + "." + name;
  if (name.front() == '.') name.front() = '-';  // not hidden
  return name;
}

using Counts = std::unordered_map<std::string, int>;

Counts counts_of(const std::vector<std::string>& names) {
  Counts counts;
  for (const std::string& name : names) ++counts[name];
  return counts;
}

/// Names with as few folders as tell most of the inputs apart.
std::vector<std::string> names_of_paths(const std::vector<fs::path>& inputs) {
  std::vector<std::string> best;
  std::size_t most = 0;
  for (int depth = 0; depth <= most_folders && most < inputs.size(); ++depth) {
    std::vector<std::string> names;
    for (const fs::path& input : inputs) names.push_back(name_with(input, depth));
    if (const std::size_t distinct = counts_of(names).size(); distinct > most) {
      best = std::move(names);
      most = distinct;
    }
  }
  return best;
}

/// Adds the suffix of each file to equal names where suffixes differ: a.log next to a.txt.
void add_suffixes(std::vector<std::string>& names, const std::vector<fs::path>& inputs) {
  std::unordered_map<std::string, std::set<std::string>> suffixes;
  for (std::size_t i = 0; i < names.size(); ++i) suffixes[names[i]].insert(inputs[i].extension().string());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (suffixes.at(names[i]).size() > 1) names[i] += tame(inputs[i].extension().string(), longest_folder, "");
}

/// Numbers names that others have too: x, x-2, x-3.
void number_equal(std::vector<std::string>& names) {
  const Counts counts = counts_of(names);
  std::unordered_set<std::string> taken;
  for (const auto& [name, count] : counts) taken.insert(name);
  std::unordered_map<std::string, int> last;
  for (std::string& name : names) {
    if (counts.at(name) == 1) continue;
    int& nth = last[name];
    if (++nth == 1) continue;
    std::string numbered;
    do numbered = fmt::format("{}-{}", name, nth++);
    while (!taken.insert(numbered).second);
    --nth;
    name = numbered;
  }
}

}  // namespace

std::vector<fs::path> journal_names(const std::vector<std::string>& inputs, const fs::path& folder) {
  std::vector<fs::path> paths;
  std::unordered_set<std::string> seen;
  for (const std::string& input : inputs) {
    if (!seen.insert(fs::absolute(input).lexically_normal().string()).second)
      throw UsageError(fmt::format("{}: given twice", input));
    paths.push_back(fs::path(input).lexically_normal());  // not absolute: names do not depend on the current folder
  }
  std::vector<std::string> names = names_of_paths(paths);
  add_suffixes(names, paths);
  number_equal(names);
  std::vector<fs::path> files;
  for (const std::string& name : names) files.push_back(folder / (name + ".jsonl"));
  return files;
}

std::vector<fs::path> run_files(const fs::path& file, const std::vector<std::string>& names) {
  if (names.size() == 1) return {file};
  const std::string stem = file.stem().string();
  const std::size_t longest = stem.size() + 10 < longest_name ? std::min(longest_stem, longest_name - stem.size()) : 10;
  std::vector<std::string> tamed;
  for (const std::string& name : names) tamed.push_back(stem + "." + tame(name, longest, "run"));
  number_equal(tamed);
  std::vector<fs::path> files;
  for (const std::string& name : tamed)
    files.push_back(fs::path(file).replace_filename(name + file.extension().string()));
  return files;
}

}  // namespace busbar
