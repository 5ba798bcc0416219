// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/uneven.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"

namespace busbar {
namespace {

using Weights = std::vector<BlockShares::Weight>;
using Kind = Unevenness::Kind;

constexpr auto known_counts = "even, linear, zipf:EXPONENT, one-empty, file:COUNTS, moe:EXPERTS,TOPK,SKEW";
constexpr std::uint64_t most_weight = std::uint64_t{1} << 40;

/// Weights 1 / (i + 1)^exponent in units of 2^-20, at least 1.
Weights zipf_weights(std::size_t n, double exponent) {
  constexpr double unit = 1 << 20;
  Weights all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back(std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(unit * std::pow(static_cast<double>(i + 1), -exponent)))));
  return all;
}

/// Pseudo-random numbers that are the same on all hosts (splitmix64: Steele, Lea, Flood, OOPSLA 2014).
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  /// In [0, n).
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31)) % n;
  }

 private:
  std::uint64_t state_;
};

/// Experts from the most to the least popular.
std::vector<std::size_t> order_of_experts(std::size_t experts) {
  std::vector<std::size_t> order(experts);
  std::iota(order.begin(), order.end(), 0);
  Chance chance(experts);
  for (std::size_t i = experts; i > 1; --i) std::swap(order[i - 1], order[chance.below(i)]);
  return order;
}

/// Chooses `top_k` different experts for a token, as positions in the order of popularity. After some vain draws, the
/// most popular of the others.
std::vector<std::size_t> choose_experts(const Weights& sums, int top_k, Chance& chance) {
  constexpr int most_draws = 64;
  std::vector<std::size_t> chosen;
  const auto is_new = [&](std::size_t e) { return std::ranges::find(chosen, e) == chosen.end(); };
  while (static_cast<int>(chosen.size()) < top_k) {
    std::size_t expert = 0;
    int draws = 0;
    do expert = static_cast<std::size_t>(std::ranges::upper_bound(sums, chance.below(sums.back())) - sums.begin());
    while (!is_new(expert) && ++draws < most_draws);
    for (std::size_t next = 0; !is_new(expert); ++next) expert = next;
    chosen.push_back(expert);
  }
  return chosen;
}

std::vector<Weights> rows_of_router(const Unevenness& u, std::size_t ranks) {
  constexpr int tokens = 1024;
  const auto experts = static_cast<std::size_t>(u.experts);
  const auto order = order_of_experts(experts);
  Weights sums = zipf_weights(experts, u.exponent);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  std::vector<Weights> rows;
  for (std::size_t sender = 0; sender < ranks; ++sender) {
    Chance chance(sender);
    Weights& row = rows.emplace_back(ranks, 0);
    for (int token = 0; token < tokens; ++token)
      for (const std::size_t place : choose_experts(sums, u.top_k, chance)) ++row[order[place] * ranks / experts];
  }
  return rows;
}

std::vector<Weights> rows_of_file(const Unevenness& u, std::size_t ranks) {
  const bool fits = u.table.size() == 1 || u.table.size() == ranks;
  for (const Weights& row : u.table)
    if (!fits || row.size() != ranks)
      throw UsageError(fmt::format(
          "--counts {}: {} lines of up to {} numbers; {} ranks need 1 line, or for alltoallv "
          "{} lines, of {} numbers",
          u.name, u.table.size(), std::ranges::max(u.table, {}, &Weights::size).size(), ranks, ranks, ranks));
  return u.table;
}

std::vector<Weights> rows_of(const Unevenness& u, std::size_t ranks) {
  Weights row(ranks, 1);
  if (u.kind == Kind::file) return rows_of_file(u, ranks);
  if (u.kind == Kind::moe) return rows_of_router(u, ranks);
  if (u.kind == Kind::zipf) row = zipf_weights(ranks, u.exponent);
  if (u.kind == Kind::linear) std::iota(row.begin(), row.end(), 1);
  if (u.kind == Kind::one_empty && ranks > 1) row.back() = 0;
  return {row};
}

/// A line of the file: whole numbers, separated by spaces, commas or tabs.
Weights numbers_of(std::string_view where, std::string line) {
  std::ranges::replace(line, ',', ' ');
  std::istringstream in(line);
  Weights all;
  for (std::string word; in >> word;) {
    const bool digits = word.size() <= 12 && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || std::stoull(word) > most_weight)
      throw UsageError(fmt::format("{}: '{}' is not a whole number from 0 to {}", where, word, most_weight));
    all.push_back(std::stoull(word));
  }
  return all;
}

Unevenness counts_in_file(std::string_view flag, const std::string& path) {
  std::ifstream in(path);
  if (!in) throw UsageError(fmt::format("{} file:{}: cannot be read", flag, path));
  Unevenness u{.kind = Kind::file, .name = "file:" + std::filesystem::path(path).filename().string()};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const Weights row = numbers_of(fmt::format("{} file:{}, line {}", flag, path, ++number), line);
    if (row.empty()) continue;
    const auto sum = std::accumulate(row.begin(), row.end(), BlockShares::Weight{0});
    if (sum == 0 || sum > most_weight)
      throw UsageError(fmt::format("{} file:{}, line {}: the numbers add up to {}; accepted: 1 to {}", flag, path,
                                   number, sum, most_weight));
    u.table.push_back(row);
  }
  if (u.table.empty()) throw UsageError(fmt::format("{} file:{}: no numbers", flag, path));
  return u;
}

double exponent_of(std::string_view flag, const std::string& text) {
  return parse_number(flag, text, 0, 10, "an exponent from 0 to 10");
}

}  // namespace

bool differs_by_sender(const Unevenness& u) { return u.kind == Kind::moe || u.table.size() > 1; }

std::shared_ptr<const BlockShares> shares_of(const Unevenness& u, int ranks) {
  return std::make_shared<const BlockShares>(u.name, rows_of(u, static_cast<std::size_t>(ranks)));
}

std::vector<Unevenness> parse_counts(std::string_view flag, const std::vector<std::string>& words) {
  std::vector<Unevenness> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto colon = std::min(word.find(':'), word.size());
    const std::string kind = word.substr(0, colon), rest = word.substr(std::min(colon + 1, word.size()));
    if (word == "even") {
      all.emplace_back();
    } else if (word == "linear") {
      all.push_back({.kind = Kind::linear, .name = word});
    } else if (word == "one-empty") {
      all.push_back({.kind = Kind::one_empty, .name = word});
    } else if (kind == "zipf") {
      all.push_back({.kind = Kind::zipf, .name = word, .exponent = exponent_of(flag, rest)});
    } else if (kind == "file") {
      all.push_back(counts_in_file(flag, rest));
    } else if (kind == "moe" && i + 2 < words.size()) {
      Unevenness u{.kind = Kind::moe, .name = fmt::format("{},{},{}", word, words[i + 1], words[i + 2])};
      u.experts = parse_count(flag, rest, 1, 1 << 16);
      u.top_k = parse_count(flag, words[++i], 1, std::min(u.experts, 64));
      u.exponent = exponent_of(flag, words[++i]);
      all.push_back(u);
    } else {
      throw UsageError(fmt::format("{}: unknown '{}'; known: {}", flag, word, known_counts));
    }
  }
  return all;
}

}  // namespace busbar
