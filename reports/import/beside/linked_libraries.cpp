// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "reports/import/beside/companion.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

struct LinkedLibrary {
  std::string_view file, folder, name;  ///< start of the file's name, of a folder's name, in a record's `libraries`
};
constexpr std::array linked{LinkedLibrary{"libnccl.so", "nccl", "nccl"},
                            LinkedLibrary{"libcudart.so", "cuda", "cuda_runtime"},
                            LinkedLibrary{"libcudnn.so", "cudnn", "cudnn"}};
constexpr std::array<std::string_view, 5> mpi_files{"libmpi.so", "libmpich.so", "libmpi_cray.so", "libmpi_gnu",
                                                    "libmpi_nvidia"};

/// The version of a library's file, by its name, else by a folder: /opt/nccl-2.18.3/lib/libnccl.so.2.
std::string version_in_path(std::string_view path, const LinkedLibrary& library) {
  const std::string_view file = base_name(path);
  if (file.size() > library.file.size() && file.starts_with(library.file))
    if (std::string version = dotted_version(file.substr(library.file.size() + 1)); !version.empty()) return version;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    std::string_view folder = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (!folder.starts_with(library.folder)) continue;
    folder.remove_prefix(library.folder.size());
    if (folder.empty() && !path.empty()) folder = path.substr(0, path.find('/'));  // nccl/2.18.3
    while (!folder.empty() && (folder.front() == '-' || folder.front() == '_' || folder.front() == 'v'))
      folder.remove_prefix(1);
    if (std::string version = dotted_version(folder); !version.empty()) return version;
  }
  return "";
}

/// "libnccl.so.2 => /opt/lib/libnccl.so.2.18.3 (0x7f...)": both sides, without the address.
std::optional<std::pair<std::string_view, std::string_view>> link_in(std::string_view line) {
  const std::size_t arrow = line.find("=>");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view file = trimmed(line.substr(0, arrow)), target = trimmed(line.substr(arrow + 2));
  return std::pair(file, trimmed(target.substr(0, target.find(" ("))));
}

std::optional<CompanionFacts> read_linked_libraries(std::string_view text) {
  std::set<std::string> remarks;
  std::map<std::string, std::set<std::string>> versions;
  LogLines lines(text);
  bool any = false;
  while (const auto line = lines.next()) {
    const auto link = link_in(line->text);
    if (!link || !is_name(link->first)) continue;
    any = true;
    const auto& [file, target] = *link;
    const auto library = std::ranges::find_if(linked, [&](const LinkedLibrary& l) { return file.starts_with(l.file); });
    const bool is_mpi = std::ranges::any_of(mpi_files, [&](std::string_view mpi) { return file.starts_with(mpi); });
    if (library == linked.end() && !is_mpi) continue;
    const bool missing = target == "not found";
    remarks.insert(fmt::format("{} {}", file, missing ? "not found" : "linked"));
    if (library != linked.end() && !missing)
      versions[std::string(library->name)].insert(version_in_path(target, *library));
  }
  CompanionFacts facts{.remarks = {remarks.begin(), remarks.end()}};
  for (const auto& [name, all] : versions)
    if (all.size() == 1 && !all.begin()->empty()) facts.libraries.emplace(name, *all.begin());
  return any ? std::optional(facts) : std::nullopt;
}

}  // namespace

extern const Companion linked_libraries{
    .name = "linked libraries",
    .about = "ldd*: output of ldd",
    .is_named = [](std::string_view file) { return file.starts_with("ldd"); },
    .read = read_linked_libraries,
};

}  // namespace busbar
