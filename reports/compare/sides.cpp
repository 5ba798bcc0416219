// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/sides.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/compare/fields.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

/// Sort order: 2 before 10, numbers before words, "bare metal" before "VM".
bool before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& s) {
    double value = 0;
    const auto [end, problem] = std::from_chars(s.data(), s.data() + s.size(), value);
    return std::pair(problem != std::errc{}, problem == std::errc{} ? value : 0);
  };
  const auto of_a = number(a), of_b = number(b);
  if (of_a != of_b) return of_a < of_b;
  return std::pair(lower_case(a), a) < std::pair(lower_case(b), b);
}

std::vector<std::string> values_of(const Criterion& criterion, const std::vector<Run>& runs) {
  std::vector<std::string> values;
  for (const Run& run : runs) {
    for (const CaseRecord& c : run.cases) {
      if (!is_measured(c.status)) continue;
      std::string value = criterion.value(run, c);
      if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
    }
  }
  std::ranges::sort(values, before);
  return values;
}

/// Moves the reference to the front. Throws UsageError if it is not among the values.
void put_first(std::vector<std::string>& values, const std::string& reference) {
  const auto it = std::ranges::find(values, reference);
  if (it == values.end()) throw UsageError(fmt::format("--reference: {}", unknown_word("side", reference, values)));
  std::rotate(values.begin(), it, it + 1);
}

std::function<void(CaseKey&)> blank_all(const std::vector<std::string>& across, void (*also)(CaseKey&)) {
  std::vector<void (*)(CaseKey&)> all{also};
  for (const KeyField& field : key_fields()) {
    if (std::ranges::find(across, field.name) != across.end()) all.push_back(field.blank);
  }
  return [all](CaseKey& key) {
    for (const auto blank : all) blank(key);
  };
}

/// Common description of a set's cases: without size, in place and root.
std::string set_title(const std::string& labels, CaseKey key) {
  key.bytes = 0;
  key.in_place.reset();
  key.root.reset();
  const std::string what = report::subject(key) + ": " + report::describe(key);
  return labels.empty() ? what : labels + "; " + what;
}

}  // namespace

std::string other_labels(const RunRecord& run, std::string_view but, std::span<const std::string> pool) {
  std::string s;
  for (const auto& [key, value] : run.labels) {
    if (key == but || std::ranges::find(pool, key) != pool.end()) continue;
    s += fmt::format("{}{}={}", s.empty() ? "" : ", ", key, value);
  }
  return s;
}

void check_across(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (find_field(key_fields(), name) != key_fields().end()) continue;
    if (find_field(method_fields(), name) != method_fields().end()) continue;
    std::vector<std::string> known;
    for (const auto& f : method_fields()) known.emplace_back(f.name);
    for (const auto& f : key_fields())
      if (f.name != "cadence") known.emplace_back(f.name);
    throw UsageError(fmt::format("--across: {}", unknown_word("", name, known)));
  }
}

Request between(std::vector<std::string> about, std::size_t a_runs, const std::vector<std::string>& across) {
  for (std::string& files : about) files = without_people(files, this_person());
  return {.sides = {"A", "B"},
          .about = std::move(about),
          .side_of = [a_runs](std::size_t run, const CaseRecord&) -> std::optional<std::size_t> {
            return run < a_runs ? 0 : 1;
          },
          .blank = blank_all(across, [](CaseKey&) {}),
          .across = across,
          .set_of = [](std::size_t, const CaseKey&) { return std::string(); }};
}

Request by(std::string_view name, const std::vector<Run>& runs, std::span<const std::string> pool,
           const std::vector<std::string>& across, std::string_view reference) {
  const Criterion criterion = find_criterion("--by", std::string(name), runs);
  std::vector<std::string> values = values_of(criterion, runs);
  if (values.size() < 2)
    throw UsageError(fmt::format("--by: all cases have the same {}: {}", name,
                                 values.empty() ? "unknown" : std::string_view(values.front())));
  if (!reference.empty()) put_first(values, std::string(reference));
  std::vector<std::string> labels;
  for (const Run& run : runs) labels.push_back(other_labels(run.head, name, pool));
  std::vector<std::string> may_differ = across;
  may_differ.emplace_back(name);
  return {.sides = values,
          .side_of = [&runs, criterion, values](std::size_t run, const CaseRecord& c) -> std::optional<std::size_t> {
            const auto it = std::ranges::find(values, criterion.value(runs[run], c));
            if (it == values.end()) return std::nullopt;
            return static_cast<std::size_t>(it - values.begin());
          },
          .blank = blank_all(across, criterion.blank),
          .criterion = std::string(name),
          .with_first = !reference.empty(),
          .across = std::move(may_differ),
          .set_of = [labels](std::size_t run, const CaseKey& key) { return set_title(labels[run], key); }};
}

}  // namespace busbar::compare
