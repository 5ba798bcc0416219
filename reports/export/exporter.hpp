// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/table.hpp"
#include "core/record/fwd.hpp"

/// Writing records in forms that other tools read. A format is one file of this folder and one word in its CMake list.
/// docs/import.md says what each holds.
namespace busbar {

struct ExportOptions {
  std::size_t max_repetitions = 100;  ///< samples of a case that are written one by one, at least 1
};

struct Exporter {
  std::string_view name;   ///< as --format takes it
  std::string_view about;  ///< one line for the command's help
  std::string (*write)(const Run&, const ExportOptions&);
};

}  // namespace busbar
