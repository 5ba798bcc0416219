// SPDX-License-Identifier: Apache-2.0
#include "core/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace busbar {

double parse_number(std::string_view flag, const std::string& text, double low, double high, std::string_view what) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || !(value >= low && value <= high))
    throw UsageError(fmt::format("{}: '{}' is not {}", flag, text, what));
  return value;
}

int parse_count(std::string_view flag, const std::string& text, int low, int high) {
  const std::string what = fmt::format("a whole number from {} to {}", low, high);
  const double value = parse_number(flag, text, low, high, what);
  if (value != std::floor(value)) throw UsageError(fmt::format("{}: '{}' is not {}", flag, text, what));
  return static_cast<int>(value);
}

double parse_seconds(std::string_view flag, const std::string& text) {
  return parse_number(flag, text, 0, 1e6, "a number of seconds from 0 to 1000000");
}

double parse_duration(std::string_view flag, std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  if (suffix.starts_with(' ')) suffix.remove_prefix(1);
  const auto unit = std::ranges::find(units, suffix, [](const auto& u) { return u.first; });
  if (problem != std::errc{} || unit == units.end() || !(number >= 0) || !(number * unit->second < 1000))
    throw UsageError(fmt::format("{}: '{}' is not a duration; say 900ns, 1.5us or 2ms", flag, text));
  return number * unit->second;
}

std::string parse_choice(std::string_view flag, const std::string& text, const std::vector<std::string>& known) {
  if (std::ranges::find(known, text) == known.end())
    throw UsageError(fmt::format("{}: unknown '{}'; known: {}", flag, text, fmt::join(known, ", ")));
  return text;
}

std::map<std::string, std::string> parse_labels(const std::vector<std::string>& words) {
  std::map<std::string, std::string> labels;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--label: '{}' is not KEY=VALUE, such as platform=vm", word));
    labels[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return labels;
}

}  // namespace busbar
