// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/mpi_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace busbar::libraries {
namespace {

using nlohmann::json;

bool power_of_two(int n) { return (n & (n - 1)) == 0; }

int largest_power_up_to(int n) {
  int power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

/// "one", "ranks", "power_of_two": the largest power of two that is not above the ranks.
double count_of(const std::string& word, const Situation& s) {
  if (word == "one") return 1;
  return word == "ranks" ? s.ranks : largest_power_up_to(s.ranks);
}

double line(const Situation& s, const Wanted& w) { return w.per_byte * s.size + w.plus; }

struct KnownCondition {
  std::string_view key;
  bool (*holds)(const Situation&, const Wanted&);
};
constexpr std::array conditions{
    KnownCondition{"ranks_below", [](const Situation& s, const Wanted& w) { return s.ranks < w.number; }},
    KnownCondition{"ranks_above", [](const Situation& s, const Wanted& w) { return s.ranks > w.number; }},
    KnownCondition{"ranks_below_line", [](const Situation& s, const Wanted& w) { return s.ranks < line(s, w); }},
    KnownCondition{"ranks_above_line", [](const Situation& s, const Wanted& w) { return s.ranks > line(s, w); }},
    KnownCondition{"ranks_from_line", [](const Situation& s, const Wanted& w) { return s.ranks >= line(s, w); }},
    KnownCondition{"power_of_two", [](const Situation& s, const Wanted& w) { return power_of_two(s.ranks) == w.flag; }},
    KnownCondition{"even", [](const Situation& s, const Wanted& w) { return (s.ranks % 2 == 0) == w.flag; }},
    KnownCondition{"several_nodes", [](const Situation& s, const Wanted& w) { return (s.nodes > 1) == w.flag; }},
    KnownCondition{"several_ranks_a_node",
                   [](const Situation& s, const Wanted& w) { return (s.ranks > s.nodes) == w.flag; }},
    KnownCondition{"size_below", [](const Situation& s, const Wanted& w) { return s.size < w.number; }},
    KnownCondition{"size_up_to", [](const Situation& s, const Wanted& w) { return s.size <= w.number; }},
    KnownCondition{"size_per_rank_up_to",
                   [](const Situation& s, const Wanted& w) { return s.size <= w.number * s.ranks; }},
    KnownCondition{"elements_below",
                   [](const Situation& s, const Wanted& w) { return s.elements < count_of(w.word, s); }},
    KnownCondition{"elements_up_to",
                   [](const Situation& s, const Wanted& w) { return s.elements <= count_of(w.word, s); }},
    KnownCondition{"commutative", [](const Situation& s, const Wanted& w) { return s.commutative == w.flag; }},
    KnownCondition{"from_version", [](const Situation& s, const Wanted& w) { return s.version >= w.version; }},
};

Version read_version(const std::string& text) {
  const auto version = parse_version(text);
  if (!version) throw Error(fmt::format("'{}' is no version", text));
  return *version;
}

Wanted wanted(std::string_view key, const json& j) {
  Wanted w;
  if (j.is_boolean()) w.flag = j;
  if (j.is_number()) w.number = j;
  if (j.is_array()) w.per_byte = j.at(0), w.plus = j.at(1);
  if (j.is_string()) w.word = j;
  if (key.ends_with("version")) w.version = read_version(w.word);
  return w;
}

std::vector<Condition> read_conditions(const json& rule) {
  std::vector<Condition> all;
  if (!rule.contains("if")) return all;
  for (const auto& [key, value] : rule.at("if").items()) {
    const auto known = std::ranges::find(conditions, key, &KnownCondition::key);
    if (known == conditions.end()) throw Error(fmt::format("no condition '{}'", key));
    all.push_back({.holds = known->holds, .wanted = wanted(key, value)});
  }
  return all;
}

Rule read_rule(const json& j) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  Rule rule{.conditions = read_conditions(j), .between_nodes = j.contains("between_nodes")};
  if (j.contains("use")) rule.by_size.push_back({.algorithm = j.at("use"), .limit = no_limit});
  if (j.contains("by_size"))
    for (const json& one : j.at("by_size"))
      rule.by_size.push_back({.algorithm = one.at(0), .limit = one.size() > 1 ? one.at(1).get<double>() : no_limit});
  if (rule.between_nodes != rule.by_size.empty()) throw Error("a rule has one of use, by_size, between_nodes");
  return rule;
}

RulesOfCollective read_collective(const json& j) {
  RulesOfCollective all;
  const std::string size = j.at("size");
  if (size != "buffer" && size != "block") throw Error(fmt::format("size '{}' is neither buffer nor block", size));
  all.of_block = size == "block";
  for (const json& rule : j.at("rules")) all.rules.push_back(read_rule(rule));
  if (j.contains("instead"))
    for (const json& one : j.at("instead"))
      all.instead.push_back({.of = one.at("of"), .use = one.at("use"), .conditions = read_conditions(one)});
  j.at("rows").get_to(all.rows);
  read(j, "rows_of_places", all.of_places);
  read(j, "rows_between_nodes", all.between_nodes);
  return all;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version all;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0) return std::nullopt;
    all.push_back(number);
    if (after == end) return all;
    if (*after != '.') return std::nullopt;
    at = after + 1;
  }
}

bool hold(const std::vector<Condition>& all, const Situation& s) {
  return std::ranges::all_of(all, [&](const Condition& c) { return c.holds(s, c.wanted); });
}

MpiRules parse_mpi_rules(std::string_view text, std::string_view file) {
  try {
    const json j = json::parse(text);
    MpiRules rules{.library = j.at("library"),
                   .source = j.at("source"),
                   .from = read_version(j.at("from")),
                   .before = read_version(j.at("before"))};
    for (const auto& [name, of] : j.at("collectives").items()) rules.collectives[name] = read_collective(of);
    return rules;
  } catch (const json::exception& e) {
    throw Error(fmt::format("{}: {}", file, e.what()));
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", file, e.what()));
  }
}

const std::vector<MpiRules>& mpi_rules() {
  static const std::vector<MpiRules> all{parse_mpi_rules(open_mpi_3_0_json(), "open-mpi-3.0.json"),
                                         parse_mpi_rules(open_mpi_4_1_json(), "open-mpi-4.1.json"),
                                         parse_mpi_rules(mpich_3_1_json(), "mpich-3.1.json"),
                                         parse_mpi_rules(mpich_3_4_json(), "mpich-3.4.json")};
  return all;
}

}  // namespace busbar::libraries
