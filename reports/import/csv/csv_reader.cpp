// SPDX-License-Identifier: Apache-2.0
#include "reports/import/csv/csv_reader.hpp"

#include <algorithm>
#include <array>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, char delimiter) : rest_(without_mark(text)), delimiter_(delimiter) {}

void CsvReader::pass(std::size_t n) {
  n = std::min(n, rest_.size());
  line_ += static_cast<int>(std::ranges::count(rest_.substr(0, n), '\n'));
  rest_.remove_prefix(n);
}

/// Collects comments on the way. False at the end of the text.
bool CsvReader::skip_to_row() {
  while (!rest_.empty()) {
    const std::string_view line = first_line(rest_), said = trimmed(line);
    if (!said.empty() && said.front() != '#') return true;
    if (const std::string_view comment = said.empty() ? said : trimmed(said.substr(1)); !comment.empty())
      comments_.emplace_back(comment);
    pass(line.size() + 1);
  }
  return false;
}

/// Reads up to the closing quote; the opening one is already consumed. Leaves the position after the closing quote.
std::string CsvReader::quoted() {
  std::string inside;
  for (std::size_t at = 0; at < rest_.size(); ++at) {
    if (rest_[at] == '"') {
      if (at + 1 == rest_.size() || rest_[at + 1] != '"') {
        pass(at + 1);
        return inside;
      }
      ++at;  // "" is an escaped quote
    }
    inside += rest_[at];
  }
  const std::string_view line = first_line(rest_);
  inside = trimmed(line);
  pass(line.size());
  return inside;
}

std::string CsvReader::cell() {
  const std::size_t first = rest_.find_first_not_of(delimiter_ == '\t' ? " " : " \t");
  std::string inside;
  const bool has_quotes = first != std::string_view::npos && rest_[first] == '"';
  if (has_quotes) {
    pass(first + 1);
    inside = quoted();
  }
  const std::array ends{delimiter_, '\n'};
  const std::size_t end = std::min(rest_.find_first_of(ends.data(), 0, ends.size()), rest_.size());
  inside += trimmed(rest_.substr(0, end));
  pass(end);
  return inside;
}

std::optional<CsvRow> CsvReader::next() {
  if (!skip_to_row()) return std::nullopt;
  CsvRow row{.line = line_, .cells = {}};
  while (true) {
    row.cells.push_back(cell());
    const bool more = !rest_.empty() && rest_.front() == delimiter_;
    pass(1);
    if (!more) return row;
  }
}

std::optional<char> csv_delimiter(std::string_view text) {
  for (text = without_mark(text); !text.empty();) {
    const std::string_view line = first_line(text), said = trimmed(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (said.empty() || said.front() == '#') continue;
    const auto times = [said](char c) { return std::ranges::count(said, c); };
    const char most = std::ranges::max({',', ';', '\t'}, {}, times);
    return times(most) > 0 ? std::optional(most) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace busbar
