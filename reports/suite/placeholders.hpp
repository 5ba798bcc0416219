// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Words of commands: {names} in them that stand for something, and words as a shell has them.
namespace busbar::suite {

using Values = std::map<std::string, std::string>;

/// True for what each launch has a value for: nodes, ranks, ranks_per_node, hosts, slots, layouts.
[[nodiscard]] bool is_placeholder_of_a_launch(std::string_view name);

/// True where `{name}` stands in `word`.
[[nodiscard]] bool mentions(std::string_view word, std::string_view name);

/// Throws UsageError "<place>: ..." unless each {name} in `word` is one of a launch's or of `variables`, and each brace
/// is closed.
void check_placeholders(std::string_view word, const Values& variables, std::string_view place);

/// `word` with each {name} replaced by its value. Throws as check_placeholders(), of `values` alone.
[[nodiscard]] std::string filled(std::string_view word, const Values& values, std::string_view place);

/// Words of a command line as a shell splits it: blanks between them, '...' and "..." around what holds blanks; no
/// backslash, no variable. Throws UsageError, naming `flag`, where a quote is not closed.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text, std::string_view flag);

/// The words as one line that a shell takes apart again.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace busbar::suite
