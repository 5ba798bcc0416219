// SPDX-License-Identifier: Apache-2.0
#include "reports/history/history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "core/statistics/change_points.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::history {
namespace {

namespace fs = std::filesystem;

/// "20260131T120000Z-1f3a9c02.jsonl": ids of measured runs start with the start time; it is prefixed to others.
std::string file_name(const RunRecord& head) {
  std::string name = head.id;
  if (head.origin != Origin::measured && head.start_utc) name = *head.start_utc + "-" + name;
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!plain) c = '_';
  }
  return name.substr(0, 200) + ".jsonl";
}

std::string start_of(const Run& run) { return run.head.start_utc.value_or(run.path); }

/// A value that is higher for slower cases: seconds, or the inverse of a rate or bandwidth.
double cost(const CaseRecord& c) {
  for (const std::string_view name : {"rate", "time", "algbw"}) {
    const compare::Quantity* quantity = compare::find_quantity(name);
    if (const auto figure = quantity->of(c)) return quantity->higher_is_better ? 1 / figure->value : figure->value;
  }
  return std::nan("");
}

/// Costs of one case, one value per launch; NaN where missing.
struct Series {
  CaseKey key;
  std::vector<double> costs;
};

std::vector<Series> series_of(std::span<const Run* const> runs) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const CaseRecord& c : runs[i]->cases) {
      if (!is_measured(c.status)) continue;
      const auto [at, is_new] = by_key.try_emplace(to_string(c.key), all.size());
      if (is_new) all.push_back({.key = c.key, .costs = std::vector<double>(runs.size(), std::nan(""))});
      all[at->second].costs[i] = cost(c);
    }
  }
  std::erase_if(all, [&](const Series& s) {
    const auto known = std::ranges::count_if(s.costs, [](double v) { return !std::isnan(v); });
    return 2 * static_cast<std::size_t>(known) < runs.size();
  });
  return all;
}

std::string map_text(const std::map<std::string, std::string>& all) {
  std::vector<std::string> words;
  for (const auto& [key, value] : all) words.push_back(key + "=" + value);
  return fmt::format("{}", fmt::join(words, " "));
}

report::Table launches_table(const std::vector<Run>& runs) {
  using report::ColumnKind;
  report::Table table{.title = "",
                      .columns = {{"start", ColumnKind::name},
                                  {"labels", ColumnKind::text},
                                  {"tool", ColumnKind::text},
                                  {"libraries", ColumnKind::text},
                                  {"cases ok", ColumnKind::number}},
                      .rows = {}};
  for (const Run& run : runs) {
    const auto ok = std::ranges::count(run.cases, true, [](const CaseRecord& c) { return is_measured(c.status); });
    table.rows.push_back(
        {start_of(run), map_text(run.head.labels),
         run.head.tool.name + " " + run.head.tool.revision.value_or(run.head.tool.version.value_or("")),
         map_text(run.head.libraries), std::to_string(ok)});
  }
  return table;
}

}  // namespace

report::Table table_of(const Change& change) {
  using report::ColumnKind;
  report::Table table{
      .title = fmt::format("Since {} (previous launch: {}); p = {:.3f} over all cases", change.since,
                           change.last_before, change.p),
      .columns = {{"size", ColumnKind::number}, {"slowdown", ColumnKind::number}, {"case", ColumnKind::text}},
      .rows = {}};
  for (const Change::Case& c : change.cases)
    table.rows.push_back({format_size(c.key.bytes), compare::ratio_text(c.slowdown),
                          report::subject(c.key) + ": " + report::describe(c.key)});
  return table;
}

fs::path add(const fs::path& folder, const fs::path& record) {
  const Run run = read_journal(record, Detail::without_samples);
  if (std::ranges::none_of(run.cases, [](const CaseRecord& c) { return is_measured(c.status); }))
    throw UsageError(fmt::format("{}: has no case with status ok; a baseline needs one", record.string()));
  const fs::path file = folder / file_name(run.head);
  std::error_code problem;
  if (fs::exists(file, problem))
    throw UsageError(fmt::format("{}: this run is already in the baseline, as {}", record.string(), file.string()));
  write_journal(file, run);
  return file;
}

std::vector<Change> changes(std::span<const Run* const> launches) {
  const std::vector<Series> all = series_of(launches);
  std::vector<std::vector<double>> costs;
  for (const Series& s : all) costs.push_back(s.costs);
  std::vector<Change> found;
  for (const ChangePoint& point : change_points(costs)) {
    Change& change = found.emplace_back();
    change.since = start_of(*launches[point.at]);
    change.last_before = start_of(*launches[point.at - 1]);
    change.p = point.p;
    for (const ChangedSeries& c : point.changed)
      change.cases.push_back({.key = all[c.series].key, .slowdown = c.ratio});
  }
  return found;
}

report::Document document(const std::string& folder, const std::vector<Run>& runs, const std::vector<Change>& changes) {
  report::Document all{.title = "busbar baseline", .summary = folder, .chapters = {}};
  std::vector<report::Block> blocks{launches_table(runs)};
  if (changes.empty())
    blocks.emplace_back(report::Paragraph{
        .text = fmt::format("No lasting change found in {}: finding one needs at least 3 launches before and after it.",
                            runs.size() == 1 ? std::string("1 launch") : fmt::format("{} launches", runs.size()))});
  for (const Change& change : changes) blocks.emplace_back(table_of(change));
  all.chapters.push_back({.name = "history", .title = "", .blocks = std::move(blocks)});
  return all;
}

}  // namespace busbar::history
