// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// `path`: subcommands, "/suite/run"; empty for the program.
using Visit = void(std::string& text, const CommandLine& line, const std::string& path);

void visit_all(std::string& text, const CommandLine& line, const std::string& path, Visit visit) {
  visit(text, line, path);
  for (const CommandLine& sub : line.subcommands) visit_all(text, sub, path + "/" + sub.name, visit);
}

void write_path(std::string& text, const CommandLine&, const std::string& path) {
  if (!path.empty()) text += fmt::format("      {}) path+=/$word ;;\n", path);
}

/// Shell assignments for the completion of a value.
std::string assignments(const std::vector<std::string>& choices, Completes completes) {
  std::string text;
  if (!choices.empty()) text += fmt::format(" values='{}'", fmt::join(choices, " "));
  if (completes != Completes::nothing)
    text += fmt::format(" completes={}", completes == Completes::files ? "file" : "directory");
  return text;
}

/// What may follow if no option expects a value.
void write_positions(std::string& text, const CommandLine& line, const std::string& path) {
  std::vector<std::string> flags, choices;
  for (const Option& option : visible_options(line, path.empty()))
    for (const std::string& name : option.names()) flags.push_back(name);
  Completes completes = Completes::nothing;
  bool list = false;
  for (const CommandLine& sub : line.subcommands) choices.push_back(sub.name);
  for (const Option& argument : visible_arguments(line)) {
    for (std::string& choice : all_choices(argument)) choices.push_back(std::move(choice));
    if (completes != Completes::files) completes = argument.value.completes;
    list = list || argument.value.list;
  }
  text += fmt::format("    '{}') flags='{}'{}{} ;;\n", path, fmt::join(flags, " "), assignments(choices, completes),
                      list ? " list=1" : "");
}

void write_values(std::string& text, const CommandLine& line, const std::string& path) {
  for (const Option& option : visible_options(line, path.empty())) {
    if (option.flag()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names()) patterns.push_back(path + ":" + name);
    const bool many = std::holds_alternative<std::vector<std::string>*>(option.target) && !option.value.single;
    text += fmt::format("    {}) takes={}{}{} ;;\n", fmt::join(patterns, " | "), many ? "many" : "one",
                        option.value.list ? " list=1" : "", assignments(all_choices(option), option.value.completes));
  }
}

constexpr const char* find_flag =
    R"(  # The option that the word is a value of: the one before it, or one further back that takes several.
  for ((i = COMP_CWORD - 1; i > 0; i--)); do
    [[ ${COMP_WORDS[i]} == = ]] && continue
    if [[ ${COMP_WORDS[i]} == -* ]]; then
      flag=${COMP_WORDS[i]}
      break
    fi
    between=1
  done
)";

constexpr const char* reply = R"(  if [[ $cur == -* && $takes != one ]] || [[ -z $cur$takes$values$completes ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  [[ -n $list && $cur == *,* ]] && before=${cur%,*},
  COMPREPLY=($(compgen -P "$before" -W "$values" -- "${cur#"$before"}"))
  [[ -z $completes ]] && return
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -A "$completes" -- "$cur")
)";

/// Passes words that are not the simulator's to the completion of the simulated program.
std::string pass_on(const std::string& program) {
  return fmt::format(R"(  if [[ -z $takes ]]; then
    declare -F {0} >/dev/null || source "${{BASH_SOURCE[0]%/*}}/{1}" 2>/dev/null || return
    local ours=$flags
    {0}
    COMPREPLY+=($(compgen -W "$ours" -- "$cur"))
    return
  fi
)",
                     function_name(program), program);
}

}  // namespace

std::string bash_completion(const CommandLine& line) {
  std::string text = fmt::format("# Completion of {0} for bash, made from its table of options.\n{1}() {{\n", line.name,
                                 function_name(line.name));
  text +=
      "  local cur=${COMP_WORDS[COMP_CWORD]} word path= flag= between= flags= takes= values= completes= list= before= "
      "i\n"
      "  [[ $cur == = ]] && cur=\n"
      "  COMPREPLY=()\n";
  if (!line.subcommands.empty()) {
    text += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $path/$word in\n";
    visit_all(text, line, "", write_path);
    text += "    esac\n  done\n";
  }
  text += "  case $path in\n";
  visit_all(text, line, "", write_positions);
  text += std::string("  esac\n") + find_flag;
  text +=
      "  local -a positional=(\"$values\" \"$completes\" \"$list\")\n"
      "  values= completes= list=\n"
      "  case $path:$flag in\n";
  visit_all(text, line, "", write_values);
  text +=
      "  esac\n"
      "  [[ $takes == one && -n $between ]] && takes=  # what follows the one value is none of the option's\n"
      "  [[ -z $takes ]] && values=${positional[0]} completes=${positional[1]} list=${positional[2]}\n";
  if (!line.passes_to.empty()) text += pass_on(line.passes_to);
  return text + reply + fmt::format("}}\ncomplete -F {} {}\n", function_name(line.name), line.name);
}

}  // namespace busbar
