// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/build_info.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"
#include "reports/figure/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::figure {
namespace {

constexpr std::size_t most_runs = 24;

/// "a; b; c and 3 more": the labels contain commas.
std::string joined(const std::vector<std::string>& labels) {
  constexpr std::size_t most = 12;
  const std::vector<std::string> shown(labels.begin(),
                                       labels.begin() + static_cast<std::ptrdiff_t>(std::min(labels.size(), most)));
  const std::string rest = labels.size() > most ? fmt::format(" and {} more", labels.size() - most) : "";
  return fmt::format("{}{}", fmt::join(shown, "; "), rest);
}

/// "Lines: a; b." for lines that the figure tells apart.
std::string lines_sentence(const Chart& chart) {
  std::vector<std::string> labels;
  for (const std::size_t line : drawn_lines(chart)) labels.push_back(line_label(chart, line));
  if (labels.empty() || (labels.size() == 1 && labels.front().empty())) return {};
  const bool lines = chart.plot.kind == report::PlotKind::lines;
  const std::string_view what = labels.size() == 1 ? (lines ? "Line" : "Bars") : (lines ? "Lines" : "Colours");
  return fmt::format(" {}: {}.", what, joined(labels));
}

/// How the runs define a time, if all do so in the same way.
std::string rule_sentence(const Chart& chart, const std::vector<Run>& runs) {
  if (!chart.timed) return {};
  std::set<std::string> rules;
  for (const Run* run : runs_of(chart, runs)) rules.insert(report::time_rule(run->head.method));
  if (rules.size() != 1 || *rules.begin() == report::unknown) return {};
  const bool time = chart.plot.y.title == report::title(report::Quantity::time);
  return fmt::format(" {}: {}.", time ? "Times" : "Bandwidths are from times", *rules.begin());
}

/// Intervals, where the report's own caption does not explain them.
std::string interval_sentence(const Chart& chart) {
  const bool has = std::ranges::any_of(chart.plot.marks, [](const report::Mark& m) { return m.interval.has_value(); });
  if (!has || chart.caption.find("nterval") != std::string::npos) return {};
  return " Bands and strokes: intervals.";
}

std::string axes_sentence(const Chart& chart) {
  const bool x = chart.plot.x.logarithmic, y = chart.plot.y.logarithmic;
  if (chart.plot.kind != report::PlotKind::lines || (!x && !y) ||
      chart.caption.find("logarithmic") != std::string::npos)
    return {};
  if (x && y) return " Both axes are logarithmic.";
  return fmt::format(" The {} axis is logarithmic.", x ? "horizontal" : "vertical");
}

/// Values of the palest and the darkest cells.
std::string shades_sentence(const Chart& chart) {
  if (chart.plot.kind != report::PlotKind::cells) return {};
  const auto [low, high] = std::ranges::minmax_element(chart.plot.marks, {}, &report::Mark::shade);
  if (low->shade == high->shade || low->label.empty() || high->label.empty()) return {};
  return fmt::format(" Shades: from {} (palest) to {} (darkest).", low->label, high->label);
}

std::string hardware(const RunRecord& head) {
  std::map<std::string, int> models;
  for (const Host& host : head.hosts)
    if (host.cpu_model) ++models[*host.cpu_model];
  std::map<std::string, int> gpus;
  for (const RankPlace& place : head.placement)
    if (place.device) ++gpus[*place.device];
  std::vector<std::string> parts;
  for (const auto& [model, n] : models) parts.push_back(n == 1 ? model : fmt::format("{} hosts with {}", n, model));
  for (const auto& [model, n] : gpus) parts.push_back(fmt::format("{} x {}", n, model));
  return report::list(parts, 4);
}

/// "platform=vm (lab): lab, 8 ranks on 2 nodes, AMD EPYC, Open MPI 4.1.4, busbar-bench 0.2.0, 2026-01-31, run ID".
std::string run_line(const Run& run, const std::string& name) {
  const RunRecord& head = run.head;
  std::vector<std::string> parts{text_of(head.origin), scale_text(head), hardware(head)};
  for (const Host& host : head.hosts) {
    if (!host.lab) continue;
    parts.push_back("lab: " + *host.lab);
    break;
  }
  if (head.mpi) parts.push_back(head.mpi->library);
  for (const auto& [library, version] : head.libraries) parts.push_back(library + " " + version);
  parts.push_back(head.tool.name + (head.tool.version ? " " + *head.tool.version : ""));
  if (head.start_utc) parts.push_back("started " + *head.start_utc);
  parts.push_back("run " + head.id);
  std::erase(parts, "");
  return printable(fmt::format("{}: {}", name, fmt::join(parts, ", ")));
}

}  // namespace

std::string caption_text(const Chart& chart, const std::vector<Run>& runs) {
  const std::string note = origin_note(chart, runs, {});
  std::string text = subject_of(chart) + (note.empty() ? "" : " (" + note + ")") + ".";
  text += lines_sentence(chart);
  if (!chart.caption.empty()) text += " " + capitalised(chart.caption);
  text += rule_sentence(chart, runs) + interval_sentence(chart) + shades_sentence(chart) + axes_sentence(chart);
  const std::vector<const Run*> own = runs_of(chart, runs);
  text = printable(text) + "\n\n" + (own.size() == 1 ? "Run:\n" : "Runs:\n");
  const std::vector<std::string> names = report::run_names(own);
  for (std::size_t i = 0; i < std::min(own.size(), most_runs); ++i) text += run_line(*own[i], names[i]) + "\n";
  if (own.size() > most_runs) text += fmt::format("and {}\n", plural(own.size() - most_runs, "other run"));
  return text + fmt::format("\nDrawn by busbar {} ({}).\n", version(), git_revision());
}

}  // namespace busbar::figure
