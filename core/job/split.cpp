// SPDX-License-Identifier: Apache-2.0
#include "core/job/split.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/rank_list.hpp"
#include "core/base/words.hpp"

namespace busbar {
namespace {

using Rule = Split::Rule;
using Groups = std::vector<std::vector<int>>;

constexpr int largest_value = 1 << 24;

struct RuleRow {
  std::array<std::string_view, 2> words;  ///< busbar's, then nccl-tests' in lower case
  int (*colour)(int rank, int value);
};
/// In the order of Rule, without lists.
constexpr std::array<RuleRow, 4> rule_rows{{{{"%", "mod"}, [](int rank, int value) { return rank % value; }},
                                            {{"/", "div"}, [](int rank, int value) { return rank / value; }},
                                            {{"&", "and"}, [](int rank, int value) { return rank & value; }},
                                            {{"|", "or"}, [](int rank, int value) { return rank | value; }}}};

const RuleRow& row_of(Rule rule) { return rule_rows.at(static_cast<std::size_t>(rule)); }

std::string_view without_spaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Removes `word` from the front, and spaces after it.
bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = without_spaces(text.substr(word.size()));
  return true;
}

/// `text` is in lower case.
std::optional<int> value_of(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x"))
    base = 16;
  else if (text.starts_with("0b"))
    base = 2;
  else if (text.size() > 1 && text.starts_with('0'))
    base = 8;
  if (base == 16 || base == 2) text.remove_prefix(2);
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const bool whole = !text.empty() && end == text.data() + text.size() && !text.starts_with('-');
  return problem == std::errc{} && whole && value <= largest_value ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(std::string_view flag, const std::string& text, std::string_view why) {
  throw UsageError(
      fmt::format("{}: '{}' {}; give 'rank % N', 'rank / N', 'rank & MASK', 'rank | MASK', lists of ranks "
                  "such as '0-3;4-7', or nccl-tests' MOD N, DIV N, AND MASK, OR MASK",
                  flag, text, why));
}

std::optional<Split> parse_rule(std::string_view flag, const std::string& text, std::string_view rest) {
  for (const Rule rule : {Rule::modulo, Rule::quotient, Rule::bitwise_and, Rule::bitwise_or})
    for (const std::string_view word : row_of(rule).words) {
      if (!skip(rest, word)) continue;
      const auto value = value_of(rest);
      if (!value) refuse(flag, text, fmt::format("has no number from 0 to {} after '{}'", largest_value, word));
      if (*value == 0 && (rule == Rule::modulo || rule == Rule::quotient)) refuse(flag, text, "divides by 0");
      return Split{.rule = rule, .value = *value, .lists = {}};
    }
  return std::nullopt;
}

Split parse_lists(std::string_view flag, const std::string& text, std::string_view rest) {
  Split split{.rule = Rule::lists, .value = 0, .lists = {}};
  std::vector<int> all;
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t end = std::min(rest.find(';', at), rest.size());
    auto ranks = parse_rank_list(flag, without_spaces(rest.substr(at, end - at)));
    std::ranges::sort(ranks);
    all.insert(all.end(), ranks.begin(), ranks.end());
    split.lists.push_back(std::move(ranks));
    at = end + 1;
  }
  std::ranges::sort(all);
  if (const auto twice = std::ranges::adjacent_find(all); twice != all.end())
    refuse(flag, text, fmt::format("has rank {} twice", *twice));
  std::ranges::sort(split.lists);
  return split;
}

/// "5 groups of 3, 1 of 2 ranks"
std::string sizes_text(const Groups& groups) {
  std::map<std::size_t, std::size_t, std::greater<>> sizes;
  for (const auto& group : groups) ++sizes[group.size()];
  std::string text;
  for (const auto& [size, n] : sizes)
    text += fmt::format("{}{}{} of {}", text.empty() ? "" : ", ", n, text.empty() ? n == 1 ? " group" : " groups" : "",
                        size);
  return text + " ranks";
}

Groups by_colour(const Split& split, int ranks) {
  std::map<int, std::size_t> at;
  Groups groups;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto [it, is_new] = at.try_emplace(row_of(split.rule).colour(rank, split.value), groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(rank);
  }
  return groups;
}

}  // namespace

std::string to_string(const Split& s) {
  if (s.rule == Rule::lists) {
    std::string text = "ranks ";
    for (const auto& ranks : s.lists) text += (text.size() == 6 ? "" : ";") + rank_list(ranks);
    return text;
  }
  const bool low_bits = std::has_single_bit(static_cast<unsigned>(s.value) + 1U);
  if (s.rule == Rule::bitwise_and && low_bits) return fmt::format("rank % {}", s.value + 1);
  if (s.rule == Rule::bitwise_or && low_bits) return fmt::format("rank / {}", s.value + 1);
  return fmt::format("rank {} {}", row_of(s.rule).words[0], s.value);
}

Split parse_split(std::string_view flag, const std::string& text) {
  const std::string lower = lower_case(text);
  std::string_view rest = without_spaces(lower);
  const bool lists = skip(rest, "ranks");
  const bool rule = !lists && skip(rest, "rank");
  if (!lists)
    if (const auto found = parse_rule(flag, text, rest)) return *found;
  const bool digit = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
  if (rule || !digit) refuse(flag, text, "forms no groups of ranks");
  return parse_lists(flag, text, rest);
}

std::vector<std::vector<int>> groups_of(const Split& split, int ranks) {
  Groups groups = split.rule == Rule::lists ? split.lists : by_colour(split, ranks);
  for (const auto& group : groups)
    if (group.back() >= ranks)
      throw UsageError(fmt::format("--split '{}': rank {} does not exist; this job has ranks 0 to {}", to_string(split),
                                   group.back(), ranks - 1));
  for (const auto& group : groups)
    if (group.size() != groups[0].size())
      throw UsageError(fmt::format(
          "--split '{}': forms {}; give a rule whose groups have equally many ranks, because they share cases",
          to_string(split), sizes_text(groups)));
  return groups;
}

}  // namespace busbar
