// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "bench/replay/replayer.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
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

std::string cell(std::optional<double> seconds) { return seconds ? format_duration(*seconds) : "-"; }
std::string ratio_cell(std::optional<double> ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : "-"; }

std::string row_text(std::string_view collective, std::string_view group, std::uint64_t calls, std::uint64_t bytes,
                     std::optional<double> time_s, std::optional<double> trace_s, std::optional<double> ratio) {
  return fmt::format("# {:<14} {:<14} {:>7} {:>15} {:>10} {:>10} {:>7}\n", collective, group, calls, bytes,
                     cell(time_s), cell(trace_s), ratio_cell(ratio));
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

std::string text_of(const Replay& r, const std::string& name, std::optional<double> pass_s) {
  const std::string ranks = r.trace_ranks ? fmt::format(" of {}", plural(*r.trace_ranks, "rank")) : "";
  std::string text =
      fmt::format("#\n# replay of {}, {}{}: {} in a pass{}, {} not replayed\n", printable(name), r.format, ranks,
                  plural(r.calls, "call"), r.gaps ? " with the trace's gaps" : "", r.left_out_calls);
  text += fmt::format("# {:<14} {:<14} {:>7} {:>15} {:>10} {:>10} {:>7}\n", "collective", "group", "calls", "bytes",
                      "time", "in trace", "ratio");
  std::uint64_t bytes = 0, calls = 0;
  for (const ReplayedCalls& row : r.replayed) {
    text += row_text(row.collective, printable(row.group), row.calls, row.bytes, row.time_s, row.trace_s, row.ratio);
    bytes += row.bytes;
    calls += row.calls;
  }
  text += row_text("pass", "", calls, bytes, pass_s, r.gaps ? r.trace_span_s : r.trace_s, r.ratio);
  for (const LeftOutCalls& row : r.left_out)
    text += comment_lines("",
                          fmt::format("not replayed: {} x {} over {}, {}: {}", row.calls, printable(row.collective),
                                      printable(row.group), format_size(row.bytes), printable(row.reason)),
                          3);
  return text;
}

}  // namespace busbar::replay
