// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/replay_table.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::string seconds_or_dash(std::optional<double> seconds) { return seconds ? duration(seconds) : "-"; }

/// The calls of a pass by collective and group, then the pass.
Table replay_table(const CaseRecord& c, const std::string& run) {
  const Replay& r = *c.replay;
  Table t{.title = fmt::format("{}: {}, {}", run, c.key.collective, r.format),
          .columns = make_columns({{ColumnKind::name, {"collective"}},
                                   {ColumnKind::text, {"group", "groups x ranks"}},
                                   {number, {"calls", "size of all", "time", "in the trace", "ratio"}}})};
  for (const ReplayedCalls& row : r.replayed)
    t.rows.push_back({row.collective, row.group, fmt::format("{} x {}", row.groups, row.ranks),
                      std::to_string(row.calls), format_size(row.bytes), seconds_or_dash(row.time_s),
                      seconds_or_dash(row.trace_s), replay_ratio(row.ratio)});
  t.rows.push_back({"a whole pass", "", "", std::to_string(r.calls), format_size(c.key.bytes),
                    seconds_or_dash(c.time_s), seconds_or_dash(r.gaps ? r.trace_span_s : r.trace_s),
                    replay_ratio(r.ratio)});
  return t;
}

Table left_out_table(const CaseRecord& c, const std::string& run) {
  Table t{.title = fmt::format("{}: calls of {} that were not replayed", run, c.key.collective),
          .columns = {
              {"collective", ColumnKind::name}, {"group"}, {"calls", number}, {"size of all", number}, {"why not"}}};
  for (const LeftOutCalls& row : c.replay->left_out)
    t.rows.push_back({row.collective, row.group, std::to_string(row.calls), format_size(row.bytes), row.reason});
  return t;
}

std::vector<Block> replay_blocks(const Material& material) {
  std::vector<Block> all;
  for (std::size_t i = 0; i < material.runs().size(); ++i)
    for (const CaseRecord& c : material.runs()[i].cases) {
      if (!c.replay) continue;
      all.emplace_back(replay_table(c, material.names()[i]));
      if (!c.replay->left_out.empty()) all.emplace_back(left_out_table(c, material.names()[i]));
    }
  if (!all.empty())
    all.emplace_back(Paragraph{
        "A pass makes all calls of a recorded job. Time of a row: the medians of its calls added up; that of the pass "
        "is "
        "measured, of the slowest rank. In the trace: the durations of the same calls there, which include waiting for "
        "other ranks; with gaps, those of a pass from its first call to the end of its last. Ratio: time over that in "
        "the trace; less than 1 is faster."});
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section replays{.name = "replays", .title = "Replays", .blocks = report::replay_blocks};

}  // namespace busbar
