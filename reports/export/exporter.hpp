// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/table.hpp"
#include "core/record/fwd.hpp"

/// Exporters convert records to formats of other tools. Each format is one file in this folder and one word in its
/// CMake list. docs/import.md describes the formats.
namespace busbar {

struct ExportOptions {
  std::size_t max_repetitions = 100;  ///< maximum samples written per case, at least 1
};

struct Exporter {
  std::string_view name;   ///< argument of --format
  std::string_view about;  ///< one line for --help
  std::string (*write)(const Run&, const ExportOptions&);
};

}  // namespace busbar
