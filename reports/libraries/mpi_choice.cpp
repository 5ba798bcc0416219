// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/mpi_choice.hpp"

#include <algorithm>
#include <utility>

#include "reports/libraries/mpi_rules.hpp"

namespace busbar::libraries {
namespace {

struct Found {
  const MpiRules* rules = nullptr;
  Version version;
};

/// "4.1.4" of "4.1.4, package: ..." and of "4.1.4rc1".
std::string_view leading_version(std::string_view text) {
  return text.substr(0, text.find_first_not_of("0123456789."));
}

Found rules_of(std::string_view library) {
  for (const MpiRules& rules : mpi_rules()) {
    if (!library.starts_with(rules.library + " ")) continue;
    const auto version = parse_version(leading_version(library.substr(rules.library.size() + 1)));
    if (version && *version >= rules.from && *version < rules.before) return {.rules = &rules, .version = *version};
  }
  return {};
}

const RulesOfCollective* collective_of(const Found& found, std::string_view collective) {
  if (found.rules == nullptr) return nullptr;
  const auto at = found.rules->collectives.find(collective);
  return at == found.rules->collectives.end() ? nullptr : &at->second;
}

Situation situation_of(const MpiCall& call, const RulesOfCollective& rules, Version version) {
  const auto bytes = static_cast<double>(call.bytes);
  return {.version = std::move(version),
          .ranks = call.ranks,
          .nodes = call.nodes,
          .size = rules.of_block ? bytes / call.ranks : bytes,
          .elements = bytes / static_cast<double>(std::max<std::uint64_t>(call.element_bytes, 1)),
          .commutative = call.commutative};
}

std::string with_replacements(const RulesOfCollective& rules, const Situation& s, std::string algorithm) {
  for (const Instead& one : rules.instead)
    if (one.of == algorithm && hold(one.conditions, s)) algorithm = one.use;
  return algorithm;
}

/// The first row for the algorithm; empty if there is none.
std::string row_in(std::initializer_list<const Rows*> all, std::string_view algorithm) {
  for (const Rows* rows : all)
    if (const auto row = rows->find(algorithm); row != rows->end()) return row->second;
  return {};
}

std::string row_of(const RulesOfCollective& rules, const Situation& s, std::string_view algorithm) {
  const bool one_a_place = s.nodes == 1 || s.ranks == s.nodes;
  return one_a_place ? row_in({&rules.of_places, &rules.rows}, algorithm) : row_in({&rules.rows}, algorithm);
}

std::optional<MpiChoice> choose(const RulesOfCollective& rules, Situation s, bool between_nodes) {
  const auto rule = std::ranges::find_if(rules.rules, [&](const Rule& r) { return hold(r.conditions, s); });
  if (rule == rules.rules.end()) return std::nullopt;
  if (rule->between_nodes) {
    s.ranks = s.nodes;
    return choose(rules, std::move(s), true);
  }
  const auto below = std::ranges::find_if(rule->by_size, [&](const BelowSize& b) { return s.size < b.limit; });
  if (below == rule->by_size.end()) return std::nullopt;
  MpiChoice choice{.algorithm = with_replacements(rules, s, below->algorithm), .between_nodes = between_nodes};
  choice.row = between_nodes ? row_in({&rules.between_nodes}, choice.algorithm) : row_of(rules, s, choice.algorithm);
  return choice;
}

}  // namespace

std::optional<MpiChoice> mpi_choice(std::string_view library, const MpiCall& call) {
  Found found = rules_of(library);
  const RulesOfCollective* rules = collective_of(found, call.collective);
  if (rules == nullptr || call.ranks < 2 || call.nodes < 1) return std::nullopt;
  return choose(*rules, situation_of(call, *rules, std::move(found.version)), false);
}

std::string mpi_row(std::string_view library, const MpiCall& call, std::string_view algorithm) {
  Found found = rules_of(library);
  const RulesOfCollective* rules = collective_of(found, call.collective);
  if (rules == nullptr) return {};
  return row_of(*rules, situation_of(call, *rules, std::move(found.version)), algorithm);
}

std::string mpi_source(std::string_view library) {
  const Found found = rules_of(library);
  return found.rules == nullptr ? std::string() : found.rules->source;
}

}  // namespace busbar::libraries
