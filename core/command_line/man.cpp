// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "core/build_info.hpp"
#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// As groff prints it: no macro, no hyphen that copies as another character. Long words may break at "," and "/".
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

/// A footer of --help, by what it speaks of.
struct Notes {
  std::string notes, exit_codes, examples;  ///< as groff reads them
};

/// Lines of an example keep their form, but for a shell's continuation where they are too long for a terminal.
void append_example(std::string& text, std::string_view line) {
  constexpr std::size_t widest = 68;
  constexpr std::string_view end = ".EE\n";
  if (text.ends_with(end))
    text.resize(text.size() - end.size());
  else
    text += ".PP\n.EX\n";
  line.remove_prefix(2);
  if (const auto comment = line.find("   "); comment != std::string_view::npos) {
    text += fmt::format("# {}\n", escaped(line.substr(line.find_first_not_of(' ', comment))));
    line = line.substr(0, comment);
  }
  while (line.size() > widest) {
    auto blank = line.rfind(' ', widest);
    while (blank != std::string_view::npos && blank > 0 && std::ranges::count(line.substr(0, blank), '\'') % 2 != 0)
      blank = line.rfind(' ', blank - 1);
    if (blank == std::string_view::npos || blank == 0) break;
    text += escaped(line.substr(0, blank)) + " \\e\n    ";
    line.remove_prefix(blank + 1);
  }
  text += escaped(line) + "\n" + std::string(end);
}

/// Items of a list have lines of their own; other lines are one paragraph.
void append_note(std::string& text, std::string_view line) {
  if (line.empty())
    text += ".PP\n";
  else if (line.starts_with("  "))
    text += fmt::format(".br\n.in +4n\n.ti -2n\n{}\n.br\n.in -4n\n", escaped(line.substr(2)));
  else
    text += escaped(line) + "\n";
}

Notes notes_of(std::string_view footer) {
  Notes notes;
  std::string* part = &notes.notes;
  while (!footer.empty()) {
    const std::string_view line = footer.substr(0, footer.find('\n'));
    footer.remove_prefix(std::min(footer.size(), line.size() + 1));
    if (line == "Examples:" || line == "Example:") {
      part = &notes.examples;
      continue;
    }
    if (line.starts_with("Exit code"))
      part = &notes.exit_codes;
    else if (line.empty())
      part = &notes.notes;
    if (line.empty() && (part->empty() || part->ends_with(".PP\n"))) continue;
    if (part == &notes.examples && line.starts_with("  "))
      append_example(*part, line);
    else
      append_note(*part, line);
  }
  return notes;
}

/// "FILE...", "[FILE]".
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

/// `heading`: the macro of a group's.
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
    const Notes notes = notes_of(sub.footer);
    text += fmt::format(".SS {}\n{}.PP\n{}\n", escaped(full), synopsis(sub, full), escaped(sub.about));
    text += arguments_text(sub) + options_text(sub, false, ".PP\n.B");
    for (const std::string& part : {notes.notes, notes.exit_codes, notes.examples})
      if (!part.empty()) text += ".PP\n" + part;
    append_subcommands(text, sub, full);
  }
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string man_page(const CommandLine& line) {
  const Notes notes = notes_of(line.footer);
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"busbar {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}"
      ".SH DESCRIPTION\n{}\n",
      escaped(upper(line.name)), version(), escaped(line.name), escaped(line.about), synopsis(line, line.name),
      escaped(line.about));
  if (!notes.notes.empty()) text += ".PP\n" + notes.notes;
  if (const std::string arguments = arguments_text(line); !arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options_text(line, true, ".SS");
  if (!line.subcommands.empty()) text += ".SH COMMANDS\n";
  append_subcommands(text, line, line.name);
  if (!notes.exit_codes.empty()) text += ".SH EXIT STATUS\n" + notes.exit_codes;
  if (!notes.examples.empty()) text += ".SH EXAMPLES\n" + notes.examples;
  return text +
         ".SH SEE ALSO\n.BR busbar (1),\n.BR busbar\\-bench (1),\n.BR busbar\\-preflight (1),\n.BR busbar\\-train "
         "(1)\n";
}

}  // namespace busbar
