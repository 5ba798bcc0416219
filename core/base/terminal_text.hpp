// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Makes text from records, logs, hosts and arguments safe for a terminal or log. It must not move the cursor, change
/// colours, end a line or reverse the order of characters.
namespace busbar {

/// Escapes what a terminal would act on. Control characters, line ends and invalid UTF-8 become \x1b etc.;
/// bidirectional controls, line separators and zero-width characters (Unicode TR 36, TR 9) become \u202e etc. A tab
/// becomes a space.
[[nodiscard]] std::string printable(std::string_view text);

/// Like printable(), but keeps line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Number of characters, not bytes. Counts each character as one column.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// `text` with its first letter in upper case.
[[nodiscard]] std::string capitalised(std::string text);

/// Breaks `text` at spaces into lines of at most `width` characters; a longer word gets its own line. The first line
/// begins with `first`, the others with `next`, each followed by a space unless empty.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::string first = "",
                                               const std::string& next = "");

/// A comment under a table: `first` and `text`, wrapped to 80 columns. Lines begin with "#", from the second on with
/// `indent` spaces after it.
[[nodiscard]] std::string comment_lines(const std::string& first, std::string_view text, std::size_t indent);

/// `text` on one line: printable, and shortened in the middle to `most` bytes.
[[nodiscard]] std::string message_line(std::string_view text, std::size_t most = 1000);

/// Writes "PROGRAM: TEXT" to standard error, through message_line(). Allocates: do not use it while a rank aborts.
void print_message(std::string_view program, std::string_view text);

}  // namespace busbar
