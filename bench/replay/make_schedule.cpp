// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "bench/replay/common_call.hpp"
#include "bench/replay/levels.hpp"
#include "bench/replay/schedule.hpp"
#include "bench/replay/wanted.hpp"
#include "core/base/units.hpp"

namespace busbar::replay {
namespace {

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

/// Builds a Schedule from the calls of each rank.
class Planner {
 public:
  Planner(const std::vector<Trace>& traces, int ranks, const ScheduleOptions& options)
      : traces_(traces), job_{.ranks = ranks, .options = options} {}

  Schedule plan() {
    s_.format = traces_[0].format;
    s_.files = static_cast<int>(traces_.size());
    set_name();
    order_by_rank();
    require_ranks();
    job_.one_trace = of_rank_.size() == 1;
    if (job_.one_trace)
      plan_for_all(*of_rank_[0]);
    else
      plan_by_rank();
    finish();
    s_.trace_ranks = job_.trace_ranks;
    return std::move(s_);
  }

 private:
  void set_name();
  void order_by_rank();
  void require_ranks();
  void plan_for_all(const Trace&);
  void plan_by_rank();
  [[nodiscard]] std::vector<Wanted> wanted_of(int rank) const;
  void make_call(const std::vector<const Wanted*>& parts);
  void walk_lists(Walk&);
  void count_kinds(const Wanted&);
  std::size_t case_at(std::size_t level, const Case&);
  void add_step(std::vector<Step>&, std::size_t at, const TracedCall&, std::optional<double> trace_s,
                const TracedCall* before) const;
  void renumber(const std::vector<std::size_t>& into);
  void count_calls();
  void set_span();
  void set_notes();
  void finish();

  const std::vector<Trace>& traces_;
  PlannedJob job_;
  std::vector<const Trace*> of_rank_;  ///< one, or one for each rank
  CommonCalls common_calls_{job_, of_rank_};
  Schedule s_;
  LeftOut left_out_;
  std::map<std::tuple<std::size_t, Signature>, std::size_t> cases_;
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
    job_.trace_ranks = traces_[0].ranks;
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
  job_.trace_ranks = s_.files;
}

void Planner::require_ranks() {
  if (!job_.rescaled()) return;
  if (!job_.options.rescale)
    throw UsageError(fmt::format(
        "{}: was recorded with {}, this job has {}: launch as many, or give --rescale to replay its calls over all "
        "ranks with {}",
        traces_[0].file, plural(*job_.trace_ranks, "rank"), job_.ranks, "ranks of this job"));
  s_.notes.push_back(fmt::format(
      "--rescale: the trace is of {}, this job has {}: all ranks make the calls of {}, with the trace's larger buffer, "
      "rounded down to equal blocks; calls over a part of the ranks are left out",
      plural(*job_.trace_ranks, "rank"), job_.ranks, std::filesystem::path(of_rank_[0]->file).filename().string()));
  of_rank_.resize(1);
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
    Wanted w = find_wanted(job_, trace, call);
    std::size_t level = 0;
    try {
      if (w.reason.empty()) level = level_for_all(s_.levels, w, job_.ranks);
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

/// The calls of a rank. Those that cannot be replayed stay in the list: whether a call can be is decided for all of its
/// ranks together.
std::vector<Wanted> Planner::wanted_of(int rank) const {
  const Trace& trace = *of_rank_[static_cast<std::size_t>(rank)];
  std::vector<Wanted> list;
  for (const TracedCall& call : trace.calls) {
    Wanted w = find_wanted(job_, trace, call);
    if (std::ranges::find(w.members, rank) == w.members.end()) {
      if (w.reason.empty()) w.reason = "its group does not contain the rank that recorded it";
      w.members = {rank};
    }
    list.push_back(std::move(w));
  }
  return list;
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
    spec = common_calls_.find(parts);
  } catch (const Unsupported& e) {
    return left_out_.add(*parts[0]->call, parts[0]->group, e.what());
  }
  const Members& members = parts[0]->members;
  auto level = level_of_.find(members);
  if (level == level_of_.end()) {
    s_.levels.push_back({.name = level_name(s_.levels, parts[0]->about, members, job_.ranks), .teams = {members}});
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
  for (int r = 0; r < job_.ranks; ++r) lists.push_back(wanted_of(r));
  Walk walk(std::move(lists));
  s_.lists.resize(static_cast<std::size_t>(job_.ranks));
  first_.resize(s_.lists.size());
  last_.resize(s_.lists.size());
  walk_lists(walk);
  JoinedLevels joined = join_levels(s_);
  s_.levels = std::move(joined.levels);
  renumber(joined.into);
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
  if (job_.one_trace)
    note("one rank's trace stands for all: every rank makes its calls, over its own groups of the same shape");
  if (!job_.trace_ranks) note("the trace does not say how many ranks its job had");
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
  if (job_.options.gaps && std::ranges::none_of(s_.lists, pauses))
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
