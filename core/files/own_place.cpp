// SPDX-License-Identifier: Apache-2.0
#include "core/files/own_place.hpp"

#include <cstdlib>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {

namespace fs = std::filesystem;

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

fs::path own_prefix() { return own_program().parent_path().parent_path(); }

fs::path data_folder() {
  const char* const named = std::getenv("BUSBAR_DATA");
  if (named == nullptr || *named == '\0') return own_prefix() / "share" / "busbar";
  if (std::error_code ignored; fs::is_directory(named, ignored)) return named;
  throw UsageError(fmt::format("BUSBAR_DATA: '{}' is not a folder; name the one with models/ and profiles/", named));
}

}  // namespace busbar
