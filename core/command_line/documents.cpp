// SPDX-License-Identifier: Apache-2.0
#include "core/command_line/documents.hpp"

#include <algorithm>

namespace busbar {
namespace {

bool unused = false;  // the target of options that only documents know

std::vector<Option> shown_rows(const CommandLine& line, bool positional) {
  std::vector<Option> rows;
  for (const Option& row : line.options)
    if (!row.value.hidden && row.positional() == positional) rows.push_back(row);
  return rows;
}

}  // namespace

std::vector<Option> visible_options(const CommandLine& line, bool is_program) {
  std::vector<Option> rows = shown_rows(line, false);
  std::vector<Option> standard{{.flags = "-h,--help", .target = &unused, .about = "Print this help message and exit"}};
  if (is_program)
    standard.push_back(
        {.flags = "--version", .target = &unused, .about = "Display program version information and exit"});
  rows.insert(rows.begin(), standard.begin(), standard.end());
  // Each group once, where its first option stands.
  for (auto row = rows.begin(); row != rows.end();)
    row = std::stable_partition(row, rows.end(), [group = row->group](const Option& o) { return o.group == group; });
  return rows;
}

std::vector<Option> visible_arguments(const CommandLine& line) { return shown_rows(line, true); }

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
