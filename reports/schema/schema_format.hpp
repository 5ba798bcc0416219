// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/parts.hpp"

/// The format of records, told to others: made from the tables of core/record/fields/. A form is one file of this
/// folder and one word in its CMake list.
namespace busbar {

struct SchemaFormat {
  std::string_view name;   ///< as --format takes it
  std::string_view about;  ///< one line for the command's help
  /// `lines`: the kinds of line, see lines().
  std::string (*write)(const std::vector<const Part*>& lines);
};

namespace schema {

/// The four kinds of line, in the order of a record: launch, run, case, end.
[[nodiscard]] std::vector<const Part*> lines();
/// These and every struct inside, each before those inside of it.
[[nodiscard]] std::vector<const Part*> with_parts(const std::vector<const Part*>& lines);

}  // namespace schema
}  // namespace busbar
