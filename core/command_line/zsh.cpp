// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// Escapes `special` with backslashes, for a word in single quotes.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Action of _arguments for a value.
std::string action(const Option& option) {
  std::vector<std::string> choices;
  for (const std::string& choice : all_choices(option)) choices.push_back(escaped(choice, ":()\\ "));
  const std::string files = option.value.completes == Completes::folders ? "_files -/" : "_files";
  if (choices.empty()) return option.value.completes == Completes::nothing ? " " : files;
  if (option.value.list) return fmt::format("_sequence compadd - {}", fmt::join(choices, " "));
  if (option.value.completes == Completes::nothing) return fmt::format("({})", fmt::join(choices, " "));
  return fmt::format("_alternative \"values\\:value\\:({})\" \"files\\:file\\:{}\"", fmt::join(choices, " "), files);
}

std::string value_of(const Option& option) {
  return fmt::format(":{}:{}", escaped(option.value.name.empty() ? "value" : option.value.name, ":\\"), action(option));
}

/// Writes one specification of _arguments per name of the option.
void write_option(std::string& text, const Option& option) {
  const bool repeats = std::holds_alternative<std::vector<std::string>*>(option.target);
  const auto names = option.names();
  for (const std::string& name : names)
    text += fmt::format(" \\\n    '{}{}[{}]{}'", repeats ? "*" : fmt::format("({})", fmt::join(names, " ")), name,
                        escaped(option.about, "[]\\"), option.flag() ? "" : value_of(option));
}

void write_argument(std::string& text, const Option& option) {
  const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
  text += fmt::format(" \\\n    '{}{}{}'", many ? "*" : "", many || option.value.required ? "" : ":", value_of(option));
}

void write_function(std::string& text, const CommandLine& line, const std::string& name, bool is_program);

/// The first word is the subcommand; the subcommand completes the rest.
void write_choice(std::string& text, const CommandLine& line, const std::string& name) {
  text += " \\\n    '1: :->command' '*:: :->words'\n  case $state in\n    command)\n      commands=(";
  for (const CommandLine& sub : line.subcommands)
    text += fmt::format("\n        '{}:{}'", escaped(sub.name, ":\\"), escaped(sub.about, "\\"));
  text += ")\n      _describe -t commands command commands ;;\n    words)\n      case $words[1] in\n";
  for (const CommandLine& sub : line.subcommands) text += fmt::format("        {0}) {1}_{0} ;;\n", sub.name, name);
  text += "      esac ;;\n  esac\n";
}

/// Passes words that are not the simulator's to the completion of the simulated program.
void write_pass_on(std::string& text, const std::string& program) {
  text += fmt::format(
      " \\\n    '*:: :->words'\n  [[ $state == words ]] || return\n  words=({} \"${{words[@]}}\")\n"
      "  (( CURRENT++ ))\n  _normal\n",
      program);
}

void write_function(std::string& text, const CommandLine& line, const std::string& name, bool is_program) {
  for (const CommandLine& sub : line.subcommands) write_function(text, sub, name + "_" + sub.name, false);
  text += fmt::format(
      "{}() {{\n  local curcontext=$curcontext state line\n  local -A opt_args\n  local -a commands\n  _arguments -C",
      name);
  for (const Option& option : visible_options(line, is_program)) write_option(text, option);
  for (const Option& argument : visible_arguments(line)) write_argument(text, argument);
  if (!line.subcommands.empty())
    write_choice(text, line, name);
  else if (!line.passes_to.empty())
    write_pass_on(text, line.passes_to);
  else
    text += "\n";
  text += "}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandLine& line) {
  std::string text =
      fmt::format("#compdef {0}\n# Completion of {0} for zsh, made from its table of options.\n\n", line.name);
  write_function(text, line, function_name(line.name), true);
  return text + fmt::format("{} \"$@\"\n", function_name(line.name));
}

}  // namespace busbar
