// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/command_line/command_line.hpp"

/// What else is made of a command line's table, beside --help.
namespace busbar {

/// A script that bash loads, and one that zsh loads as the function _NAME.
[[nodiscard]] std::string bash_completion(const CommandLine&);
[[nodiscard]] std::string zsh_completion(const CommandLine&);

/// A manual page of section 1, for groff's macros man.
[[nodiscard]] std::string man_page(const CommandLine&);

/// The options and the positional arguments that a user is told of, with --help, and --version of a program.
[[nodiscard]] std::vector<Option> visible_options(const CommandLine&, bool is_program);
[[nodiscard]] std::vector<Option> visible_arguments(const CommandLine&);

/// All values that completion offers.
[[nodiscard]] std::vector<std::string> all_choices(const Option&);

/// A shell function's name: _busbar_bench of "busbar-bench".
[[nodiscard]] std::string function_name(std::string_view program);

}  // namespace busbar
