// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Words of command lines and messages. All parse_* functions throw UsageError that names the flag, the text and what
/// is accepted.
namespace busbar {

/// A number in [low, high]. `what` describes it, with its bounds, for the message.
[[nodiscard]] double parse_number(std::string_view flag, const std::string& text, double low, double high,
                                  std::string_view what);

[[nodiscard]] int parse_count(std::string_view flag, const std::string& text, int low, int high);

/// 0.05 for "5", "5%" and "5 %". `low` and `high` are percentages too.
[[nodiscard]] double parse_percent(std::string_view flag, const std::string& text, double low, double high);

/// Bytes of a number of MiB, 0 to 1,000,000.
[[nodiscard]] std::uint64_t parse_mebibytes(std::string_view flag, const std::string& text);

/// Seconds in [0, 1e6].
[[nodiscard]] double parse_seconds(std::string_view flag, const std::string& text);

/// Seconds of "900ns", "1.5us", "2 ms" or "1s"; must be below 1000 s.
[[nodiscard]] double parse_duration(std::string_view flag, std::string_view text);

/// Returns `text`; throws if it is not one of `known`.
[[nodiscard]] std::string parse_choice(std::string_view flag, const std::string& text,
                                       const std::vector<std::string>& known);

/// `text` in lower case (ASCII), without the characters of `left_out`.
[[nodiscard]] std::string lower_case(std::string_view text, std::string_view left_out = "");

/// The chosen parts that are not empty, separated by commas.
[[nodiscard]] std::string join_chosen(const std::vector<std::string>& parts, const std::vector<bool>& chosen);
/// All parts that are not empty.
[[nodiscard]] std::string join_filled(const std::vector<std::string>& parts);

/// True for up to 253 letters, digits, dots, - and _, without a leading -: nothing that a launcher or shell takes for
/// an option or a command.
[[nodiscard]] bool is_host_name(std::string_view word);

/// The word of `known` that `text` probably misspells; empty if none is within a few edits.
[[nodiscard]] std::optional<std::string> closest_word(std::string_view text, const std::vector<std::string>& known);

/// "unknown topic 'sweeep'; known: sweep, output; did you mean 'sweep'?". Omits a long list if a close word exists.
[[nodiscard]] std::string unknown_word(std::string_view what, std::string_view text,
                                       const std::vector<std::string>& known);

/// Map of words such as "platform=vm". `form` says what is accepted, for the message.
[[nodiscard]] std::map<std::string, std::string> parse_assignments(std::string_view flag,
                                                                   const std::vector<std::string>& words,
                                                                   std::string_view form);

/// The words of --label.
[[nodiscard]] std::map<std::string, std::string> parse_labels(const std::vector<std::string>& words);

/// A text without the quotes around it: "'a b'" is "a b".
[[nodiscard]] std::string_view unquoted(std::string_view text);

/// Appends a value that is not in the list yet; false if it is.
template <class T>
bool add_new(std::vector<T>& known, const T& value) {
  if (std::ranges::find(known, value) != known.end()) return false;
  known.push_back(value);
  return true;
}

}  // namespace busbar
