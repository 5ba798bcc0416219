// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/command_line/command_line.hpp"

/// What is made of a command line's table, beside the parsing.
namespace busbar {

/// What --help prints, on a screen of 80 x 40: usage, three examples, the options that are marked as common (all where
/// none is). `name`: with the program's, "busbar show".
[[nodiscard]] std::string short_help(const CommandLine&, const std::string& name, bool is_program);
/// What --help-all prints: every option, example and note.
[[nodiscard]] std::string whole_help(const CommandLine&, const std::string& name, bool is_program);
/// What --help TOPIC prints: the options of one group, by the first word of its heading. Throws UsageError.
[[nodiscard]] std::string topic_help(const CommandLine&, const std::string& name, const std::string& topic);

/// A script that bash loads, and one that zsh loads as the function _NAME.
[[nodiscard]] std::string bash_completion(const CommandLine&);
[[nodiscard]] std::string zsh_completion(const CommandLine&);

/// A manual page of section 1, for groff's macros man.
[[nodiscard]] std::string man_page(const CommandLine&);

/// The options and the positional arguments that a user is told of, with --help, and --version of a program.
[[nodiscard]] std::vector<Option> visible_options(const CommandLine&, bool is_program);
[[nodiscard]] std::vector<Option> visible_arguments(const CommandLine&);

/// What stands for an option's value: SIZE, N, {text,md,json}.
[[nodiscard]] std::string value_name(const Option&);
/// What an option that is not given stands for; empty: nothing, or its text says what.
[[nodiscard]] std::string default_of(const Option&);
[[nodiscard]] bool takes_several(const Option&);

/// All values that completion offers.
[[nodiscard]] std::vector<std::string> all_choices(const Option&);

/// A shell function's name: _busbar_bench of "busbar-bench".
[[nodiscard]] std::string function_name(std::string_view program);

}  // namespace busbar
