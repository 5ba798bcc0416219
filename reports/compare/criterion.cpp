// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::compare {
namespace {

using ValueOfCriterion = decltype(Criterion::value);

std::string value_or_empty(const std::map<std::string, std::string>& all, const std::string& name) {
  const auto it = all.find(name);
  return it == all.end() ? "" : it->second;
}

/// Looks up `name` in one of the maps of a run record.
template <auto member>
ValueOfCriterion from_map(const std::string& name) {
  return [name](const Run& run, const CaseRecord&) { return value_or_empty(run.head.*member, name); };
}

template <auto member>
bool any_has(const std::vector<Run>& runs, const std::string& name) {
  return std::ranges::any_of(runs, [&](const Run& run) { return (run.head.*member).contains(name); });
}

}  // namespace

Criterion find_criterion(std::string_view flag, const std::string& name, const std::vector<Run>& runs) {
  if (any_has<&RunRecord::labels>(runs, name)) return {.value = from_map<&RunRecord::labels>(name)};
  if (const auto f = find_field(key_fields(), name); f != key_fields().end())
    return {.value = [f](const Run&, const CaseRecord& c) { return f->value(c.key); }, .blank = f->blank};
  if (const auto f = find_field(method_fields(), name); f != method_fields().end())
    return {.value = [f](const Run& run, const CaseRecord&) { return f->value(run.head); }};
  if (const auto f = find_field(fact_fields(), name); f != fact_fields().end())
    return {.value = [f](const Run& run, const CaseRecord&) { return f->value(run.head); }};
  if (any_has<&RunRecord::libraries>(runs, name)) return {.value = from_map<&RunRecord::libraries>(name)};
  if (any_has<&RunRecord::environment>(runs, name)) return {.value = from_map<&RunRecord::environment>(name)};
  const auto of_repeat = [](const Run& run) { return run.launch.has_value(); };
  if (name == "command" && std::ranges::any_of(runs, of_repeat))
    return {.value = [](const Run& run, const CaseRecord&) {
      return run.launch ? std::to_string(run.launch->command) : "";
    }};
  throw UsageError(fmt::format("{}: no run has '{}' as a label, library or variable; {}", flag, name,
                               unknown_word("property", name, field_names())));
}

}  // namespace busbar::compare
