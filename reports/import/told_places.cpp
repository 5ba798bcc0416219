// SPDX-License-Identifier: Apache-2.0
#include "reports/import/told_places.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/case_lists.hpp"

namespace busbar {

void tell_nodes(CaseKey& key, const ImportRequest& request) {
  const bool all_ranks = key.ranks == request.ranks.value_or(key.ranks);
  if (!request.nodes || (!all_ranks && *request.nodes > 1)) return;
  if (*request.nodes > key.ranks)
    throw Contradiction(
        fmt::format("{}: --nodes {} is more than its {}", request.source, *request.nodes, plural(key.ranks, "rank")));
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
