// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"

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

double parse_percent(std::string_view flag, const std::string& text, double low, double high) {
  std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  while (number.ends_with(' ')) number.pop_back();
  const std::string what = fmt::format("a percentage from {:g} to {:g}", low, high);
  try {
    return parse_number(flag, number, low, high, what) / 100;
  } catch (const UsageError&) {
    throw UsageError(fmt::format("{}: '{}' is not {}", flag, text, what));
  }
}

std::uint64_t parse_mebibytes(std::string_view flag, const std::string& text) {
  const double mb = parse_number(flag, text, 0, 1e6, "a number of MiB from 0 to 1000000");
  return static_cast<std::uint64_t>(mb * 1048576);
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
    throw UsageError(fmt::format("{}: {}", flag, unknown_word("", text, known)));
  return text;
}

std::string lower_case(std::string_view text, std::string_view left_out) {
  std::string lower;
  for (const char c : text)
    if (left_out.find(c) == std::string_view::npos)
      lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string join_chosen(const std::vector<std::string>& parts, const std::vector<bool>& chosen) {
  std::string s;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (chosen[i] && !parts[i].empty()) s += (s.empty() ? "" : ", ") + parts[i];
  return s;
}

std::string join_filled(const std::vector<std::string>& parts) {
  return join_chosen(parts, std::vector<bool>(parts.size(), true));
}

bool is_host_name(std::string_view word) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_'; };
  return !word.empty() && word.size() <= 253 && word[0] != '-' && std::ranges::all_of(word, plain);
}

/// Edit distance: insertions, deletions, substitutions, and swaps of neighbours (V. Levenshtein 1966, F. Damerau 1964).
/// Restricted: edits no substring twice.
static std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::optional<std::string> closest_word(std::string_view text, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 40;
  if (text.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t least = 1 + text.size() / 3;
  for (const std::string& word : known) {
    const std::size_t distance = edit_distance(text, word);
    if (distance >= least) continue;
    least = distance;
    best = word;
  }
  return best;
}

std::string unknown_word(std::string_view what, std::string_view text, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 160;
  std::string message = fmt::format("unknown {}{}'{}'", what, what.empty() ? "" : " ", text);
  const auto near = closest_word(text, known);
  if (const std::string all = fmt::format("{}", fmt::join(known, ", ")); !near || all.size() <= longest)
    message += "; known: " + all;
  return near ? fmt::format("{}; did you mean '{}'?", message, *near) : message;
}

std::map<std::string, std::string> parse_assignments(std::string_view flag, const std::vector<std::string>& words,
                                                     std::string_view form) {
  std::map<std::string, std::string> all;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("{}: '{}' is not {}", flag, word, form));
    all[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return all;
}

std::map<std::string, std::string> parse_labels(const std::vector<std::string>& words) {
  return parse_assignments("--label", words, "KEY=VALUE, such as platform=vm");
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace busbar
