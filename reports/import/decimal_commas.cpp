// SPDX-License-Identifier: Apache-2.0
#include "reports/import/decimal_commas.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// The first number of a kind, for messages.
struct Example {
  int line = 0;  ///< 0: there is none
  std::string_view word;

  void keep(int at, std::string_view text) {
    if (line == 0) line = at, word = text;
  }
};

/// The commas of a log's tables.
struct Commas {
  std::vector<std::size_t> places;  ///< positions in the log
  Example comma, point, grouped;    ///< "12,34", "12.34", "1,048,576" or "1,024.5"
  bool all_threes = true;           ///< three digits follow each comma
};

/// True for digits in groups of three, as far as the point: "1,048,576.5". A list such as "0,1,2,3" is no number.
bool is_in_groups(std::string_view word) {
  word = word.substr(0, word.find('.'));
  for (std::size_t comma = word.find(','); comma != std::string_view::npos; comma = word.find(',')) {
    word.remove_prefix(comma + 1);
    if (std::min(word.find(','), word.size()) != 3) return false;
  }
  return true;
}

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  const std::size_t exponent = word.find_first_of("eE");
  if (exponent != std::string_view::npos && integer(word.substr(std::min(exponent + 2, word.size()))))
    word = word.substr(0, exponent);
  const auto fits = [](char c) { return is_digit(c) || c == '.' || c == ','; };
  if (word.empty() || !is_digit(word.front()) || !is_digit(word.back()) || !std::ranges::all_of(word, fits))
    return false;
  return std::ranges::count(word, '.') <= 1 && (std::ranges::count(word, ',') <= 1 || is_in_groups(word));
}

/// True for a line of numbers, with a few words at most.
bool is_table_row(const std::vector<Word>& row) {
  if (row.empty() || !is_number(row.front().text)) return false;
  const std::string_view first = row.front().text;
  const std::size_t decimals = first.size() - std::min(first.find_first_of(".,") + 1, first.size());
  if (row.size() == 1 && decimals < 2) return false;  // "0,1" may be a list of devices
  const auto numbers = std::ranges::count_if(row, [](const Word& w) { return is_number(w.text); });
  return 2 * numbers > static_cast<std::ptrdiff_t>(row.size());
}

void read_number(Commas& found, std::string_view log, int line, std::string_view word) {
  const auto commas = std::ranges::count(word, ','), points = std::ranges::count(word, '.');
  if (points == 1 && commas == 0) found.point.keep(line, word);
  if (commas > 1 || (commas == 1 && points > 0)) found.grouped.keep(line, word);
  if (commas != 1 || points > 0) return;
  const std::size_t comma = word.find(',');
  const std::string_view decimals = word.substr(comma + 1);
  found.comma.keep(line, word);
  found.all_threes = found.all_threes && std::min(decimals.find_first_not_of("0123456789"), decimals.size()) == 3;
  found.places.push_back(static_cast<std::size_t>(word.data() - log.data()) + comma);
}

/// `all`: reads lines without a comma as well, for numbers with points.
Commas find_commas(std::string_view log, bool all) {
  Commas found;
  LogLines lines(log);
  while (const auto line = lines.next()) {
    if (!all && !holds(line->text, ",")) continue;
    const std::vector<Word> row = words(line->text);
    const bool average = holds(line->text, "Avg bus bandwidth");  // nccl-tests' check sum
    if (!average && !is_table_row(row)) continue;
    for (const Word& word : row)
      if (is_number(word.text) && (!average || holds(word.text, ","))) read_number(found, log, line->number, word.text);
  }
  return found;
}

void check_commas(const std::string& source, const Commas& found) {
  constexpr std::string_view what =
      "whether commas stand before decimals or thousands is not clear; write decimal points";
  const auto refuse = [&](const Example& a, const Example& b) {
    throw UsageError(fmt::format("{}: '{}' (line {}) and '{}' (line {}): {}", source, quotable(a.word), a.line,
                                 quotable(b.word), b.line, what));
  };
  if (found.comma.line > 0 && found.point.line > 0) refuse(found.comma, found.point);
  if (found.comma.line > 0 && found.grouped.line > 0) refuse(found.comma, found.grouped);
  if (found.grouped.line > 0 || found.all_threes) {
    const Example& one = found.grouped.line > 0 ? found.grouped : found.comma;
    throw UsageError(fmt::format("{}: '{}' (line {}): {}", source, quotable(one.word), one.line, what));
  }
}

}  // namespace

std::optional<std::string> with_decimal_points(std::string_view log, const std::string& source) {
  const Commas some = find_commas(log, false);
  if (some.comma.line == 0 && some.grouped.line == 0) return std::nullopt;
  const Commas found = find_commas(log, true);
  check_commas(source, found);
  std::string text(log);
  for (const std::size_t place : found.places) text[place] = '.';
  return text;
}

}  // namespace busbar
