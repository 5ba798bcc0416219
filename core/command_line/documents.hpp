// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/command_line/command_line.hpp"

/// Documents generated from a command line's table.
namespace busbar {

/// Text of --help, for a screen of 80 x 40: usage, three examples, and common options (all if none is marked). `name`:
/// including the program's, "busbar show".
[[nodiscard]] std::string short_help(const CommandLine&, const std::string& name, bool is_program);
/// Text of --help-all: every option, example and note.
[[nodiscard]] std::string whole_help(const CommandLine&, const std::string& name, bool is_program);
/// Text of --help TOPIC: the options of the group whose heading starts with that word. Throws UsageError.
[[nodiscard]] std::string topic_help(const CommandLine&, const std::string& name, const std::string& topic);

/// Completion scripts: for bash to source, and for zsh to load as the function _NAME.
[[nodiscard]] std::string bash_completion(const CommandLine&);
[[nodiscard]] std::string zsh_completion(const CommandLine&);

/// A manual page of section 1, in groff's man macros.
[[nodiscard]] std::string man_page(const CommandLine&);

/// The options of a program and its commands as a page in Markdown, with definition lists; for the docs site.
[[nodiscard]] std::string markdown_page(const CommandLine&);

/// Visible options and positional arguments, including --help and, for a program, --version.
[[nodiscard]] std::vector<Option> visible_options(const CommandLine&, bool is_program);
[[nodiscard]] std::vector<Option> visible_arguments(const CommandLine&);

/// Placeholder of an option's value: SIZE, N, {text,md,json}.
[[nodiscard]] std::string value_name(const Option&);
/// Default of an option; empty if there is none, or if its text describes it.
[[nodiscard]] std::string default_of(const Option&);
[[nodiscard]] bool takes_several(const Option&);

/// All values for completion.
[[nodiscard]] std::vector<std::string> all_choices(const Option&);

/// Name of a shell function: _busbar_bench for "busbar-bench".
[[nodiscard]] std::string function_name(std::string_view program);

}  // namespace busbar
