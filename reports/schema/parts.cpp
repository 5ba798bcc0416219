// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

namespace busbar::schema {
namespace {

const Part* part_in(const ValueType& type) {
  if (type.part != nullptr) return &type.part();
  return type.element != nullptr ? part_in(*type.element) : nullptr;
}

void add(std::vector<const Part*>& all, const Part* part) {
  if (part == nullptr || std::ranges::find(all, part) != all.end()) return;
  all.push_back(part);
  for (const Field& field : part->fields) add(all, part_in(field.type));
}

template <class T>
const Part* of() {
  return &part_of(static_cast<const T*>(nullptr));
}

}  // namespace

std::vector<const Part*> lines() { return {of<LaunchRecord>(), of<RunRecord>(), of<CaseRecord>(), of<EndRecord>()}; }

std::vector<const Part*> with_parts(const std::vector<const Part*>& lines) {
  std::vector<const Part*> all;
  for (const Part* line : lines) add(all, line);
  return all;
}

}  // namespace busbar::schema
