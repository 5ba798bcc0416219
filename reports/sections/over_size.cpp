// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/named_table.hpp"
#include "core/units.hpp"
#include "reports/document.hpp"
#include "reports/text.hpp"

namespace busbar::report {
namespace {

struct Peak {
  const Point* fastest = nullptr;
  const Point* widest = nullptr;  ///< by busbw, and by algbw in a line that has no busbw
};

/// Bandwidth for comparing points of a line: any busbw counts more than any algbw.
std::pair<bool, std::optional<double>> width(const Point& p) {
  return {p.busbw_GBps.has_value(), p.busbw_GBps ? p.busbw_GBps : p.algbw_GBps};
}

std::string at(const std::string& value, std::uint64_t bytes) {
  return fmt::format("{} at {}", value, format_size(bytes));
}

/// Per line the largest busbw and the shortest time, each with its size: never an average over sizes.
Table extremes(const std::vector<Charts>& groups) {
  Table t{.title = "Largest busbw and shortest time of each line",
          .columns = {{"collective", ColumnKind::name},
                      {"run", ColumnKind::name},
                      {"series", ColumnKind::name},
                      {"largest busbw", ColumnKind::number},
                      {"shortest time", ColumnKind::number}},
          .rows = {}};
  for (const Charts& charts : groups) {
    std::vector<Peak> peaks(charts.lines.size());
    for (const Point& p : charts.points) {
      Peak& peak = peaks[p.line];
      if (!peak.fastest || p.time_s < peak.fastest->time_s) peak.fastest = &p;
      if (width(p).second && (!peak.widest || width(p) > width(*peak.widest))) peak.widest = &p;
    }
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      const auto& [fastest, widest] = peaks[i];
      t.rows.push_back({charts.title, charts.lines[i].run, charts.lines[i].series,
                        widest ? at(bandwidth(width(*widest).second) + (widest->busbw_GBps ? " GB/s" : " GB/s (algbw)"),
                                    widest->bytes)
                               : std::string(unknown),
                        fastest ? at(duration(fastest->time_s), fastest->bytes) : std::string(unknown)});
    }
  }
  t.folded = t.rows.size() > 24;
  return t;
}

/// A warning where "time" does not mean the same in all runs; empty otherwise.
std::string mixed_methods(const std::vector<Run>& runs) {
  std::set<std::string> rules;
  const auto over_sizes = [](const CaseRecord& c) { return !c.key.training && !is_named(c.key); };
  for (const Run& run : runs)
    if (std::ranges::any_of(run.cases, over_sizes))
      rules.insert(time_rule(run.head.method) + ", cadence " + run.head.method.cadence);
  if (rules.size() < 2) return {};
  std::string text =
      "The runs were not timed alike, so their lines are not to be held against each other without care: ";
  for (const auto& rule : rules) text += (rule == *rules.begin() ? "" : "; ") + rule;
  return text + ". See Method and units.";
}

std::vector<Block> blocks(const std::vector<Run>& runs) {
  const std::vector<Charts> groups = make_charts(runs);
  if (groups.empty()) return {};
  std::vector<Block> all;
  if (const std::string warning = mixed_methods(runs); !warning.empty())
    all.emplace_back(Paragraph{.text = warning, .tone = Tone::warning});
  for (const Charts& charts : groups) all.emplace_back(charts);
  all.emplace_back(extremes(groups));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section over_size{
    .name = "collectives", .title = "Bandwidth and time over size", .blocks = report::blocks};

}  // namespace busbar
