// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Words of commands: {placeholders}, and splitting and quoting as in a shell.
namespace busbar::suite {

using Values = std::map<std::string, std::string>;

/// True for the values that every launch has: nodes, ranks, ranks_per_node, hosts, slots, layouts.
[[nodiscard]] bool is_placeholder_of_a_launch(std::string_view name);

/// True if `word` contains `{name}`.
[[nodiscard]] bool mentions(std::string_view word, std::string_view name);

/// Throws UsageError "<place>: ..." unless every {name} in `word` is a launch value or in `variables`, and all braces
/// are closed.
void check_placeholders(std::string_view word, const Values& variables, std::string_view place);

/// Replaces each {name} in `word` by its value. Throws like check_placeholders(), but only `values` are known.
[[nodiscard]] std::string filled(std::string_view word, const Values& values, std::string_view place);

/// Splits a command line into words like a shell: blanks separate words, '...' and "..." quote them; no backslashes or
/// variables. Throws UsageError naming `flag` for an unclosed quote.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text, std::string_view flag);

/// Quotes words into one line for a shell.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace busbar::suite
