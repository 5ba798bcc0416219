// SPDX-License-Identifier: Apache-2.0
#include "core/tables/replay_table.hpp"

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"

namespace busbar {
namespace {

std::string replay_cells(std::string_view collective, std::string_view group, std::string_view calls,
                         std::string_view bytes, std::string_view time, std::string_view in_trace,
                         std::string_view ratio) {
  return fmt::format("# {:<14} {:<14} {:>7} {:>15} {:>10} {:>10} {:>7}\n", collective, group, calls, bytes, time,
                     in_trace, ratio);
}

std::string replay_row(std::string_view collective, std::string_view group, std::uint64_t calls, std::uint64_t bytes,
                       std::optional<double> time_s, std::optional<double> trace_s, std::optional<double> ratio) {
  const auto time = [](std::optional<double> seconds) { return seconds ? format_duration(*seconds) : "-"; };
  return replay_cells(collective, group, std::to_string(calls), std::to_string(bytes), time(time_s), time(trace_s),
                      replay_ratio(ratio));
}

}  // namespace

std::string replay_ratio(std::optional<double> ratio) {
  if (!ratio) return "-";
  return *ratio < 1 ? fmt::format("{:.2g}", *ratio) : fmt::format("{:.2f}", *ratio);
}

std::string replay_totals(const CaseRecord& c) {
  if (!c.replay) return {};
  const Replay& r = *c.replay;
  const std::string ranks = r.trace_ranks ? fmt::format(" of {}", plural(*r.trace_ranks, "rank")) : "";
  std::string text =
      fmt::format("#\n# replay of {}, {}{}: {} in a pass{}, {} not replayed\n", printable(c.key.collective), r.format,
                  ranks, plural(r.calls, "call"), r.gaps ? " with the trace's gaps" : "", r.left_out_calls);
  text += replay_cells("collective", "group", "calls", "bytes", "time", "in trace", "ratio");
  std::uint64_t bytes = 0, calls = 0;
  for (const ReplayedCalls& row : r.replayed) {
    text += replay_row(row.collective, printable(row.group), row.calls, row.bytes, row.time_s, row.trace_s, row.ratio);
    bytes += row.bytes;
    calls += row.calls;
  }
  text += replay_row("pass", "", calls, bytes, c.time_s, r.gaps ? r.trace_span_s : r.trace_s, r.ratio);
  for (const LeftOutCalls& row : r.left_out)
    text += comment_lines("",
                          fmt::format("not replayed: {} x {} over {}, {}: {}", row.calls, printable(row.collective),
                                      printable(row.group), format_size(row.bytes), printable(row.reason)),
                          3);
  return text;
}

}  // namespace busbar
