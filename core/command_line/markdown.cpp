// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <fmt/core.h>

#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// Escapes text so that Markdown shows it as it is.
std::string as_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string_view("\\`*_[]#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string usage_block(const CommandLine& line, const std::string& name) {
  std::string text = line.launched_by + name + " [OPTIONS]";
  for (const Option& argument : visible_arguments(line)) {
    const std::string word = argument.flags + (takes_several(argument) ? "..." : "");
    text += argument.value.required ? " " + word : " [" + word + "]";
  }
  if (!line.subcommands.empty()) text += " COMMAND";
  if (!line.passes_to.empty()) text += fmt::format(" [words of {}]", line.passes_to);
  return fmt::format("```\n{}\n```\n\n", text);
}

/// An entry of a definition list.
std::string option_entry(const Option& option) {
  std::string head;
  for (const std::string& name : option.names()) head += (head.empty() ? "" : ", ") + name;
  if (!option.positional() && !option.flag()) head += " " + value_name(option) + (takes_several(option) ? " ..." : "");
  std::string about = as_markdown(option.about);
  if (const std::string standard = default_of(option); !standard.empty())
    about += fmt::format(" (default: {})", as_markdown(standard));
  if (option.value.required && !option.positional()) about += " (required)";
  return fmt::format("`{}`\n:   {}\n\n", head, about);
}

/// `level`: "##" or "###" of the headings of groups.
std::string option_entries(const CommandLine& line, bool is_program, std::string_view level) {
  std::string text;
  for (const Option& argument : visible_arguments(line)) text += option_entry(argument);
  std::string group = is_program ? "" : "Options";  // a command has its own heading already
  for (const Option& option : visible_options(line, is_program)) {
    if (!is_program && option.flags.find("--help") != std::string::npos) continue;  // every command has these
    const std::string heading = option.group.empty() ? "Options" : option.group;
    if (heading != group) text += fmt::format("{} {}\n\n", level, as_markdown(heading));
    group = heading;
    text += option_entry(option);
  }
  return text;
}

/// Indented lines of the notes become a list.
std::string notes_paragraphs(const CommandLine& line) {
  std::string text;
  std::istringstream paragraphs(line.notes);
  bool in_list = false;
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    const bool item = paragraph.starts_with("  ");
    if (in_list && !item) text += "\n";
    in_list = item;
    text +=
        item ? fmt::format("- {}\n", as_markdown(paragraph.substr(2))) : fmt::format("{}\n\n", as_markdown(paragraph));
  }
  return in_list ? text + "\n" : text;
}

std::string page_ending(const CommandLine& line) {
  std::string text = notes_paragraphs(line);
  if (!line.exit_codes.empty()) text += fmt::format("Exit codes: {}\n\n", as_markdown(line.exit_codes));
  std::string examples;
  for (const std::string& example : line.examples) examples += example + "\n";
  return examples.empty() ? text : text + fmt::format("Examples:\n\n```\n{}```\n\n", examples);
}

void append_commands(std::string& text, const CommandLine& line, const std::string& name) {
  for (const CommandLine& sub : line.subcommands) {
    const std::string full = name + " " + sub.name;
    text += fmt::format("## {}\n\n{}\n\n{}", full, as_markdown(sub.about), usage_block(sub, full));
    text += option_entries(sub, false, "###") + page_ending(sub);
    append_commands(text, sub, full);
  }
}

}  // namespace

std::string markdown_page(const CommandLine& line) {
  std::string text = fmt::format("# {}\n\n{}\n\n{}", line.name, as_markdown(line.about), usage_block(line, line.name));
  text += option_entries(line, true, "##") + page_ending(line);
  append_commands(text, line, line.name);
  return text;
}

}  // namespace busbar
