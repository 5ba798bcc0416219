// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/launcher.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::suite {
namespace {

const MpiLibrary& library_of(const std::string& program, const Surroundings& around) {
  try {
    if (const auto known = parse_mpi_version(around.output_of({program, "--version"}))) return *known->library;
  } catch (const Error&) {
    // The program does not exist or does not support --version.
  }
  return find_mpi_library("");
}

}  // namespace

bool has_placeholder(std::string_view launcher) { return launcher.find('{') != std::string_view::npos; }

std::string placement_of(const std::string& launcher, const Surroundings& around) {
  const auto words = split_words(launcher, "--launcher");
  if (words.empty() || has_placeholder(launcher)) return "";
  const MpiLibrary& library = library_of(words.front(), around);
  return fmt::format("{} {}", library.hosts, library.per_host);
}

}  // namespace busbar::suite
