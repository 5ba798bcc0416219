// SPDX-License-Identifier: Apache-2.0
#include "core/command_line/documents.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace busbar {
namespace {

bool unused = false;  // target of options that only documents contain

std::vector<Option> shown_rows(const CommandLine& line, bool positional) {
  std::vector<Option> rows;
  for (const Option& row : line.options)
    if (!row.value.hidden && row.positional() == positional) rows.push_back(row);
  return rows;
}

}  // namespace

std::vector<Option> visible_options(const CommandLine& line, bool is_program) {
  std::vector<Option> rows = shown_rows(line, false);
  std::vector<Option> standard{
      {.flags = "-h,--help", .target = &unused, .about = "show this help; --help TOPIC: options of a topic"},
      {.flags = "--help-all", .target = &unused, .about = "show all options"}};
  if (is_program) standard.push_back({.flags = "-V,--version", .target = &unused, .about = "show the version"});
  rows.insert(rows.begin(), standard.begin(), standard.end());
  // Gather each group at its first option.
  for (auto row = rows.begin(); row != rows.end();)
    row = std::stable_partition(row, rows.end(), [group = row->group](const Option& o) { return o.group == group; });
  return rows;
}

std::vector<Option> visible_arguments(const CommandLine& line) { return shown_rows(line, true); }

std::string value_name(const Option& option) {
  constexpr std::size_t widest = 30;
  const std::string choices = fmt::format("{{{}}}", fmt::join(option.value.choices, ","));
  if (!option.value.choices.empty() && choices.size() <= widest) return choices;
  if (!option.value.name.empty()) return option.value.name;
  const bool number =
      std::holds_alternative<int*>(option.target) || std::holds_alternative<std::size_t*>(option.target);
  return number ? "N" : "TEXT";
}

std::string default_of(const Option& option) {
  if (!option.value.standard.empty() || option.value.required) return option.value.standard;
  if (const auto* text = std::get_if<std::string*>(&option.target)) return **text;
  if (const auto* number = std::get_if<int*>(&option.target))
    return **number < option.value.low ? "" : fmt::format("{}", **number);  // a number below the minimum means: not
                                                                            // given
  if (const auto* size = std::get_if<std::size_t*>(&option.target)) return fmt::format("{}", **size);
  return {};
}

bool takes_several(const Option& option) { return std::holds_alternative<std::vector<std::string>*>(option.target); }

std::vector<std::string> all_choices(const Option& option) {
  std::vector<std::string> all = option.value.choices;
  if (option.value.find_choices != nullptr)
    for (std::string& choice : option.value.find_choices()) all.push_back(std::move(choice));
  return all;
}

std::string function_name(std::string_view program) {
  std::string name = "_" + std::string(program);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace busbar
