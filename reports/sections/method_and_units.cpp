// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "reports/document.hpp"
#include "reports/text.hpp"

namespace busbar::report {
namespace {

std::string number(std::optional<int> n, std::string_view otherwise) {
  return n ? std::to_string(*n) : std::string(otherwise);
}

std::vector<std::string> row(const Run& run) {
  const Method& m = run.head.method;
  const auto otherwise = [](const std::string& text) { return text.empty() ? std::string(unknown) : text; };
  const bool ours = run.head.origin == "measured";
  std::string iterations = number(m.iterations, ours ? "by the stop rule" : unknown);
  if (m.aggregated_iterations.value_or(1) > 1) iterations += fmt::format(" of {} calls", *m.aggregated_iterations);
  return {run.head.origin,
          time_rule(m),
          otherwise(m.cadence),
          iterations,
          number(m.warmup_iterations, ours ? "by the samples" : unknown),
          otherwise(m.check)};
}

/// A row for each way of measuring, with the runs that were taken so.
Table methods_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  std::map<std::vector<std::string>, std::vector<std::string>> of;
  for (std::size_t i = 0; i < runs.size(); ++i) of[row(runs[i])].push_back(names[i]);
  Table t{.title = "",
          .columns = {{"runs"}, {"origin"}, {"time is"}, {"cadence"}, {"iterations"}, {"warm-up"}, {"data check"}},
          .rows = {}};
  for (const auto& [cells, who] : of) {
    t.rows.push_back({who.size() == runs.size() && runs.size() > 1 ? "all runs" : list(who)});
    t.rows.back().insert(t.rows.back().end(), cells.begin(), cells.end());
  }
  return t;
}

std::vector<Block> blocks(const std::vector<Run>& runs) {
  return {
      methods_table(runs),
      KeyValues{
          .title = "",
          .rows =
              {{"size",
                "the larger of a rank's send and receive buffer, as nccl-tests prints it; binary: 1 KiB = 1024 B"},
               {"time", "of one call; what it is over iterations and ranks stands in the table above"},
               {"p99", "99th percentile of the samples by nearest rank; unknown where the samples are not known"},
               {"algbw", "size / time; decimal: 1 GB/s = 1e9 B/s"},
               {"busbw",
                "algbw times the factor of nccl-tests for the collective and the number of ranks: what a flat ring "
                "would carry on each link in that time. Other algorithms move other amounts, so it can be above what "
                "the links carry"},
               {"cadence",
                "barrier: ranks wait for each other before each iteration; streaming: iterations back to back"}}},
      Paragraph{.text = "Nothing is averaged over sizes. A case without bytes, time or bandwidth has no place on a "
                        "logarithmic axis: it is in the tables only."}};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section method_and_units{.name = "method", .title = "Method and units", .blocks = report::blocks};

}  // namespace busbar
