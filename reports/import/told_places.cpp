// SPDX-License-Identifier: Apache-2.0
#include "reports/import/told_places.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/case_lists.hpp"

namespace busbar {
namespace {

/// A number that is asked for: of ranks or nodes.
struct Sought {
  std::string_view flag, unit;
  std::optional<int> stated;
};

std::string text_of(const SizeClaim& claim, const Sought& sought) {
  return fmt::format("{} says {}", claim.source, plural(claim.number, sought.unit));
}

/// Throws UsageError if another claim is as reliable as `best` and differs.
void check_agreement(const ImportRequest& request, const std::vector<SizeClaim>& claims, const SizeClaim& best,
                     const Sought& sought) {
  for (const SizeClaim& other : claims)
    if (other.trust == best.trust && other.number != best.number)
      refuse(request, "how many {}s took part is not clear: {}, {}; add {} N", sought.unit, text_of(best, sought),
             text_of(other, sought), sought.flag);
}

std::optional<int> settle_number(const ImportRequest& request, const std::vector<SizeClaim>& claims,
                                 const Sought& sought, std::vector<std::string>& doubts) {
  std::optional<int> number = sought.stated;
  std::string taken = fmt::format("{} {} was taken", sought.flag, number.value_or(0));
  if (!number && !claims.empty()) {
    const SizeClaim& best = *std::ranges::max_element(claims, {}, &SizeClaim::trust);
    check_agreement(request, claims, best, sought);
    number = best.number;
    taken = fmt::format("{} taken from {}", plural(best.number, sought.unit), best.source);
    if (best.trust != Trust::output) doubts.push_back(taken + ": the program's own output does not say it");
  }
  for (const SizeClaim& claim : claims)
    if (claim.number != number) add_note(doubts, "{}, though {}", taken, text_of(claim, sought));
  return number;
}

}  // namespace

std::optional<int> settle_ranks(const ImportRequest& request, const std::vector<SizeClaim>& claims,
                                std::vector<std::string>& doubts) {
  return settle_number(request, claims, {.flag = "--ranks", .unit = "rank", .stated = request.ranks}, doubts);
}

std::optional<int> settle_nodes(const ImportRequest& request, const std::vector<SizeClaim>& claims, int ranks,
                                std::vector<std::string>& doubts) {
  check_nodes(request, ranks);
  return settle_number(request, claims, {.flag = "--nodes", .unit = "node", .stated = request.nodes}, doubts);
}

void check_nodes(const ImportRequest& request, int ranks) {
  if (request.nodes.value_or(1) > ranks)
    throw Contradiction(
        fmt::format("{}: --nodes {} is more than its {}", request.source, *request.nodes, plural(ranks, "rank")));
}

void note_stated(std::vector<std::string>& notes, const ImportRequest& request) {
  if (request.ranks) notes.emplace_back("number of ranks as stated by --ranks");
  if (request.nodes) notes.emplace_back("number of nodes as stated by --nodes");
}

void tell_nodes(CaseKey& key, const ImportRequest& request) {
  const bool all_ranks = key.ranks == request.ranks.value_or(key.ranks);
  if (!request.nodes || (!all_ranks && *request.nodes > 1)) return;
  check_nodes(request, key.ranks);
  key.nodes = request.nodes;
  if (*request.nodes == 1) key.ranks_per_node = key.ranks;
  if (*request.nodes == key.ranks) key.ranks_per_node = 1;
}

void check_collective(const std::vector<CaseRecord>& cases, const ImportRequest& request) {
  const auto is_it = [&request](const CaseRecord& c) { return c.key.collective == request.collective; };
  if (!request.collective || cases.empty() || std::ranges::any_of(cases, is_it)) return;
  throw Contradiction(fmt::format("{}: --collective {} contradicts the log, which has {}", request.source,
                                  *request.collective, subjects(cases)));
}

}  // namespace busbar
