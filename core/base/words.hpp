// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Words of a command line as values. Each throws UsageError "<flag>: '<text>' is not <what would be>".
namespace busbar {

/// `what`: what it should be, with its bounds, which it holds.
[[nodiscard]] double parse_number(std::string_view flag, const std::string& text, double low, double high,
                                  std::string_view what);

[[nodiscard]] int parse_count(std::string_view flag, const std::string& text, int low, int high);

/// 0.05 for "5", "5%" and "5 %"; `low` and `high` are in per cent, as the text is.
[[nodiscard]] double parse_percent(std::string_view flag, const std::string& text, double low, double high);

/// 0 to 1e6.
[[nodiscard]] double parse_seconds(std::string_view flag, const std::string& text);

/// Seconds behind "900ns", "1.5us", "2 ms", "1s"; below 1000 of them.
[[nodiscard]] double parse_duration(std::string_view flag, std::string_view text);

/// `text` itself, which has to be one of `known`.
[[nodiscard]] std::string parse_choice(std::string_view flag, const std::string& text,
                                       const std::vector<std::string>& known);

/// The word of `known` that was meant by `text`: a few letters apart at most. Empty: none is near.
[[nodiscard]] std::optional<std::string> closest_word(std::string_view text, const std::vector<std::string>& known);

/// "unknown topic 'sweeep'; known: sweep, output; did you mean 'sweep'?". A long list is left out where a word is near.
[[nodiscard]] std::string unknown_word(std::string_view what, std::string_view text,
                                       const std::vector<std::string>& known);

/// "platform=vm" each.
[[nodiscard]] std::map<std::string, std::string> parse_labels(const std::vector<std::string>& words);

}  // namespace busbar
