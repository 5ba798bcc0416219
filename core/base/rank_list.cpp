// SPDX-License-Identifier: Apache-2.0
#include "core/base/rank_list.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

constexpr int highest_rank = 1 << 20;
constexpr std::size_t most_ranks = std::size_t{1} << 20;  ///< a text of a few bytes must not fill the memory

/// Number of ranks from `at` on with one distance between neighbours.
std::size_t run_length(std::span<const int> ranks, std::size_t at) {
  std::size_t n = std::min<std::size_t>(2, ranks.size() - at);
  while (at + n < ranks.size() && ranks[at + n] - ranks[at + n - 1] == ranks[at + 1] - ranks[at]) ++n;
  return n;
}

/// Removes a number from the front of `text`; -1 if there is none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || number < 0 || number > highest_rank || text.starts_with('-')) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Appends "3", "0-7" or "0-56:8". False if `text` is none of them.
bool add_range(std::string_view text, std::vector<int>& ranks) {
  const int first = take_number(text);
  int last = first, step = 1;
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    last = take_number(text);
    if (text.starts_with(':')) {
      text.remove_prefix(1);
      step = take_number(text);
    }
  }
  if (!text.empty() || first < 0 || last < first || step < 1) return false;
  if (ranks.size() + static_cast<std::size_t>((last - first) / step) >= most_ranks) return false;
  for (int rank = first; rank <= last; rank += step) ranks.push_back(rank);
  return true;
}

}  // namespace

std::string rank_list(std::span<const int> ranks) {
  std::string text;
  for (std::size_t at = 0; at < ranks.size();) {
    std::size_t n = run_length(ranks, at);
    const int step = n > 1 ? ranks[at + 1] - ranks[at] : 1;
    if (n == 2) n = step == 1 ? 2 : 1;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[at]);
    if (n > 1) text += fmt::format("-{}", ranks[at + n - 1]);
    if (n > 1 && step > 1) text += fmt::format(":{}", step);
    at += n;
  }
  return text;
}

std::vector<int> parse_rank_list(std::string_view flag, std::string_view text) {
  std::vector<int> ranks;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (!add_range(text.substr(at, end - at), ranks))
      throw UsageError(fmt::format("{}: '{}' is no list of ranks, such as 0-3, 0,2,4 or 0-56:8", flag, text));
    at = end + 1;
  }
  return ranks;
}

}  // namespace busbar
