// SPDX-License-Identifier: Apache-2.0
#include "reports/import/beside/folder_logs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

/// Files that hold no log, or quote one: pictures, archives, programs, pages.
bool is_other_kind(const fs::path& file) {
  static constexpr std::array<std::string_view, 26> suffixes{
      ".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".webp", ".zip",  ".gz", ".tgz", ".xz", ".bz2", ".zst",
      ".tar", ".7z",  ".whl",  ".so",  ".a",   ".o",   ".pyc",  ".html", ".md", ".rst", ".py", ".sh",  ".ipynb"};
  return is_one_of(suffixes, file.extension().string());
}

/// Recognised by an importer. Companions may quote a launcher's failure and still be companions.
bool is_log(std::string_view text, bool is_companion) {
  const auto importers = table<Importer>();
  return std::ranges::any_of(
      importers, [&](const Importer* i) { return !(is_companion && i == importers.back()) && i->recognises(text); });
}

/// True for a link to a file below `root`: "latest.log" is another name of a log and not another launch.
bool is_other_name(const fs::directory_entry& entry, const fs::path& root) {
  std::error_code problem;
  if (!entry.is_symlink(problem)) return false;
  const fs::path inside = fs::canonical(entry.path(), problem).lexically_relative(root);
  return !inside.empty() && *inside.begin() != "..";
}

std::vector<fs::path> files_below(const std::string& folder) {
  std::error_code problem;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, problem);
  if (problem) throw UsageError(fmt::format("{}: cannot be read: {}", folder, problem.message()));
  const fs::path root = fs::canonical(folder, problem);
  std::vector<fs::path> files;
  for (; at != fs::recursive_directory_iterator(); at.increment(problem)) {
    if (problem) throw UsageError(fmt::format("{}: cannot be read: {}", folder, problem.message()));
    const fs::path& path = at->path();
    std::error_code unknown;
    if (path.filename().string().starts_with('.'))
      at.disable_recursion_pending();
    else if (path.extension() != ".jsonl" && at->is_regular_file(unknown) && !is_other_name(*at, root))
      files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

/// The text of a file that may be a log; empty if it is too large or begins with binary data.
std::string text_of_file(const fs::path& file) {
  std::error_code problem;
  if (is_other_kind(file) || fs::file_size(file, problem) > largest_log || problem) return "";
  std::array<char, 4096> head{};
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), head.size());
  if (std::string_view(head.data(), static_cast<std::size_t>(in.gcount())).find('\0') != std::string_view::npos)
    return "";
  return read_log(file.string());
}

}  // namespace

std::string read_log(const std::string& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  std::string text;  // pipes and devices have no size in advance
  std::array<char, 65536> part{};
  while (text.size() <= largest_log && (in.read(part.data(), part.size()) || in.gcount() > 0))
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest_log) throw UsageError(file + ": is larger than 256 MiB; no log of a known tool is");
  return text;
}

FolderLogs logs_in_folder(const std::string& folder) {
  constexpr std::size_t largest_companion = 16 << 20;
  FolderLogs found;
  const fs::path root(folder);
  const auto companions = std::make_shared<BesideFiles>(root.has_filename() ? root : root.parent_path());
  for (const fs::path& file : files_below(folder)) try {
      const std::string text = text_of_file(file);
      const Companion* kind = companion_named(file.filename().string());
      if (is_log(text, kind != nullptr)) {
        found.logs.push_back(file.string());
        companions->add_log(file);
      } else if (kind == nullptr) {
        ++found.unknown;
      } else if (auto facts = text.size() > largest_companion ? std::nullopt : kind->read(text)) {
        companions->add_companion(file, kind, *std::move(facts));
      } else {
        found.warnings.push_back(
            fmt::format("{}: has the name of a file of kind '{}', and is none; nothing is taken from it", file.string(),
                        kind->name));
      }
    } catch (const UsageError& e) {
      found.failed.emplace_back(e.what());
    }
  found.companions = companions;
  return found;
}

}  // namespace busbar
