// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/wanted.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/core.h>

#include "core/backend/block_shares.hpp"
#include "core/base/rank_list.hpp"
#include "core/base/table.hpp"
#include "core/base/units.hpp"

namespace busbar::replay {
namespace {

Members first_ranks(int ranks) {
  Members all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Blocks are uneven if a split says so.
bool is_uneven(const std::vector<std::uint64_t>& split) {
  return std::ranges::adjacent_find(split, std::not_equal_to{}) != split.end();
}

/// Elements of one rank's block or of the whole buffer, as in Call::count. Throws Unsupported with the reason if the
/// sizes of the trace do not fit the collective.
std::uint64_t count_of(const Collective& what, const TracedCall& call, std::uint64_t ranks) {
  const std::uint64_t larger = std::max(call.in, call.out);
  if (what.sizing == Sizing::none) return 0;
  if (what.sizing == Sizing::whole) return larger;
  const bool exchanges = what.name == "alltoall";
  if (is_uneven(call.in_split) || is_uneven(call.out_split)) throw Unsupported("uneven splits");
  if (larger % ranks != 0) throw Unsupported("its size is no multiple of the ranks of its group: uneven blocks");
  const std::uint64_t block = larger / ranks;
  if (!exchanges && std::min(call.in, call.out) != block)
    throw Unsupported("its send and receive sizes do not fit each other");
  return block;
}

/// True if a rank's part of an all-to-all shows that its blocks differ.
bool is_uneven_exchange(const TracedCall& call) {
  return call.collective == "alltoall" &&
         (is_uneven(call.in_split) || is_uneven(call.out_split) || call.in != call.out);
}

/// Gather's and scatter's large buffer is at the root only: other ranks' entries have one block.
std::uint64_t rooted_count(const TracedCall& call, bool gathers) { return gathers ? call.in : call.out; }

Case case_of(const TracedCall& call, std::uint64_t ranks, const ScheduleOptions& options) {
  if (!call.why_not.empty()) throw Unsupported(call.why_not);
  const Collective* const what = try_find<Collective>(call.collective);
  if (what == nullptr) throw Unsupported("busbar has no such collective");
  Case c{.collective = what,
         .type = call.dtype.value_or(DType::i8),
         .root = what->rooted ? call.root.value_or(0) : 0,
         .in_place = options.in_place ? what->in_place : !what->out_of_place,
         .cadence = options.gaps ? Cadence::replay_gaps : Cadence::replay};
  if (is_uneven_exchange(call)) {
    set_uneven_exchange(c, call);
    return c;
  }
  if (what->reduces) c.op = options.op;
  if (what->rooted && static_cast<std::uint64_t>(c.root) >= ranks) throw Unsupported("its root is not in its group");
  const bool one_sided = what->rooted && what->sizing == Sizing::by_ranks;
  c.count = one_sided ? rooted_count(call, what->name == "gather") : count_of(*what, call, ranks);
  c.bytes = c.count * size_of(c.type) * (what->sizing == Sizing::by_ranks ? ranks : 1);
  if (what->sizing == Sizing::none) c.type = DType::i8;
  if (c.bytes == 0 && what->sizing != Sizing::none) throw Unsupported("it moves no data");
  return c;
}

/// Makes a call over all ranks of a job one of `ranks` ranks. Throws Unsupported.
void rescale(Wanted& w, bool world, int ranks) {
  if (!world) throw Unsupported("--rescale: its group is a part of the ranks");
  w.members = first_ranks(ranks);
  const std::uint64_t blocks = w.spec.collective->sizing == Sizing::by_ranks ? w.members.size() : 1;
  const std::uint64_t step = blocks * size_of(w.spec.type);
  w.spec.count = static_cast<std::size_t>(w.spec.bytes / step);
  w.spec.bytes = w.spec.count * step;
  if (w.spec.root >= ranks) throw Unsupported("--rescale: this job has no such root");
  if (w.spec.count == 0 && w.spec.collective->sizing != Sizing::none)
    throw Unsupported("--rescale: it has less than one element for each rank");
}

}  // namespace

bool is_world(const Members& members, int ranks) {
  if (static_cast<int>(members.size()) != ranks) return false;
  for (int r = 0; r < ranks; ++r)
    if (members[static_cast<std::size_t>(r)] != r) return false;
  return true;
}

std::string text_of_ranks(const Members& members) {
  constexpr std::size_t most = 40;
  const std::string all = rank_list(members);
  if (all.size() <= most) return all;
  return fmt::format("{}, ... {} in all", all.substr(0, all.rfind(',', most)), members.size());
}

Members members_of(const PlannedJob& job, const Trace& trace, const TracedCall& call) {
  const int world = job.trace_ranks.value_or(job.ranks);
  if (call.group.empty()) return first_ranks(world);
  const TracedGroup& group = trace.groups.at(call.group);
  if (!group.ranks.empty()) {
    if (const int most = std::ranges::max(group.ranks); most >= world)
      throw UsageError(fmt::format("{}: {}: its group has rank {}, and the job has {}", trace.file, call.entry, most,
                                   plural(world, "rank")));
    return group.ranks;
  }
  const bool only_group = trace.groups.size() == 1;
  if (group.size == world || (only_group && !group.size)) return first_ranks(world);
  throw Unsupported("the trace does not say the ranks of its group");
}

void set_uneven_exchange(Case& c, const TracedCall& call) {
  c.collective = try_find<Collective>("alltoallv");
  c.in_place = false;
  c.count = static_cast<std::size_t>(call.in);
  c.bytes = c.count * size_of(c.type);
  if (c.bytes == 0) throw Unsupported(different_totals);
}

Wanted find_wanted(const PlannedJob& job, const Trace& trace, const TracedCall& call) {
  Wanted w{.call = &call, .group = call.group.empty() ? "world" : call.group};
  try {
    const Members members = members_of(job, trace, call);
    const bool world = is_world(members, job.trace_ranks.value_or(job.ranks));
    w.group = world ? "world" : "ranks " + text_of_ranks(members);
    if (!call.group.empty()) w.about = trace.groups.at(call.group).about;
    w.members = members;
    w.spec = case_of(call, members.size(), job.options);
    if (w.spec.collective->uneven() && job.one_trace)
      throw Unsupported("uneven splits: one rank's trace does not say those of the others");
    const int root = members[static_cast<std::size_t>(w.spec.root)];
    std::ranges::sort(w.members);  // groups of this job are in its order
    w.spec.root = static_cast<int>(std::ranges::find(w.members, root) - w.members.begin());
    if (!w.spec.collective->rooted) w.spec.root = 0;
    if (job.rescaled()) rescale(w, world, job.ranks);
  } catch (const Unsupported& e) {
    w.reason = e.what();
  }
  return w;
}

Signature signature_of(const Case& c) {
  return {c.collective->name, c.type, c.root, c.count, c.shares ? c.shares->name() : ""};
}

}  // namespace busbar::replay
