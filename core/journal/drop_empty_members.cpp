// SPDX-License-Identifier: Apache-2.0
#include "core/journal/drop_empty_members.hpp"

#include <cstring>
#include <string_view>
#include <unordered_set>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/field.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

using Keys = std::unordered_set<std::string_view>;

template <class T>
const Part* part_of_type() {
  return &part_of(static_cast<const T*>(nullptr));
}

/// Keys whose empty value and whose absence read the same, in all structs of a record that have them.
Keys droppable_keys() {
  Keys some, others;
  for (const Part* part : with_parts({part_of_type<LaunchRecord>(), part_of_type<RunRecord>(),
                                      part_of_type<CaseRecord>(), part_of_type<EndRecord>()}))
    for (const Field& field : part->fields) {
      const bool may_be_empty = field.type.nullable || field.type.kind == Kind::list || field.type.kind == Kind::map;
      (may_be_empty && !field.needed && field.read != nullptr ? some : others).insert(field.key);
    }
  for (const std::string_view key : others) some.erase(key);
  return some;
}

/// Length of an empty value at the start of `text`; 0 if there is another.
std::size_t length_of_empty(std::string_view text) {
  if (text.empty() || (text[0] != 'n' && text[0] != '[' && text[0] != '{')) return 0;
  for (const std::string_view empty : {"null", "[]", "{}"})
    if (text.starts_with(empty)) return empty.size();
  return 0;
}

/// Begin of the member whose key has its closing quote at `at`; npos if it may not be dropped.
std::size_t begin_of_member(std::string_view line, std::size_t at, const Keys& droppable) {
  const std::size_t open = at == 0 ? std::string_view::npos : line.rfind('"', at - 1);
  if (open == std::string_view::npos || open == 0) return std::string_view::npos;
  const bool is_member = line[open - 1] == ',' || line[open - 1] == '{';  // else in a text, behind a backslash
  return is_member && droppable.contains(line.substr(open + 1, at - open - 1)) ? open : std::string_view::npos;
}

}  // namespace

void drop_empty_members(std::string& line) {
  static const Keys droppable = droppable_keys();
  std::size_t kept = 0, at = 0;  // line[0, kept) is done, line[at, ...) is to be looked at
  const auto keep_until = [&](std::size_t end) {
    std::memmove(line.data() + kept, line.data() + at, end - at);
    kept += end - at;
    at = end;
  };
  for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1)) {
    if (colon == 0 || line[colon - 1] != '"') continue;
    const std::size_t length = length_of_empty(std::string_view(line).substr(colon + 1)), end = colon + 1 + length;
    if (length == 0 || end == line.size() || (line[end] != ',' && line[end] != '}')) continue;
    const std::size_t begin = begin_of_member(line, colon - 1, droppable);
    if (begin == std::string::npos) continue;
    keep_until(begin);
    if (line[end] == '}' && kept > 0 && line[kept - 1] == ',') --kept;  // that of the member before it
    at = line[end] == ',' ? end + 1 : end;
  }
  keep_until(line.size());
  line.resize(kept);
}

}  // namespace busbar
