// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text from records, logs, hosts and arguments on its way to a terminal or a log: none of it may move the cursor,
/// change colours, end a line or reverse the order of letters.
namespace busbar {

/// `text` with what a terminal would act on made visible: control characters, line ends and bytes that are no UTF-8 as
/// \x1b, bidirectional controls, line separators and letters of no width (Unicode TR 36, TR 9) as \u202e.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for a text of many lines: these stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Characters, not bytes; all count as one column wide.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// With its first letter in upper case.
[[nodiscard]] std::string capitalised(std::string text);

/// Lines of at most `width` characters, broken at blanks; a word that is longer has a line of its own. `first` and
/// `next` stand at the begin of the first line and of the others, a blank behind the first.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::string first = "",
                                               const std::string& next = "");

/// A comment of a table: `text` behind `first`, in lines of 80 columns that begin with "#" and `indent` blanks.
[[nodiscard]] std::string comment_lines(const std::string& first, std::string_view text, std::size_t indent);

/// A message on one line: printable, and shortened in its middle to `most` bytes.
[[nodiscard]] std::string message_line(std::string_view text, std::size_t most = 1000);

/// "busbar: TEXT" on standard error, as a message_line. Not for the last words of a rank that aborts.
void print_message(std::string_view program, std::string_view text);

}  // namespace busbar
