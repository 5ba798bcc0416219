// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/json.hpp"
#include "core/journal/journal.hpp"
#include "core/record/parts.hpp"
#include "tests/fuzz/require.hpp"

namespace busbar::fuzz {

/// The line of a record, which must read back as a record that gives the same line.
template <class Record>
std::string checked_line(const Record& record) {
  std::string line = to_line(record);
  require(to_line(nlohmann::json::parse(line).get<Record>()) == line, "reads back as another record: " + line);
  return line;
}

}  // namespace busbar::fuzz
