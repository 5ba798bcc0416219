// SPDX-License-Identifier: Apache-2.0
#include "reports/import/collective_names.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/words.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> type_spellings{{
    {"float", "fp32"},
    {"half", "fp16"},
    {"bfloat16", "bf16"},
    {"double", "fp64"},
    {"float32", "fp32"},
    {"float16", "fp16"},
    {"float64", "fp64"},
    {"char", "int8"},
    {"int", "int32"},
    {"long", "int64"},
    {"f8e4m3", "fp8_e4m3"},
    {"f8e5m2", "fp8_e5m2"},
}};

std::string squeezed_name(std::string_view text) { return lower_case(text, "_-"); }

/// False for words such as "get", which mean other things in names of files and labels.
bool is_collective(const CollectiveFacts& c) { return c.moves_data && !c.between_pairs; }

struct Mention {
  std::size_t begin, end;
  std::string_view name;
};

void find_mentions(std::vector<Mention>& all, const std::string& text, std::string_view name,
                   std::string_view spelling) {
  const std::string wanted = squeezed_name(spelling);
  if (wanted.empty()) return;
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    all.push_back({.begin = at, .end = at + wanted.size(), .name = name});
}

}  // namespace

std::optional<std::string> collective_named(std::string_view text) {
  const std::string wanted = squeezed_name(text);
  for (const CollectiveFacts& c : all_collective_facts())
    if (is_collective(c) && (wanted == squeezed_name(c.name) || (!c.alias.empty() && wanted == c.alias)))
      return std::string(c.name);
  return std::nullopt;
}

std::optional<std::string> collective_in_file_name(std::string_view file_name) {
  const std::string text = squeezed_name(file_name);
  std::vector<Mention> all;
  for (const CollectiveFacts& c : all_collective_facts()) {
    if (!is_collective(c)) continue;
    find_mentions(all, text, c.name, c.name);
    find_mentions(all, text, c.name, c.alias);
  }
  std::optional<std::string> found;
  for (const Mention& m : all) {
    const auto holds_it = [&m](const Mention& longer) {
      return longer.begin <= m.begin && m.end <= longer.end && longer.end - longer.begin > m.end - m.begin;
    };
    if (std::ranges::any_of(all, holds_it)) continue;  // "reduce" inside "all_reduce"
    if (found && *found != m.name) return std::nullopt;
    found = m.name;
  }
  return found;
}

std::optional<std::string> collective_of_program(std::string_view word) {
  word = base_name(word);
  if (!holds(word, "_perf")) return std::nullopt;
  word = before(word, "_perf");
  return collective_named(word.substr(std::min(word.find_first_not_of("\"'`("), word.size())));
}

std::string collective_names() {
  std::vector<std::string> all;
  for (const CollectiveFacts& c : all_collective_facts())
    if (is_collective(c)) all.emplace_back(c.name);
  return join_filled(all);
}

std::string type_named(std::string_view text) {
  const auto row = std::ranges::find(type_spellings, text, [](const auto& pair) { return pair.first; });
  return std::string(row == type_spellings.end() ? text : row->second);
}

}  // namespace busbar
