// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/parts.hpp"

/// Descriptions of the record format, generated from the tables of core/record/fields/. Each output format is one file
/// in this folder and one word in its CMake list.
namespace busbar {

struct SchemaFormat {
  std::string_view name;   ///< argument of --format
  std::string_view about;  ///< one line for the command's help
  /// `lines`: the line types, see lines().
  std::string (*write)(const std::vector<const Part*>& lines);
};

namespace schema {

/// The four line types in record order: launch, run, case, end.
[[nodiscard]] std::vector<const Part*> lines();

}  // namespace schema
}  // namespace busbar
