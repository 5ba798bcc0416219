// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/named_table.hpp"
#include "reports/compare/fields.hpp"
#include "reports/compare/pooled.hpp"
#include "reports/compare/ratio_band.hpp"
#include "reports/explain/size_verdict.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

struct Peak {
  const ChartPoint* fastest = nullptr;
  const ChartPoint* widest = nullptr;  ///< by busbw; by algbw if the line has no busbw
};

/// Sort key by bandwidth: any busbw ranks above any algbw.
std::pair<bool, std::optional<double>> width(const ChartPoint& p) {
  return {p.busbw_GBps.has_value(), p.busbw_GBps ? p.busbw_GBps : p.algbw_GBps};
}

std::string at(const std::string& value, std::uint64_t bytes) {
  return fmt::format("{} at {}", value, format_size(bytes));
}

/// The largest busbw and the shortest time of each line, with their sizes. Never averages over sizes.
Table extremes(const std::vector<Charts>& groups) {
  Table t{.title = "Peak busbw and shortest time of each line",
          .columns = make_columns(
              {{ColumnKind::name, {"collective", "run", "series"}}, {number, {"peak busbw", "shortest time"}}})};
  for (const Charts& charts : groups) {
    std::vector<Peak> peaks(charts.lines.size());
    for (const ChartPoint& p : charts.points) {
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
  fold_if_long(t);
  return t;
}

/// A warning if "time" has different definitions among the runs; empty otherwise.
std::string mixed_methods(const std::vector<Run>& runs) {
  std::set<std::string> rules;
  const auto over_sizes = [](const CaseRecord& c) { return !c.key.training && !is_named(c.key); };
  for (const Run& run : runs)
    if (std::ranges::any_of(run.cases, over_sizes))
      rules.insert(time_rule(run.head.method) + ", cadence " + run.head.method.cadence);
  if (rules.size() < 2) return {};
  std::string text = "The runs use different timing methods, so compare their lines with care: ";
  for (const auto& rule : rules) text += (rule == *rules.begin() ? "" : "; ") + rule;
  return text + ". See Method and units.";
}

/// Ceilings by case.
using Ceilings = std::unordered_map<const CaseRecord*, const expected::Ceiling*>;
Ceilings ceilings_of(const Material& material) {
  Ceilings all;
  for (const expected::ExpectedSeries& series : material.expected()) {
    for (const expected::ExpectedPoint& p : series.points) {
      if (p.ceiling() != nullptr) all.emplace(p.record, p.ceiling());
    }
  }
  return all;
}

/// Label of a criterion's value: "platform=vm".
ChartOptions::Value named_value(std::string_view flag, const std::string& name, const std::vector<Run>& runs) {
  if (name.empty()) return {};
  return [name, criterion = compare::find_criterion(flag, name, runs)](const Run& run, const CaseRecord& c) {
    const std::string value = criterion.value(run, c);
    return name + "=" + (value.empty() ? "unknown" : value);
  };
}

constexpr std::size_t most_rounds = 200'000;  ///< limit per page; with more, the page contains no rounds

bool few_rounds(const std::vector<Run>& runs) {
  std::size_t n = 0;
  for (const Run& run : runs) {
    for (const CaseRecord& c : run.cases) n += c.rounds.size();
  }
  return n <= most_rounds;
}

ChartOptions chart_options(const Material& material, const Ceilings& ceilings) {
  const DocumentOptions& asked = material.options();
  const bool by_collective = asked.facet == "collective";  // charts are per collective anyway
  // Sides that are compared keep their colours over all charts.
  const std::string& colour = asked.color.empty() ? asked.by : asked.color;
  return {.colour = named_value("--color", colour, material.runs()),
          .facet = named_value("--facet", by_collective ? "" : asked.facet, material.runs()),
          .finish = [&ceilings, with_rounds = few_rounds(material.runs())](const CaseRecord& c, ChartPoint& point) {
            if (with_rounds) point.rounds = c.rounds;
            const auto at = ceilings.find(&c);
            if (at == ceilings.end()) return;
            point.ceiling_GBps = at->second->busbw_GBps;
            point.ceiling = at->second->what;
          }};
}

/// Grades and findings of all cases.
explain::KnownOfCases known_of_cases(const Material& material) {
  explain::KnownOfCases known;
  for (std::size_t run = 0; run < material.runs().size(); ++run) {
    const auto& cases = material.runs()[run].cases;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (const auto& graded = material.grades()[run][i]) known[&cases[i]].grade = &*graded;
  }
  explain::add_findings(known, material.explained());
  return known;
}

std::vector<Block> over_size_blocks(const Material& material) {
  const std::string& group_by = material.options().group_by;
  const Pooled grouped = group_by.empty() ? Pooled() : pooled("--group-by", group_by, material.runs());
  const auto& runs = group_by.empty() ? material.runs() : grouped.runs;
  const auto ceilings = ceilings_of(material);
  std::vector<Charts> groups = make_charts(runs, chart_options(material, ceilings));
  if (groups.empty()) return {};
  const compare::RatioBands ratios(material.comparison(), group_by.empty() ? nullptr : &grouped);
  const explain::KnownOfCases known = known_of_cases(material);
  for (Charts& charts : groups) {
    charts.ratio = ratios.of(charts);
    explain::judge_sizes(charts, known);
  }
  std::vector<Block> all;
  if (!group_by.empty())
    all.emplace_back(
        Paragraph{.text = fmt::format("Each line combines all launches with one value of {}: geometric means over "
                                      "launches, with 95 % intervals from launch-to-launch variation.",
                                      group_by)});
  if (const std::string warning = mixed_methods(material.runs()); !warning.empty())
    all.emplace_back(Paragraph{.text = warning, .tone = Tone::warning});
  Table table = extremes(groups);
  std::ranges::move(groups, std::back_inserter(all));
  all.emplace_back(std::move(table));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section over_size{
    .name = "collectives", .title = "Bandwidth and time over size", .blocks = report::over_size_blocks};

}  // namespace busbar
