// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/schedule.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/backend/block_shares.hpp"
#include "core/base/rank_list.hpp"
#include "core/base/table.hpp"
#include "core/base/units.hpp"

namespace busbar::replay {
namespace {

using Members = std::vector<int>;

bool is_world(const Members& members, int ranks) {
  if (static_cast<int>(members.size()) != ranks) return false;
  for (int r = 0; r < ranks; ++r)
    if (members[static_cast<std::size_t>(r)] != r) return false;
  return true;
}

Members first_ranks(int ranks) {
  Members all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Distance between the ranks of a group if it is the same for all; 0: it is not.
int stride_of(const Members& members) {
  if (members.size() < 2) return 1;
  const int stride = members[1] - members[0];
  for (std::size_t i = 1; i < members.size(); ++i)
    if (members[i] - members[i - 1] != stride) return 0;
  return std::max(stride, 0);
}

/// The ranks as rank_list() writes them; long lists are cut.
std::string text_of_ranks(const Members& members) {
  constexpr std::size_t most = 40;
  const std::string all = rank_list(members);
  if (all.size() <= most) return all;
  return fmt::format("{}, ... {} in all", all.substr(0, all.rfind(',', most)), members.size());
}

bool disjoint(const Level& level, const Members& members) {
  return std::ranges::none_of(
      level.teams, [&](const Members& team) { return std::ranges::find_first_of(team, members) != team.end(); });
}

/// A call of one rank over known ranks of this job, or the reason why it is left out.
struct Wanted {
  const TracedCall* call = nullptr;
  Members members;
  std::string about;   ///< Trace's description of the group
  Case spec;           ///< valid if `reason` is empty
  std::string reason;  ///< why it is left out
  std::string group;   ///< for the list of what is left out
};

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

constexpr const char* different_totals =
    "uneven splits: its ranks send different totals, and those of busbar's alltoallv send as much as each other";

/// True if a rank's part of an all-to-all shows that its blocks differ.
bool is_uneven_exchange(const TracedCall& call) {
  return call.collective == "alltoall" &&
         (is_uneven(call.in_split) || is_uneven(call.out_split) || call.in != call.out);
}

/// One rank's part of an uneven all-to-all, without the blocks of the others. Throws Unsupported.
void set_uneven_exchange(Case& c, const TracedCall& call) {
  c.collective = try_find<Collective>("alltoallv");
  c.in_place = false;
  c.count = static_cast<std::size_t>(call.in);
  c.bytes = c.count * size_of(c.type);
  if (c.bytes == 0) throw Unsupported(different_totals);
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

/// Collects what is left out, by collective, group and reason.
class LeftOut {
 public:
  void add(const TracedCall& call, const std::string& group, const std::string& reason) {
    LeftOutCalls& row = rows_[{call.name, group, reason}];
    row = {.collective = call.name,
           .group = group,
           .calls = row.calls + 1,
           .bytes = row.bytes + (call.dtype ? std::max(call.in, call.out) * size_of(*call.dtype) : 0),
           .reason = reason};
  }
  [[nodiscard]] std::vector<LeftOutCalls> rows() const {
    std::vector<LeftOutCalls> all;
    for (const auto& [key, row] : rows_) all.push_back(row);
    return all;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, LeftOutCalls> rows_;
};

class Walk;

/// Distinguishes the calls of a group: collective, type, root, elements, name of uneven counts.
using Signature = std::tuple<std::string_view, DType, int, std::size_t, std::string>;

Signature signature_of(const Case& c) {
  return {c.collective->name, c.type, c.root, c.count, c.shares ? c.shares->name() : ""};
}

/// Builds a Schedule from the calls of each rank.
class Planner {
 public:
  Planner(const std::vector<Trace>& traces, int ranks, const ScheduleOptions& options)
      : traces_(traces), ranks_(ranks), options_(options) {}

  Schedule plan() {
    s_.format = traces_[0].format;
    s_.files = static_cast<int>(traces_.size());
    set_name();
    order_by_rank();
    require_ranks();
    if (of_rank_.size() == 1)
      plan_for_all(*of_rank_[0]);
    else
      plan_by_rank();
    finish();
    return std::move(s_);
  }

 private:
  void set_name();
  void order_by_rank();
  void require_ranks();
  [[nodiscard]] bool rescaled() const { return s_.trace_ranks && *s_.trace_ranks != ranks_; }
  [[nodiscard]] Wanted wanted(const Trace&, const TracedCall&) const;
  [[nodiscard]] Members members_of(const Trace&, const TracedCall&) const;
  void plan_for_all(const Trace&);
  void plan_by_rank();
  [[nodiscard]] std::vector<Wanted> wanted_of(int rank) const;
  void require_same(const std::vector<const Wanted*>& parts) const;
  [[nodiscard]] std::vector<std::uint64_t> sent_by(const Wanted&, int rank) const;
  [[nodiscard]] Case uneven_exchange(const std::vector<const Wanted*>& parts);
  [[nodiscard]] Case common_case(const std::vector<const Wanted*>& parts);
  void make_call(const std::vector<const Wanted*>& parts);
  void walk_lists(Walk&);
  void count_kinds(const Wanted&);
  [[nodiscard]] std::vector<Members> images(const Members&) const;
  std::size_t level_for_all(const Wanted&);
  std::size_t case_at(std::size_t level, const Case&);
  void add_step(std::vector<Step>&, std::size_t at, const TracedCall&, std::optional<double> trace_s,
                const TracedCall* before) const;
  std::string level_name(const std::string& about, const Members&) const;
  void join_levels();
  void renumber(const std::vector<std::size_t>& into);
  void count_calls();
  void set_span();
  void set_notes();
  void finish();

  const std::vector<Trace>& traces_;
  const int ranks_;
  const ScheduleOptions& options_;
  std::vector<const Trace*> of_rank_;  ///< one, or one for each rank
  Schedule s_;
  LeftOut left_out_;
  std::map<std::tuple<std::size_t, Signature>, std::size_t> cases_;
  /// By what each sender has for each rank, in elements.
  std::map<std::vector<std::vector<std::uint64_t>>, std::shared_ptr<const BlockShares>> shares_;
  std::map<Members, std::size_t> level_of_;      ///< with several traces
  std::vector<const TracedCall*> first_, last_;  ///< replayed calls of each list
  std::uint64_t waited_for_ = 0, coalesced_ = 0, guessed_roots_ = 0;
};

void Planner::set_name() {
  const std::filesystem::path file = traces_[0].file;
  const auto folder = std::filesystem::absolute(file).parent_path().filename();
  s_.name = (traces_.size() == 1 ? file.stem() : folder).string();
  if (s_.name.empty()) s_.name = "trace";
}

/// Sorts several traces by their rank, which their content or their names say.
void Planner::order_by_rank() {
  if (traces_.size() == 1) {
    of_rank_ = {traces_.data()};
    s_.trace_ranks = traces_[0].ranks;
    return;
  }
  of_rank_.assign(traces_.size(), nullptr);
  for (const Trace& trace : traces_) {
    const auto rank = trace.rank ? trace.rank : rank_in_name(trace.file);
    if (!rank) throw UsageError(fmt::format("{}: neither the trace nor its name says its rank", trace.file));
    if (trace.ranks && *trace.ranks != s_.files)
      throw UsageError(fmt::format("{}: is of a job of {}, and {} traces are given: give one, or one for each rank",
                                   trace.file, plural(*trace.ranks, "rank"), s_.files));
    if (*rank >= s_.files)
      throw UsageError(
          fmt::format("{}: is of rank {}; {} traces are of ranks 0 to {}", trace.file, *rank, s_.files, s_.files - 1));
    const Trace*& place = of_rank_[static_cast<std::size_t>(*rank)];
    if (place != nullptr) throw UsageError(fmt::format("{}: is of rank {}, as is {}", trace.file, *rank, place->file));
    place = &trace;
  }
  s_.trace_ranks = s_.files;
}

void Planner::require_ranks() {
  if (!rescaled()) return;
  if (!options_.rescale)
    throw UsageError(fmt::format(
        "{}: was recorded with {}, this job has {}: launch as many, or give --rescale to replay its calls over all "
        "ranks with {}",
        traces_[0].file, plural(*s_.trace_ranks, "rank"), ranks_, "ranks of this job"));
  s_.notes.push_back(fmt::format(
      "--rescale: the trace is of {}, this job has {}: all ranks make the calls of {}, with the trace's larger buffer, "
      "rounded down to equal blocks; calls over a part of the ranks are left out",
      plural(*s_.trace_ranks, "rank"), ranks_, std::filesystem::path(of_rank_[0]->file).filename().string()));
  of_rank_.resize(1);
}

/// Ranks of the recorded job in the group of a call. Throws Unsupported if they are unknown.
Members Planner::members_of(const Trace& trace, const TracedCall& call) const {
  const int world = s_.trace_ranks.value_or(ranks_);
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

Wanted Planner::wanted(const Trace& trace, const TracedCall& call) const {
  Wanted w{.call = &call, .group = call.group.empty() ? "world" : call.group};
  try {
    const Members members = members_of(trace, call);
    const bool world = is_world(members, s_.trace_ranks.value_or(ranks_));
    w.group = world ? "world" : "ranks " + text_of_ranks(members);
    if (!call.group.empty()) w.about = trace.groups.at(call.group).about;
    w.members = members;
    w.spec = case_of(call, members.size(), options_);
    if (w.spec.collective->uneven() && of_rank_.size() == 1)
      throw Unsupported("uneven splits: one rank's trace does not say those of the others");
    const int root = members[static_cast<std::size_t>(w.spec.root)];
    std::ranges::sort(w.members);  // groups of this job are in its order
    w.spec.root = static_cast<int>(std::ranges::find(w.members, root) - w.members.begin());
    if (!w.spec.collective->rooted) w.spec.root = 0;
    if (!rescaled()) return w;
    if (!world) throw Unsupported("--rescale: its group is a part of the ranks");
    w.members = first_ranks(ranks_);
    const std::uint64_t blocks = w.spec.collective->sizing == Sizing::by_ranks ? w.members.size() : 1;
    const std::uint64_t step = blocks * size_of(w.spec.type);
    w.spec.count = static_cast<std::size_t>(w.spec.bytes / step);
    w.spec.bytes = w.spec.count * step;
    if (w.spec.root >= ranks_) throw Unsupported("--rescale: this job has no such root");
    if (w.spec.count == 0 && w.spec.collective->sizing != Sizing::none)
      throw Unsupported("--rescale: it has less than one element for each rank");
  } catch (const Unsupported& e) {
    w.reason = e.what();
  }
  return w;
}

std::string Planner::level_name(const std::string& about, const Members& members) const {
  if (is_world(members, ranks_)) return "world";
  const bool says_something = !about.empty() && about != "undefined" && about != "default_pg";
  std::string name = says_something ? about : "ranks " + text_of_ranks(members);
  const auto taken = [&](const std::string& text) {
    return text == "world" || std::ranges::any_of(s_.levels, [&](const Level& level) { return level.name == text; });
  };
  if (!taken(name)) return name;
  if (says_something) name += " " + text_of_ranks(members);
  for (int i = 2; taken(name); ++i) name = fmt::format("{} ({})", says_something ? about : text_of_ranks(members), i);
  return name;
}

/// The groups of the same shape that cover this job. Throws Unsupported if there are none: then the groups of other
/// ranks than the trace's are unknown.
std::vector<Members> Planner::images(const Members& members) const {
  if (is_world(members, ranks_)) return {members};
  const int stride = stride_of(members), size = static_cast<int>(members.size());
  if (stride == 0) throw Unsupported("its ranks are not evenly spaced, so the groups of other ranks are unknown");
  const std::int64_t span = static_cast<std::int64_t>(stride) * size;
  if (ranks_ % span != 0) throw Unsupported("groups of its shape do not divide the ranks of the job");
  std::vector<Members> all;
  for (int begin = 0; begin < ranks_; begin += static_cast<int>(span))
    for (int offset = 0; offset < stride; ++offset) {
      all.emplace_back();
      for (int i = 0; i < size; ++i) all.back().push_back(begin + offset + i * stride);
    }
  if (std::ranges::find(all, members) == all.end())
    throw Unsupported("groups of its shape do not divide the ranks of the job");
  return all;
}

std::size_t Planner::level_for_all(const Wanted& w) {
  auto teams = images(w.members);
  const auto same = [&](const Level& level) { return level.teams == teams; };
  const auto at = std::ranges::find_if(s_.levels, same);
  if (at != s_.levels.end()) return static_cast<std::size_t>(at - s_.levels.begin());
  s_.levels.push_back({.name = level_name(w.about, teams[0]), .teams = std::move(teams)});
  return s_.levels.size() - 1;
}

std::size_t Planner::case_at(std::size_t level, const Case& spec) {
  const auto [at, added] = cases_.try_emplace({level, signature_of(spec)}, s_.cases.size());
  if (added) s_.cases.push_back({.level = level, .spec = spec});
  return at->second;
}

void Planner::add_step(std::vector<Step>& list, std::size_t at, const TracedCall& call, std::optional<double> trace_s,
                       const TracedCall* before) const {
  Step step{.at = at, .trace_s = trace_s};
  if (before != nullptr && before->start_s && call.start_s) {
    step.from_start = !before->duration_s;
    step.pause_s = std::max(0.0, *call.start_s - *before->start_s - before->duration_s.value_or(0));
  }
  list.push_back(step);
}

/// One trace for all ranks: no rank waits for a call that another makes elsewhere in its list.
void Planner::plan_for_all(const Trace& trace) {
  s_.lists.resize(1);
  first_.resize(1);
  last_.resize(1);
  for (const TracedCall& call : trace.calls) {
    Wanted w = wanted(trace, call);
    std::size_t level = 0;
    try {
      if (w.reason.empty()) level = level_for_all(w);
    } catch (const Unsupported& e) {
      w.reason = e.what();
    }
    if (!w.reason.empty()) {
      left_out_.add(call, w.group, w.reason);
      continue;
    }
    add_step(s_.lists[0], case_at(level, w.spec), call, call.duration_s, last_[0]);
    count_kinds(w);
    if (first_[0] == nullptr) first_[0] = &call;
    last_[0] = &call;
  }
}

/// The ranks' lists, walked together: a call happens when it is the next one of all ranks of its group.
class Walk {
 public:
  explicit Walk(std::vector<std::vector<Wanted>> lists) : lists_(std::move(lists)), next_(lists_.size()) {}

  /// The next call of a rank; null at the end of its list.
  [[nodiscard]] const Wanted* head(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return next_[r] < lists_[r].size() ? &lists_[r][next_[r]] : nullptr;
  }
  /// True if the next call of each rank of its group is over this group.
  [[nodiscard]] bool ready(const Wanted& w) const {
    return std::ranges::all_of(w.members, [&](int r) { return head(r) != nullptr && head(r)->members == w.members; });
  }
  /// The next calls of all ranks of a group.
  [[nodiscard]] std::vector<const Wanted*> heads(const Members& members) const {
    std::vector<const Wanted*> all;
    for (const int r : members) all.push_back(head(r));
    return all;
  }
  void pop(int rank) { ++next_[static_cast<std::size_t>(rank)]; }
  /// True if a rank of the group has no call over it any more.
  [[nodiscard]] bool lacks_partner(const Wanted& w) const {
    return std::ranges::any_of(w.members, [&](int rank) {
      const auto r = static_cast<std::size_t>(rank);
      const auto from = lists_[r].begin() + static_cast<std::ptrdiff_t>(next_[r]);
      return std::none_of(from, lists_[r].end(), [&](const Wanted& other) { return other.members == w.members; });
    });
  }
  [[nodiscard]] int ranks() const { return static_cast<int>(lists_.size()); }

 private:
  std::vector<std::vector<Wanted>> lists_;
  std::vector<std::size_t> next_;
};

/// The calls of a rank. Those that cannot be replayed stay in the list: whether a call can be is decided for all of its
/// ranks together.
std::vector<Wanted> Planner::wanted_of(int rank) const {
  const Trace& trace = *of_rank_[static_cast<std::size_t>(rank)];
  std::vector<Wanted> list;
  for (const TracedCall& call : trace.calls) {
    Wanted w = wanted(trace, call);
    if (std::ranges::find(w.members, rank) == w.members.end()) {
      if (w.reason.empty()) w.reason = "its group does not contain the rank that recorded it";
      w.members = {rank};
    }
    list.push_back(std::move(w));
  }
  return list;
}

/// Throws UsageError unless all ranks of a group make the same call.
void Planner::require_same(const std::vector<const Wanted*>& parts) const {
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
std::vector<std::uint64_t> Planner::sent_by(const Wanted& w, int rank) const {
  const TracedCall& call = *w.call;
  const std::size_t n = w.members.size();
  std::vector<std::uint64_t> row(n, call.in / n);
  if (call.in_split.empty() && call.in % n == 0) return row;
  if (call.in_split.size() != n ||
      std::accumulate(call.in_split.begin(), call.in_split.end(), std::uint64_t{0}) != call.in)
    throw Unsupported("uneven splits, which do not fit its size and its group");
  const Members order = members_of(*of_rank_[static_cast<std::size_t>(rank)], call);
  for (std::size_t i = 0; i < n; ++i)
    row[static_cast<std::size_t>(std::ranges::find(w.members, order[i]) - w.members.begin())] = call.in_split[i];
  return row;
}

/// An all-to-all with blocks of different sizes. Throws as common_case().
Case Planner::uneven_exchange(const std::vector<const Wanted*>& parts) {
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

/// The call that the ranks of a group make together. Throws Unsupported if busbar cannot make it, UsageError if these
/// are different calls.
Case Planner::common_case(const std::vector<const Wanted*>& parts) {
  if (std::ranges::any_of(parts, [](const Wanted* part) { return part->spec.collective->uneven(); }))
    return uneven_exchange(parts);
  require_same(parts);
  return parts[0]->spec;
}

/// Duration of a call in the trace: that of the rank which waited least for the others. Empty unless all are known.
std::optional<double> least_duration(const std::vector<const Wanted*>& parts) {
  std::vector<double> all;
  for (const Wanted* part : parts)
    if (part->call->duration_s) all.push_back(*part->call->duration_s);
  return all.size() == parts.size() ? std::optional(std::ranges::min(all)) : std::nullopt;
}

/// Adds a call that is the next of all ranks of its group to their lists, or to what is left out.
void Planner::make_call(const std::vector<const Wanted*>& parts) {
  for (const Wanted* part : parts)
    if (!part->reason.empty()) return left_out_.add(*part->call, part->group, part->reason);
  Case spec;
  try {
    spec = common_case(parts);
  } catch (const Unsupported& e) {
    return left_out_.add(*parts[0]->call, parts[0]->group, e.what());
  }
  const Members& members = parts[0]->members;
  auto level = level_of_.find(members);
  if (level == level_of_.end()) {
    s_.levels.push_back({.name = level_name(parts[0]->about, members), .teams = {members}});
    level = level_of_.emplace(members, s_.levels.size() - 1).first;
  }
  const std::size_t at = case_at(level->second, spec);
  count_kinds(*parts[0]);
  const auto trace_s = least_duration(parts);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto r = static_cast<std::size_t>(members[i]);
    add_step(s_.lists[r], at, *parts[i]->call, trace_s, last_[r]);
    last_[r] = parts[i]->call;
    if (first_[r] == nullptr) first_[r] = parts[i]->call;
  }
}

/// Takes calls from the ranks' lists until none is left. Throws UsageError if ranks would wait for each other.
void Planner::walk_lists(Walk& walk) {
  for (bool moved = true; moved;) {
    moved = false;
    for (int r = 0; r < walk.ranks(); ++r)
      for (const Wanted* w = walk.head(r); w != nullptr && walk.ready(*w); w = walk.head(r)) {
        const Members members = w->members;
        make_call(walk.heads(members));
        for (const int member : members) walk.pop(member);
        moved = true;
      }
    for (int r = 0; r < walk.ranks() && !moved; ++r)
      if (const Wanted* w = walk.head(r); w != nullptr && walk.lacks_partner(*w)) {
        left_out_.add(*w->call, w->group, "the traces of other ranks of its group end before it");
        walk.pop(r);
        moved = true;
      }
  }
  for (int r = 0; r < walk.ranks(); ++r)
    if (const Wanted* w = walk.head(r); w != nullptr)
      throw UsageError(fmt::format(
          "{}: {}: {} over ranks {} waits for ranks whose traces have other calls first: one "
          "after another, these calls would wait for each other for ever",
          of_rank_[static_cast<std::size_t>(r)]->file, w->call->entry, w->call->name, text_of_ranks(w->members)));
}

void Planner::plan_by_rank() {
  std::vector<std::vector<Wanted>> lists;
  for (int r = 0; r < ranks_; ++r) lists.push_back(wanted_of(r));
  Walk walk(std::move(lists));
  s_.lists.resize(static_cast<std::size_t>(ranks_));
  first_.resize(s_.lists.size());
  last_.resize(s_.lists.size());
  walk_lists(walk);
  join_levels();
}

/// The longest of all ranks; empty unless all are known.
void Planner::set_span() {
  double longest_s = 0;
  for (std::size_t r = 0; r < first_.size(); ++r) {
    if (first_[r] == nullptr) continue;
    if (!first_[r]->start_s || !last_[r]->start_s || !last_[r]->duration_s) return;
    longest_s = std::max(longest_s, *last_[r]->start_s + *last_[r]->duration_s - *first_[r]->start_s);
  }
  if (longest_s > 0) s_.trace_span_s = longest_s;
}

void Planner::count_kinds(const Wanted& w) {
  if (w.call->waited_for) ++waited_for_;
  if (w.call->tensors > 1) ++coalesced_;
  if (w.spec.collective->rooted && !w.call->root) ++guessed_roots_;
}

/// Makes one level of disjoint groups of equal size whose ranks make the same calls over them.
void Planner::join_levels() {
  using Signatures = std::vector<Signature>;
  const auto signature = [&](std::size_t level) {
    Signatures all;
    for (const Step& step : s_.lists[static_cast<std::size_t>(s_.levels[level].teams[0][0])])
      if (const Case& c = s_.cases[step.at].spec; s_.cases[step.at].level == level) all.push_back(signature_of(c));
    return all;
  };
  std::vector<std::size_t> into;
  std::vector<Level> joined;
  std::vector<Signatures> signatures;
  for (std::size_t l = 0; l < s_.levels.size(); ++l) {
    const Members& members = s_.levels[l].teams[0];
    const Signatures calls = signature(l);
    std::size_t k = 0;
    while (k < joined.size() &&
           !(signatures[k] == calls && joined[k].teams[0].size() == members.size() && disjoint(joined[k], members)))
      ++k;
    if (k == joined.size()) {
      joined.push_back({.name = s_.levels[l].name});
      signatures.push_back(calls);
    }
    joined[k].teams.push_back(members);
    into.push_back(k);
  }
  s_.levels = std::move(joined);
  renumber(into);
}

/// `into`: the new level of each old one.
void Planner::renumber(const std::vector<std::size_t>& into) {
  cases_.clear();
  const std::vector<Planned> old = std::exchange(s_.cases, {});
  std::vector<std::size_t> number;
  for (const Planned& planned : old) number.push_back(case_at(into[planned.level], planned.spec));
  for (auto& list : s_.lists)
    for (Step& step : list) step.at = number[step.at];
}

/// Counts the calls of each case, by a rank of its level's first team.
void Planner::count_calls() {
  for (std::size_t l = 0; l < s_.levels.size(); ++l)
    for (const Step& step : s_.list_of(s_.levels[l].teams[0][0])) {
      Planned& planned = s_.cases[step.at];
      if (planned.level != l) continue;
      ++planned.calls;
      if (!step.trace_s) continue;
      ++planned.timed_calls;
      planned.trace_s += *step.trace_s;
    }
}

void Planner::set_notes() {
  const auto note = [&](std::string text) {
    if (std::ranges::find(s_.notes, text) == s_.notes.end()) s_.notes.push_back(std::move(text));
  };
  for (const Trace* trace : of_rank_) std::ranges::for_each(trace->notes, note);
  if (of_rank_.size() == 1)
    note("one rank's trace stands for all: every rank makes its calls, over its own groups of the same shape");
  if (!s_.trace_ranks) note("the trace does not say how many ranks its job had");
  if (waited_for_ > 0)
    note(fmt::format("{} calls were asynchronous in the job; here each ends before the next begins", waited_for_));
  if (coalesced_ > 0)
    note(fmt::format("{} coalesced calls of several tensors are one call of their total size here", coalesced_));
  if (guessed_roots_ > 0)
    note(fmt::format("the trace does not say the root of {} calls: rank 0 of the group is taken", guessed_roots_));
  for (const LeftOutCalls& row : s_.left_out)
    note(fmt::format("not replayed: {} x {} over {} ({}): {}", row.calls, row.collective, row.group,
                     format_size(row.bytes), row.reason));
}

void Planner::finish() {
  s_.left_out = left_out_.rows();
  if (s_.cases.empty()) {
    const std::string why = s_.left_out.empty() ? "it has no call of a collective"
                                                : fmt::format("{} x {}: {}", s_.left_out[0].calls,
                                                              s_.left_out[0].collective, s_.left_out[0].reason);
    throw UsageError(fmt::format("{}: nothing can be replayed: {}", traces_[0].file, why));
  }
  const auto pauses = [](const std::vector<Step>& list) {
    return std::ranges::any_of(list, [](const Step& step) { return step.pause_s.has_value(); });
  };
  if (options_.gaps && std::ranges::none_of(s_.lists, pauses))
    throw UsageError(fmt::format("--gaps: {} does not say when its calls began", traces_[0].file));
  count_calls();
  set_span();
  set_notes();
}

}  // namespace

Schedule make_schedule(const std::vector<Trace>& traces, int ranks, const ScheduleOptions& options) {
  return Planner(traces, ranks, options).plan();
}

}  // namespace busbar::replay
