// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Command lines as tables of options, from which parsing, --help, completion and manual pages come. Only parse.cpp
/// knows the library that parses.
namespace busbar {

/// Where a word of the command line goes. It has to outlive the parsing; what it holds before is the default.
using Target = std::variant<bool*, std::string*, std::vector<std::string>*, int*, std::size_t*>;

enum class Completes { nothing, files, folders };  ///< beside the choices of a value

/// The value of an option or a positional argument.
struct Value {
  std::string name = {};                  ///< in --help: SIZE, FILE; empty: by the type of the target
  std::vector<std::string> choices = {};  ///< that completion offers; nothing else is accepted where `strict`
  std::vector<std::string> (*find_choices)() = nullptr;  ///< more of them, which only completion looks for
  Completes completes = Completes::nothing;
  bool strict = false;
  bool list = false;                           ///< of a vector: several values in one word, separated by commas
  bool single = false;                         ///< of a vector: one value a flag, which may be repeated
  bool required = false;                       ///< a command line without it is wrong
  std::string standard = {};                   ///< default in help; empty: what the target holds before the parsing
  bool common = false;                         ///< one of the few that --help shows
  int low = std::numeric_limits<int>::min();   ///< of a number
  int high = std::numeric_limits<int>::max();  ///< of a number
  std::string excludes = {};                   ///< flag of an option that cannot be given as well
  bool hidden = false;                         ///< in no help, completion or manual
};

struct Option {
  std::string flags;  ///< "-o,--out"; "FILE" of a positional argument
  Target target;
  std::string about;
  Value value = {};
  std::string group = {};  ///< heading in --help; empty: Options
  std::size_t count = 0;   ///< how often it was given; set by parse_command_line
  std::string typed = {};  ///< the one of names() that was given; set by parse_command_line

  [[nodiscard]] bool positional() const { return !flags.starts_with('-'); }
  [[nodiscard]] bool flag() const { return std::holds_alternative<bool*>(target); }
  /// "-o" and "--out".
  [[nodiscard]] std::vector<std::string> names() const;
};

/// A program or a subcommand.
struct CommandLine {
  std::string name;
  std::string about;
  std::string notes = {};                  ///< below all options: a paragraph a line; lines behind blanks are a list
  std::string exit_codes = {};             ///< "0 all cases measured; 1 ..."
  std::vector<std::string> examples = {};  ///< whole command lines; --help shows the first three
  std::vector<Option> options = {};
  std::list<CommandLine> subcommands = {};  ///< of which one has to be given
  std::string launched_by = {};             ///< what stands before the name in the usage: "mpirun -np N "
  std::string heading = {};                 ///< of a subcommand, among the others in --help
  std::string passes_to = {};  ///< program whose words follow: what stands behind "--", or from the first word that is
                               ///< none of ours on; empty: none

  const CommandLine* chosen = nullptr;  ///< subcommand that was given; set by parse_command_line
  std::vector<std::string> rest = {};   ///< with passes_to; set by parse_command_line

  void add(std::string flags, Target target, std::string about = {}, Value value = {});
  /// Options that are added from now on stand below this heading.
  void begin_group(std::string heading) { group_ = std::move(heading); }
  CommandLine& add_subcommand(std::string name, std::string about);
  /// How often the option with this flag was given.
  [[nodiscard]] std::size_t count(std::string_view flag) const;
  /// The name by which messages call the option with this flag: the one that was typed, otherwise the flag.
  [[nodiscard]] std::string typed(std::string_view flag) const;

  std::string group_ = {};  ///< of begin_group
};

/// Text to print on rank 0 instead of working: --help, --help-all, --version, --list.
struct Information {
  std::string text;
};

/// Sets what the options of `line` point to. Gives what to print instead, where that was asked for; throws UsageError
/// for a wrong line. `words`: without the program's name.
[[nodiscard]] std::optional<Information> parse_command_line(CommandLine& line, std::vector<std::string> words);

}  // namespace busbar
