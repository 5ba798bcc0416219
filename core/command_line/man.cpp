// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// Escapes text for groff: no macros, and hyphens that copy as "-". Long words may break after ",", "/" and "|".
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '\'' || c == '.') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
    if (c == ',' || c == '/' || c == '|') out += "\\:";
  }
  return out;
}

/// Keeps the example's form, but breaks lines too long for a terminal with a shell continuation.
std::string example_text(std::string_view example) {
  constexpr std::size_t widest = 68;
  std::string text;
  while (example.size() > widest) {
    auto blank = example.rfind(' ', widest);
    while (blank != std::string_view::npos && blank > 0 && std::ranges::count(example.substr(0, blank), '\'') % 2 != 0)
      blank = example.rfind(' ', blank - 1);
    if (blank == std::string_view::npos || blank == 0) break;
    text += escaped(example.substr(0, blank)) + " \\e\n    ";
    example.remove_prefix(blank + 1);
  }
  return text + escaped(example) + "\n";
}

std::string examples_text(const CommandLine& line) {
  std::string text;
  for (const std::string& example : line.examples) text += example_text(example);
  return text.empty() ? "" : ".PP\n.EX\n" + text + ".EE\n";
}

/// List items get their own lines.
std::string notes_text(const CommandLine& line) {
  std::string text;
  std::istringstream paragraphs(line.notes);
  for (std::string paragraph; std::getline(paragraphs, paragraph);)
    text += paragraph.starts_with("  ")
                ? fmt::format(".br\n.in +4n\n.ti -2n\n{}\n.br\n.in -4n\n", escaped(paragraph.substr(2)))
                : fmt::format(".PP\n{}\n", escaped(paragraph));
  return text;
}

/// "FILE..." or "[FILE]".
std::string argument_synopsis(const Option& argument) {
  const std::string name = fmt::format("\\fI{}\\fR{}", escaped(argument.flags), takes_several(argument) ? "..." : "");
  return argument.value.required ? name : fmt::format("[{}]", name);
}

std::string synopsis(const CommandLine& line, const std::string& name) {
  std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", escaped(name));
  for (const Option& argument : visible_arguments(line)) text += " " + argument_synopsis(argument);
  if (!line.subcommands.empty()) text += " \\fICOMMAND\\fR";
  if (!line.passes_to.empty()) text += fmt::format(" [words of \\fB{}\\fR]", escaped(line.passes_to));
  return text + "\n";
}

std::string paragraph_of(const Option& option) {
  std::string head;
  for (const std::string& name : option.names())
    head += fmt::format("{}\\f{}{}\\fR", head.empty() ? "" : ", ", option.positional() ? 'I' : 'B', escaped(name));
  if (!option.positional() && !option.flag())
    head += fmt::format(" \\fI{}\\fR{}", escaped(value_name(option)), takes_several(option) ? " ..." : "");
  std::string text = fmt::format(".TP\n{}\n{}", head, escaped(option.about));
  if (const std::string standard = default_of(option); !standard.empty())
    text += fmt::format(" (default: {})", escaped(standard));
  if (option.value.required && !option.positional()) text += " (required)";
  return text + "\n";
}

std::string arguments_text(const CommandLine& line) {
  std::string text;
  for (const Option& argument : visible_arguments(line)) text += paragraph_of(argument);
  return text;
}

/// `heading`: macro for the heading of a group.
std::string options_text(const CommandLine& line, bool is_program, std::string_view heading) {
  std::string text, group;
  for (const Option& option : visible_options(line, is_program)) {
    if (option.group != group) text += fmt::format("{} \"{}\"\n", heading, option.group);
    group = option.group;
    text += paragraph_of(option);
  }
  return text;
}

void append_subcommands(std::string& text, const CommandLine& line, const std::string& name) {
  for (const CommandLine& sub : line.subcommands) {
    const std::string full = name + " " + sub.name;
    text += fmt::format(".SS {}\n{}.PP\n{}\n", escaped(full), synopsis(sub, full), escaped(sub.about));
    text += arguments_text(sub) + options_text(sub, false, ".PP\n.B");
    text += notes_text(sub);
    if (!sub.exit_codes.empty()) text += fmt::format(".PP\nExit codes: {}\n", escaped(sub.exit_codes));
    text += examples_text(sub);
    append_subcommands(text, sub, full);
  }
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string man_page(const CommandLine& line) {
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"busbar {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}"
      ".SH DESCRIPTION\n{}\n",
      escaped(upper(line.name)), version(), escaped(line.name), escaped(line.about), synopsis(line, line.name),
      escaped(line.about));
  text += notes_text(line);
  if (const std::string arguments = arguments_text(line); !arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options_text(line, true, ".SS");
  if (!line.subcommands.empty()) text += ".SH COMMANDS\n";
  append_subcommands(text, line, line.name);
  if (!line.exit_codes.empty()) text += fmt::format(".SH EXIT STATUS\n{}\n", escaped(line.exit_codes));
  if (!line.examples.empty()) text += ".SH EXAMPLES\n" + examples_text(line);
  return text +
         ".SH SEE ALSO\n.BR busbar (1),\n.BR busbar\\-bench (1),\n.BR busbar\\-preflight (1),\n.BR busbar\\-train "
         "(1)\n";
}

}  // namespace busbar
