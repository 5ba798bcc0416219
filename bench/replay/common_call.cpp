// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/common_call.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "core/backend/block_shares.hpp"

namespace busbar::replay {

/// Throws UsageError unless all ranks of a group make the same call.
void CommonCalls::require_same(const std::vector<const Wanted*>& parts) const {
  const auto text = [](const Wanted& w) {
    return fmt::format("{} of {} x {}", w.spec.collective->name, w.spec.count, name(w.spec.type));
  };
  const auto same = [&](const Wanted* part) {
    const Case &a = part->spec, &b = parts[0]->spec;
    const bool roots = a.root == b.root || !part->call->root || !parts[0]->call->root;
    return a.collective == b.collective && a.type == b.type && a.count == b.count && roots;
  };
  const auto other = std::ranges::find_if_not(parts, same);
  if (other == parts.end()) return;
  const Members& members = parts[0]->members;
  const int rank = members[static_cast<std::size_t>(other - parts.begin())];
  throw UsageError(fmt::format("{}: {}: {} where rank {} has {}: the traces of ranks {} do not fit each other",
                               of_rank_[static_cast<std::size_t>(rank)]->file, (*other)->call->entry, text(**other),
                               members[0], text(*parts[0]), text_of_ranks(members)));
}

/// Elements that a rank sends to each of its group in an all-to-all. Throws Unsupported if its trace does not say.
std::vector<std::uint64_t> CommonCalls::sent_by(const Wanted& w, int rank) const {
  const TracedCall& call = *w.call;
  const std::size_t n = w.members.size();
  std::vector<std::uint64_t> row(n, call.in / n);
  if (call.in_split.empty() && call.in % n == 0) return row;
  if (call.in_split.size() != n ||
      std::accumulate(call.in_split.begin(), call.in_split.end(), std::uint64_t{0}) != call.in)
    throw Unsupported("uneven splits, which do not fit its size and its group");
  const Members order = members_of(job_, *of_rank_[static_cast<std::size_t>(rank)], call);
  for (std::size_t i = 0; i < n; ++i)
    row[static_cast<std::size_t>(std::ranges::find(w.members, order[i]) - w.members.begin())] = call.in_split[i];
  return row;
}

/// An all-to-all with blocks of different sizes. Throws as find().
Case CommonCalls::uneven_exchange(const std::vector<const Wanted*>& parts) {
  const auto exchanges = [&](const Wanted* part) {
    return part->call->collective == "alltoall" && part->spec.type == parts[0]->spec.type;
  };
  if (!std::ranges::all_of(parts, exchanges)) require_same(parts);
  const std::uint64_t total = parts[0]->call->in;
  std::vector<std::vector<std::uint64_t>> rows;
  std::vector<std::uint64_t> received(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->call->in != total) throw Unsupported(different_totals);
    rows.push_back(sent_by(*parts[i], parts[0]->members[i]));
    for (std::size_t r = 0; r < parts.size(); ++r) received[r] += rows[i][r];
  }
  for (std::size_t r = 0; r < parts.size(); ++r)
    if (parts[r]->call->out != received[r])
      throw Unsupported("uneven splits: a rank receives another number of elements than the others send to it");
  Case c = parts[0]->spec;
  set_uneven_exchange(c, *parts[0]->call);
  auto& shares = shares_[rows];
  if (!shares) shares = std::make_shared<const BlockShares>(fmt::format("trace:{}", shares_.size()), rows);
  c.shares = shares;
  return c;
}

Case CommonCalls::find(const std::vector<const Wanted*>& parts) {
  if (std::ranges::any_of(parts, [](const Wanted* part) { return part->spec.collective->uneven(); }))
    return uneven_exchange(parts);
  require_same(parts);
  return parts[0]->spec;
}

}  // namespace busbar::replay
