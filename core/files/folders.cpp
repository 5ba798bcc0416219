// SPDX-License-Identifier: Apache-2.0
#include "core/files/folders.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/files/descriptor.hpp"

namespace busbar {

void make_folders(const std::filesystem::path& folder) {
  std::error_code problem;
  if (folder.empty() || std::filesystem::exists(folder, problem)) return;
  make_folders(folder.parent_path());
  if (std::filesystem::create_directory(folder, problem)) sync_folder(folder.parent_path());
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor file(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open()) return;  // a folder may allow creating files but not reading it
  if (::fsync(file.get()) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
  throw Error(fmt::format("cannot bring the names in {} to disk: {}", folder.string(), std::strerror(errno)));
}

std::vector<std::string> names_in(const std::filesystem::path& folder, std::string_view extension) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace busbar
