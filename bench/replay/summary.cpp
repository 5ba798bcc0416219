// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "bench/replay/replayer.hpp"
#include "core/record/case_record.hpp"

namespace busbar::replay {
namespace {

/// What a row collects besides its counts.
struct Sums {
  double time_s = 0;        ///< of all calls
  double timed_here_s = 0;  ///< of the calls whose duration is in the trace
  double trace_s = 0;
  bool complete = true;  ///< all cases were measured
};

void add(ReplayedCalls& row, Sums& sums, const Planned& planned, const CaseRecord& record) {
  row.calls += planned.calls;
  row.bytes += planned.calls * planned.spec.bytes;
  row.timed_calls += planned.timed_calls;
  sums.trace_s += planned.trace_s;
  sums.complete = sums.complete && record.time_s;
  if (!record.time_s) return;
  sums.time_s += static_cast<double>(planned.calls) * *record.time_s;
  sums.timed_here_s += static_cast<double>(planned.timed_calls) * *record.time_s;
}

std::vector<ReplayedCalls> rows_of(const Schedule& schedule, const std::vector<CaseRecord>& cases) {
  std::map<std::pair<std::size_t, std::string>, std::pair<ReplayedCalls, Sums>> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Planned& planned = schedule.cases[i];
    const Level& level = schedule.levels[planned.level];
    auto& [row, sums] = rows[{planned.level, cases[i].key.collective}];
    row.collective = cases[i].key.collective;
    row.group = level.name;
    row.ranks = static_cast<int>(level.teams[0].size());
    row.groups = static_cast<int>(level.teams.size());
    add(row, sums, planned, cases[i]);
  }
  std::vector<ReplayedCalls> all;
  for (auto& [key, both] : rows) {
    auto& [row, sums] = both;
    if (sums.complete) row.time_s = sums.time_s;
    if (row.timed_calls > 0) row.trace_s = sums.trace_s;
    if (sums.complete && row.timed_calls > 0) row.ratio = sums.timed_here_s / sums.trace_s;
    all.push_back(std::move(row));
  }
  return all;
}

/// Of the rank with the most; empty if a duration is unknown.
std::optional<double> trace_time(const Schedule& schedule) {
  double most_s = 0;
  for (const auto& list : schedule.lists) {
    double sum_s = 0;
    for (const Step& step : list) {
      if (!step.trace_s) return std::nullopt;
      sum_s += *step.trace_s;
    }
    most_s = std::max(most_s, sum_s);
  }
  return most_s > 0 ? std::optional(most_s) : std::nullopt;
}

}  // namespace

Replay summarise(const Schedule& schedule, const std::vector<CaseRecord>& cases, bool gaps,
                 std::optional<double> pass_s) {
  Replay r{.format = schedule.format,
           .files = schedule.files,
           .trace_ranks = schedule.trace_ranks,
           .gaps = gaps,
           .trace_s = trace_time(schedule),
           .trace_span_s = schedule.trace_span_s,
           .replayed = rows_of(schedule, cases),
           .left_out = schedule.left_out};
  for (const auto& list : schedule.lists) r.calls = std::max<std::uint64_t>(r.calls, list.size());
  for (const LeftOutCalls& row : r.left_out) r.left_out_calls += row.calls;
  const bool whole = std::ranges::all_of(cases, [](const CaseRecord& c) { return c.time_s.has_value(); });
  const auto compared_s = gaps ? r.trace_span_s : r.trace_s;
  if (pass_s && compared_s && whole) r.ratio = *pass_s / *compared_s;
  return r;
}

}  // namespace busbar::replay
