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

/// Command lines as tables of options, which define parsing, --help, completion and manual pages. Only parse.cpp uses
/// the parser library.
namespace busbar {

/// Destination of a value. It must outlive the parsing; its initial value is the default.
using Target = std::variant<bool*, std::string*, std::vector<std::string>*, int*, std::size_t*>;

enum class Completes { nothing, files, folders };  ///< in addition to a value's choices

/// The value of an option or a positional argument.
struct Value {
  std::string name = {};                  ///< in --help: SIZE, FILE; empty: derived from the target's type
  std::vector<std::string> choices = {};  ///< for completion; with `strict` nothing else is accepted
  std::vector<std::string> (*find_choices)() = nullptr;  ///< more choices, for completion only
  Completes completes = Completes::nothing;
  bool strict = false;
  bool list = false;                           ///< for a vector: comma-separated values in one word
  bool single = false;                         ///< for a vector: one value per flag, which may be repeated
  bool required = false;                       ///< must be given
  std::string standard = {};                   ///< default in help; empty: the target's initial value
  bool common = false;                         ///< shown by --help
  int low = std::numeric_limits<int>::min();   ///< for a number
  int high = std::numeric_limits<int>::max();  ///< for a number
  std::string excludes = {};                   ///< flag of an option that must not be given too
  bool hidden = false;                         ///< omitted from help, completion and manual
};

struct Option {
  std::string flags;  ///< "-o,--out"; "FILE" for a positional argument
  Target target;
  std::string about;
  Value value = {};
  std::string group = {};  ///< heading in --help; empty: Options
  std::size_t count = 0;   ///< number of occurrences; set by parse_command_line
  std::string typed = {};  ///< which of names() was given; set by parse_command_line

  [[nodiscard]] bool positional() const { return !flags.starts_with('-'); }
  [[nodiscard]] bool flag() const { return std::holds_alternative<bool*>(target); }
  /// "-o" and "--out".
  [[nodiscard]] std::vector<std::string> names() const;
};

/// A program or a subcommand.
struct CommandLine {
  std::string name;
  std::string about;
  std::string notes = {};                  ///< after all options: one paragraph per line; indented lines form a list
  std::string exit_codes = {};             ///< "0 all cases measured; 1 ..."
  std::vector<std::string> examples = {};  ///< complete command lines; --help shows the first three
  std::vector<Option> options = {};
  std::list<CommandLine> subcommands = {};  ///< exactly one must be given
  std::string launched_by = {};             ///< text before the name in the usage line: "mpirun -np N "
  std::string heading = {};                 ///< heading for a subcommand in --help
  std::string passes_to = {};  ///< program that receives the words after "--", or from the first unknown word on;
                               ///< empty: none

  const CommandLine* chosen = nullptr;  ///< given subcommand; set by parse_command_line
  std::vector<std::string> rest = {};   ///< with passes_to; set by parse_command_line

  void add(std::string flags, Target target, std::string about = {}, Value value = {});
  /// Sets the heading of options that are added from now on.
  void begin_group(std::string heading) { group_ = std::move(heading); }
  CommandLine& add_subcommand(std::string name, std::string about);
  /// Number of occurrences of the option with this flag.
  [[nodiscard]] std::size_t count(std::string_view flag) const;
  /// The option's name for messages: as typed, otherwise `flag`.
  [[nodiscard]] std::string typed(std::string_view flag) const;

  std::string group_ = {};  ///< set by begin_group
};

/// Text that rank 0 prints instead of running: --help, --help-all, --version, --list.
struct Information {
  std::string text;
};

/// Sets the targets of `line`'s options. Returns the text for --help etc., if requested. Throws UsageError for an
/// invalid command line. `words`: without the program's name.
[[nodiscard]] std::optional<Information> parse_command_line(CommandLine& line, std::vector<std::string> words);

}  // namespace busbar
