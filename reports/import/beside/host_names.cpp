// SPDX-License-Identifier: Apache-2.0
#include "reports/import/beside/host_names.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/core.h>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_hosts = 100'000, longest_host = 255;

bool is_letter_of_host(char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; }

bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_host && name.front() != '-' && name.front() != '.' &&
         std::ranges::all_of(name, is_letter_of_host) && !std::ranges::all_of(name, is_digit);
}

/// Position of the first comma outside brackets; npos if there is none.
std::size_t comma_of(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '[') - (text[i] == ']');
    if (text[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Numbers of "001-003,007", with their zeros; false if it is no such list.
bool add_range(std::string_view range, std::vector<std::string>& numbers) {
  const std::size_t dash = range.find('-');
  const std::string_view low_text = range.substr(0, dash);
  const auto low = small_integer(low_text);
  const auto high = dash == std::string_view::npos ? low : small_integer(range.substr(dash + 1));
  if (low_text.empty() || !is_digit(low_text.front()) || !low || !high || *high < *low) return false;
  if (static_cast<std::size_t>(*high - *low) >= most_hosts - std::min(most_hosts, numbers.size())) return false;
  for (int n = *low;; ++n) {
    numbers.push_back(fmt::format("{:0{}}", n, low_text.size()));
    if (n == *high) return true;
  }
}

/// Adds the names of one word: "r[1-2]n[1-4]".
bool add_names(const std::string& before, std::string_view rest, std::vector<std::string>& names) {
  const std::size_t open = rest.find('[');
  if (open == std::string_view::npos) {
    std::string name = before + std::string(rest);
    if (!is_host_name(name) || names.size() >= most_hosts) return false;
    names.push_back(std::move(name));
    return true;
  }
  const std::size_t close = rest.find(']', open);
  if (close == std::string_view::npos) return false;
  std::vector<std::string> numbers;
  for (std::string_view list = rest.substr(open + 1, close - open - 1);;) {
    const std::size_t comma = list.find(',');
    if (!add_range(list.substr(0, comma), numbers)) return false;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return std::ranges::all_of(numbers, [&](const std::string& number) {
    return add_names(before + std::string(rest.substr(0, open)) + number, rest.substr(close + 1), names);
  });
}

}  // namespace

std::optional<std::vector<std::string>> expand_hosts(std::string_view text) {
  constexpr std::size_t longest = 1 << 20, most_brackets = 3;
  if (text.size() > longest) return std::nullopt;
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = comma_of(text);
    const std::string_view word = text.substr(0, comma);
    if (std::ranges::count(word, '[') > static_cast<std::ptrdiff_t>(most_brackets) || !add_names("", word, names))
      return std::nullopt;
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> distinct_hosts(const std::vector<std::string>& names) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> all;
  for (const std::string& name : names)
    if (seen.insert(name).second) all.push_back(name);
  return all;
}

std::string_view short_host(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace busbar
