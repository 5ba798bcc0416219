// SPDX-License-Identifier: Apache-2.0
#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

namespace busbar::schema {
namespace {

template <class T>
const Part* of() {
  return &part_of(static_cast<const T*>(nullptr));
}

}  // namespace

std::vector<const Part*> lines() { return {of<LaunchRecord>(), of<RunRecord>(), of<CaseRecord>(), of<EndRecord>()}; }

}  // namespace busbar::schema
