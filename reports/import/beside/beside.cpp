// SPDX-License-Identifier: Apache-2.0
#include "reports/import/beside/beside.hpp"

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {

namespace fs = std::filesystem;

namespace {

/// Beginnings of a log's name up to a dot, dash or underscore, the longest first: "n2.reduce", "n2" of "n2.reduce.log".
std::vector<std::string> beginnings(const std::string& log_name) {
  constexpr std::size_t most = 32;
  std::vector<std::string> all;
  for (std::size_t end = log_name.size(); end > 0 && all.size() < most; --end)
    if (end == log_name.size() || !is_alphanumeric(log_name[end])) all.push_back(log_name.substr(0, end));
  return all;
}

}  // namespace

std::string dotted_version(std::string_view text) {
  const std::string_view version = text.substr(0, text.find_first_not_of("0123456789."));
  const bool whole = holds(version, ".") && is_digit(version.front()) && is_digit(version.back());
  return whole ? std::string(version) : "";
}

const Companion* companion_named(std::string_view file_name) {
  const std::string lower = lower_case(file_name);
  for (const Companion* companion : table<Companion>())
    if (companion->is_named(lower)) return companion;
  return nullptr;
}

void BesideFiles::add_log(const fs::path& log) {
  Folder& folder = folders_[log.parent_path()];
  for (std::string& beginning : beginnings(log.filename().string())) folder.stems_of_logs[std::move(beginning)] = true;
}

void BesideFiles::add_companion(const fs::path& file, const Companion* kind, CompanionFacts facts) {
  folders_[file.parent_path()].files[kind][file.stem().string()].push_back({.path = file, .facts = std::move(facts)});
}

const BesideFiles::File* BesideFiles::choose(const Folder& folder, const Companion* kind, const std::string& log_name,
                                             std::vector<std::string>& warnings) const {
  const auto found = folder.files.find(kind);
  if (found == folder.files.end()) return nullptr;
  const auto& by_stem = found->second;
  for (const std::string& beginning : beginnings(log_name))
    if (const auto own = by_stem.find(beginning); own != by_stem.end() && own->second.size() == 1)
      return &own->second.front();
  std::vector<const File*> of_none;
  for (const auto& [stem, files] : by_stem) {
    if (folder.stems_of_logs.contains(stem)) continue;
    for (const File& file : files) of_none.push_back(&file);
    if (of_none.size() > 1) break;
  }
  if (of_none.size() == 1) return of_none.front();
  if (of_none.size() > 1)
    warnings.push_back(fmt::format("{}: several files beside the log, e.g. {} and {}; nothing is taken from them",
                                   kind->name, of_none[0]->path.filename().string(),
                                   of_none[1]->path.filename().string()));
  return nullptr;
}

Beside BesideFiles::of(const fs::path& log) const {
  Beside beside;
  const std::string log_name = log.filename().string();
  for (const Companion* kind : table<Companion>()) {
    std::string up;
    for (fs::path at = log.parent_path();; at = at.parent_path(), up += "../") {
      const std::size_t warned = beside.warnings.size();
      const auto folder = folders_.find(at);
      const File* file = folder == folders_.end() ? nullptr : choose(folder->second, kind, log_name, beside.warnings);
      if (file)
        beside.facts.push_back({.kind = kind, .from = up + file->path.filename().string(), .facts = file->facts});
      if (file || beside.warnings.size() > warned || at == root_ || !at.has_relative_path()) break;
    }
  }
  return beside;
}

}  // namespace busbar
