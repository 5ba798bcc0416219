// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/comparability.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::compare {
namespace {

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }

/// A run's value of a field; empty for "unknown".
std::string known_value(const MethodField& field, const Run& run) {
  std::string value = field.value(run.head);
  return value == "unknown" ? "" : value;
}

[[noreturn]] void refuse(const Run& a, const Run& b, const std::vector<std::string>& fields,
                         const std::vector<std::string>& values) {
  throw UsageError(fmt::format("cannot compare {} with {}: {}; to compare them anyway, add --across {}", a.path, b.path,
                               fmt::join(values, "; "), fmt::join(fields, ",")));
}

/// Throws UsageError if `b` contradicts `a` in any field.
void refuse_contradictions(const Run& a, const Run& b, std::span<const std::string> across) {
  std::vector<std::string> fields, values;
  for (const MethodField& field : method_fields()) {
    const std::string of_a = known_value(field, a), of_b = known_value(field, b);
    if (of_a.empty() || of_b.empty() || of_a == of_b) continue;
    if (std::ranges::find(across, field.name) != across.end()) continue;
    fields.emplace_back(field.name);
    values.push_back(fmt::format("{} is {} in one and {} in the other", field.name, of_a, of_b));
  }
  if (!fields.empty()) refuse(a, b, fields, values);
}

std::vector<std::string> differing(const CaseKey& a, const CaseKey& b) {
  std::vector<std::string> fields;
  bool topology = false;  // already covers ranks, nodes and ranks_per_node
  for (const KeyField& field : key_fields()) {
    const std::string of_a = field.value(a), of_b = field.value(b);
    if (of_a == of_b ||
        (topology && (field.name == "ranks" || field.name == "nodes" || field.name == "ranks_per_node")))
      continue;
    topology = topology || field.name == "topology";
    fields.push_back(fmt::format("{} ({} vs {})", field.name, shown(of_a), shown(of_b)));
  }
  if (a.bytes != b.bytes && fields.empty())
    fields.push_back(fmt::format("size ({} vs {})", format_size(a.bytes), format_size(b.bytes)));
  return fields;
}

/// One key per series: sizes are irrelevant here.
std::vector<CaseKey> series_of(std::span<const CaseKey> keys) {
  constexpr std::size_t most = 100;
  std::set<std::string> seen;
  std::vector<CaseKey> all;
  for (const CaseKey& key : keys) {
    if (all.size() < most && seen.insert(series_name(key)).second) all.push_back(key);
  }
  return all;
}

}  // namespace

std::vector<std::string> check_methods(std::span<const Run* const> runs, std::span<const std::string> across) {
  std::vector<std::string> notes;
  for (const MethodField& field : method_fields()) {
    const auto value = [&](const Run* run) { return known_value(field, *run); };
    const auto known = std::ranges::find_if_not(runs, &std::string::empty, value);
    if (known == runs.end()) continue;
    for (const Run* run : runs) {
      if (!value(run).empty() && value(run) != value(*known)) refuse_contradictions(**known, *run, across);
    }
    const auto unknown = std::ranges::find_if(runs, &std::string::empty, value);
    if (unknown == runs.end()) continue;
    const auto file = [](const Run* run) { return without_people(run->path, this_person()); };
    notes.push_back(fmt::format("{} is unknown for {} and {} for {}: they may differ in it", field.name, file(*unknown),
                                value(*known), file(*known)));
  }
  return notes;
}

std::string label_difference(const RunRecord& a, const RunRecord& b, std::string_view but) {
  std::set<std::string> names;
  for (const RunRecord* run : {&a, &b}) {
    for (const auto& label : run->labels) names.insert(label.first);
  }
  std::vector<std::string> values, differing;
  for (const std::string& name : names) {
    const auto of_a = a.labels.find(name), of_b = b.labels.find(name);
    const std::string in_a = of_a == a.labels.end() ? "" : of_a->second,
                      in_b = of_b == b.labels.end() ? "" : of_b->second;
    if (name == but || in_a == in_b) continue;
    differing.push_back(name);
    values.push_back(fmt::format("{} ({} vs {})", name, shown(in_a), shown(in_b)));
  }
  if (values.empty()) return "";
  return fmt::format("{}; to compare them anyway, add --pool {}", fmt::join(values, ", "), fmt::join(differing, ","));
}

std::string nearest_difference(std::span<const CaseKey> a, std::span<const CaseKey> b) {
  std::vector<std::string> nearest;
  for (const CaseKey& of_a : series_of(a)) {
    for (const CaseKey& of_b : series_of(b)) {
      auto fields = differing(of_a, of_b);
      if (!fields.empty() && (nearest.empty() || fields.size() < nearest.size())) nearest = std::move(fields);
    }
  }
  return fmt::format("{}", fmt::join(nearest, ", "));
}

}  // namespace busbar::compare
