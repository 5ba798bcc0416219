// SPDX-License-Identifier: Apache-2.0
#include "reports/import/text_lines.hpp"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>

namespace busbar {
namespace {

constexpr std::size_t longest_line = 16384;
constexpr std::size_t longest_prefix = 200;

std::size_t digits(std::string_view text, std::size_t from = 0) {
  const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_digit);
  return static_cast<std::size_t>(end - text.begin()) - from;
}

/// Removes a leading "2026-01-31T12:00:00.123Z ", as container runtimes write it.
void drop_iso_time(std::string_view& text) {
  const bool starts = digits(text) == 4 && text.size() > 11 && text[4] == '-' && text[7] == '-' && text[10] == 'T';
  if (!starts) return;
  const std::size_t blank = text.find(' ');
  if (blank <= 40) text.remove_prefix(blank + 1);
}

/// Removes "[1,0]<stdout>:", "<stderr>:" or "Thu Jul 18 15:41:05 2024[1,0]<stdout>:". True if there was one.
bool drop_output_tag(LogLine& line) {
  const std::string_view start = line.text.substr(0, longest_prefix);
  const std::size_t tag = std::min(start.find("<stdout>:"), start.find("<stderr>:"));
  if (tag == std::string_view::npos) return false;
  const std::size_t open = start.substr(0, tag).rfind('[');
  if (open != std::string_view::npos) line.stream = start.substr(open, tag - open);
  line.text.remove_prefix(tag + std::string_view("<stdout>:").size());
  return true;
}

/// Removes "0: " of srun --label, whose number may be padded with blanks. True if there was one.
bool drop_task_number(LogLine& line) {
  const std::size_t first = line.text.find_first_not_of(' ');
  if (first == std::string_view::npos || first > 6) return false;
  const std::size_t n = digits(line.text, first);
  const std::size_t end = first + n;
  if (n == 0 || n > 7 || line.text.substr(end, 2) != ": ") return false;
  line.stream = line.text.substr(first, n);
  line.text.remove_prefix(end + 2);
  return true;
}

/// Removes "[0] " of mpiexec -prepend-rank.
void drop_rank(LogLine& line) {
  if (!line.text.starts_with('[')) return;
  const std::size_t n = digits(line.text, 1);
  if (n == 0 || n > 7 || line.text.substr(1 + n, 2) != "] ") return;
  line.stream = line.text.substr(0, n + 2);
  line.text.remove_prefix(n + 3);
}

/// Half a unit in the last printed digit.
double half_unit(std::string_view text) {
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = text.substr(0, exponent_at).find('.');
  const int decimals = point == std::string_view::npos ? 0 : static_cast<int>(exponent_at - point) - 1;
  int exponent = 0;
  if (exponent_at < text.size()) {
    std::string_view rest = text.substr(exponent_at + 1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    exponent = static_cast<int>(std::clamp(integer(rest).value_or(0), -400LL, 400LL));
  }
  return 0.5 * std::pow(10.0, exponent - decimals);
}

}  // namespace

std::optional<LogLine> LogLines::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  LogLine line{.number = ++number_, .text = rest_.substr(0, std::min(end, longest_line)), .whole = end < rest_.size()};
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  while (line.text.ends_with('\r')) line.text.remove_suffix(1);
  drop_iso_time(line.text);
  if (!drop_output_tag(line) && !drop_task_number(line)) drop_rank(line);
  return line;
}

std::vector<Word> words(std::string_view line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  std::vector<Word> all;
  all.reserve(16);
  for (auto at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
    const auto end = std::find_if(at, line.end(), is_blank);
    all.push_back({.text = {at, end}, .end = static_cast<std::size_t>(end - line.begin())});
    at = end;
  }
  return all;
}

std::string_view first_word(std::string_view line) {
  const auto all = words(line);
  return all.empty() ? std::string_view{} : all.front().text;
}

std::string_view last_word(std::string_view line) {
  const auto all = words(line);
  return all.empty() ? std::string_view{} : all.back().text;
}

std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + mark.size());
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string quotable(std::string_view line) {
  constexpr std::size_t longest = 200;
  std::string said;
  for (const char c : line)
    if (c >= ' ' && c <= '~') said += c;
  said = trimmed(said);
  if (said.size() <= longest) return said;
  return said.substr(0, longest - 3) + "...";
}

bool is_name(std::string_view text) {
  constexpr std::string_view others = "_.:+-";
  const auto fits = [others](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; };
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, fits);
}

std::optional<long long> integer(std::string_view text) {
  long long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> natural_number(std::string_view text) {
  const auto value = integer(text);
  return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<int> small_integer(std::string_view text) {
  const auto value = integer(text);
  return value && *value >= 0 && *value <= INT_MAX ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

bool has_two_decimals(std::string_view text) {
  const std::size_t point = text.find('.');
  return point != std::string_view::npos && text.size() - point == 3 && digits(text, point + 1) == 2;
}

bool is_measurable(double value) {
  constexpr double least = 1e-30, most = 1e30;
  return value == 0 || (std::abs(value) >= least && std::abs(value) <= most);
}

std::optional<Rounded> rounded(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !is_measurable(value)) return std::nullopt;
  return Rounded{.value = value, .half_unit = half_unit(text)};
}

}  // namespace busbar
