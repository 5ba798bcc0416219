// SPDX-License-Identifier: Apache-2.0
#include "reports/import/told_places.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/units.hpp"

namespace busbar {

void tell_nodes(CaseKey& key, const ImportRequest& request) {
  const bool all_ranks = key.ranks == request.ranks.value_or(key.ranks);
  if (!request.nodes || (!all_ranks && *request.nodes > 1)) return;
  if (*request.nodes > key.ranks)
    throw UsageError(
        fmt::format("{}: --nodes {} is more than its {}", request.source, *request.nodes, plural(key.ranks, "rank")));
  key.nodes = request.nodes;
  if (*request.nodes == 1) key.ranks_per_node = key.ranks;
  if (*request.nodes == key.ranks) key.ranks_per_node = 1;
}

}  // namespace busbar
