// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/words.hpp"
#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

constexpr std::size_t columns = 80, widest_head = 26;

/// A list item, with its term on the left.
struct Row {
  std::string head, text;
};

std::string list_text(const std::vector<Row>& rows) {
  std::size_t left = 0;
  for (const Row& row : rows)
    if (row.head.size() <= widest_head) left = std::max(left, row.head.size());
  std::string text;
  for (const Row& row : rows) {
    const bool fits = row.head.size() <= left;
    if (!fits) text += fmt::format("  {}\n", row.head);
    bool first = fits;
    for (const std::string& line : wrapped(row.text, columns - left - 4)) {
      text += fmt::format("  {:{}}  {}\n", first ? row.head : "", left, line);
      first = false;
    }
  }
  return text;
}

std::string with_default(const Option& option) {
  const std::string standard = default_of(option);
  return option.about + (standard.empty() ? "" : fmt::format(" [{}]", standard));
}

/// Row such as "-b, --minbytes SIZE".
Row row_of(const Option& option, bool some_short) {
  const auto names = option.names();
  if (option.positional())
    return {.head = names[0] + (takes_several(option) ? "..." : ""), .text = with_default(option)};
  const bool has_short = names[0].size() == 2;
  std::string head = fmt::format("{}{}", some_short && !has_short ? "    " : "", fmt::join(names, ", "));
  if (!option.flag()) head += " " + value_name(option) + (option.value.list ? ",..." : "");
  return {.head = head, .text = with_default(option)};
}

std::string rows_text(const std::vector<Option>& options) {
  const bool some_short = std::ranges::any_of(options, [](const Option& o) { return o.names()[0].size() == 2; });
  std::vector<Row> rows;
  for (const Option& option : options) rows.push_back(row_of(option, some_short));
  return list_text(rows);
}

std::string usage_text(const CommandLine& line, const std::string& name) {
  std::string text = fmt::format("Usage: {}{}", line.launched_by, name);
  text += line.subcommands.empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]";
  for (const Option& argument : visible_arguments(line)) {
    const std::string its = argument.flags + (takes_several(argument) ? "..." : "");
    text += argument.value.required ? " " + its : fmt::format(" [{}]", its);
  }
  if (!line.passes_to.empty()) text += fmt::format(" -- {}", line.passes_to);
  const std::string about = capitalised(line.about);
  return text + "\n" + fmt::format("{}{}\n", fmt::join(wrapped(about, columns), "\n"), about.ends_with('.') ? "" : ".");
}

std::string examples_text(const CommandLine& line, std::size_t most) {
  if (line.examples.empty()) return "";
  std::string text = "\nExamples:\n";
  for (std::size_t i = 0; i < std::min(most, line.examples.size()); ++i)
    text += fmt::format("  {}\n", line.examples[i]);
  return text;
}

std::string notes_text(const CommandLine& line) {
  std::string text;
  std::istringstream paragraphs(line.notes);
  for (std::string paragraph; std::getline(paragraphs, paragraph);)
    text += paragraph.starts_with(' ') ? paragraph + "\n"
                                       : fmt::format("\n{}\n", fmt::join(wrapped(paragraph, columns), "\n"));
  if (!line.exit_codes.empty())
    text += fmt::format("\n{}\n", fmt::join(wrapped(line.exit_codes, columns, "Exit codes:", "  "), "\n"));
  return text;
}

std::string arguments_text(const CommandLine& line) {
  const auto arguments = visible_arguments(line);
  return arguments.empty() ? "" : "\n" + rows_text(arguments);
}

/// First word of a heading, in lower case: "sweep" for "Sweep", "groups" for "Groups of ranks".
std::string topic_of(const std::string& group) { return lower_case(group.substr(0, group.find_first_of(", "))); }

std::vector<std::string> groups_of(const CommandLine& line) {
  std::vector<std::string> groups;
  for (const Option& option : visible_options(line, false))
    if (!option.group.empty() && std::ranges::find(groups, option.group) == groups.end())
      groups.push_back(option.group);
  return groups;
}

std::vector<std::string> topics_of(const CommandLine& line) {
  std::vector<std::string> topics;
  for (const std::string& group : groups_of(line)) topics.push_back(topic_of(group));
  return topics;
}

std::string group_text(const CommandLine& line, const std::string& group, bool is_program) {
  std::vector<Option> options = visible_options(line, is_program);
  std::erase_if(options, [&](const Option& o) { return o.group != group; });
  return fmt::format("\n{}:\n{}", group.empty() ? "Options" : group, rows_text(options));
}

std::string commands_text(const CommandLine& line) {
  std::string text;
  std::vector<std::string> groups;
  for (const CommandLine& sub : line.subcommands)
    if (std::ranges::find(groups, sub.heading) == groups.end()) groups.push_back(sub.heading);
  for (const std::string& group : groups) {
    std::vector<Row> rows;
    for (const CommandLine& sub : line.subcommands)
      if (sub.heading == group) rows.push_back({.head = sub.name, .text = sub.about});
    text += fmt::format("\n{}:\n{}", group.empty() ? "Commands" : group, list_text(rows));
  }
  return text;
}

}  // namespace

std::string short_help(const CommandLine& line, const std::string& name, bool is_program) {
  constexpr std::size_t most_examples = 3;
  std::vector<Option> options = visible_options(line, is_program);
  const std::size_t all = options.size();
  if (std::ranges::any_of(options, [](const Option& o) { return o.value.common; }))
    std::erase_if(options, [](const Option& o) { return !o.value.common; });
  std::string text = usage_text(line, name) + arguments_text(line) + commands_text(line);
  text += examples_text(line, most_examples);
  text += fmt::format("\n{}:\n{}", options.size() < all ? "Common options" : "Options", rows_text(options));
  if (!line.subcommands.empty()) return text + fmt::format("\nMore: {} COMMAND --help; man busbar\n", name);
  const auto topics = topics_of(line);
  const std::string by_topic = topics.empty() ? "" : fmt::format("{} --help {}; ", name, fmt::join(topics, "|"));
  const auto more = wrapped(fmt::format("More: {}{} --help-all; terms: busbar glossary; man {}", by_topic, name,
                                        name.substr(0, name.find(' '))),
                            columns);
  return text + fmt::format("\n{}\n", fmt::join(more, "\n"));
}

std::string whole_help(const CommandLine& line, const std::string& name, bool is_program) {
  std::string text = usage_text(line, name) + arguments_text(line) + commands_text(line);
  text += group_text(line, "", is_program);
  for (const std::string& group : groups_of(line)) text += group_text(line, group, is_program);
  return text + examples_text(line, line.examples.size()) + notes_text(line);
}

std::string topic_help(const CommandLine& line, const std::string& name, const std::string& topic) {
  for (const std::string& group : groups_of(line))
    if (topic_of(group) == topic) return usage_text(line, name) + group_text(line, group, false);
  throw UsageError(fmt::format("--help: {}", unknown_word("topic", topic, topics_of(line))));
}

}  // namespace busbar
