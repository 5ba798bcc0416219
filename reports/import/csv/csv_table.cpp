// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/csv/csv_cases.hpp"
#include "reports/import/csv/csv_columns.hpp"
#include "reports/import/csv/csv_reader.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/told_places.hpp"

/// Hand-written tables of published figures; docs/import.md lists the allowed columns.
namespace busbar {
namespace {

constexpr std::size_t most_rows = 100'000, most_runs = 100;

/// Settings and notes from the comments.
struct Settings {
  CsvDefaults defaults;
  Statistic statistic = Statistic::unknown;
  std::vector<std::string> notes;  ///< comments that are not settings
};

/// Rows with the same labels and statistic.
struct Group {
  std::map<std::string, std::string> labels;
  Statistic statistic;
  CaseList cases = {};
};

struct Table {
  std::vector<Group> groups;
  CsvTally tally;
  int rows = 0, empty = 0, repeated = 0, first_repeated = 0, bad = 0;
  std::vector<std::string> reasons;  ///< for the first bad rows
};

// Comments

Statistic known_statistic(const std::string& told) {
  using enum Statistic;
  for (const Statistic known : {mean, median, min, max, unknown})
    if (told == name(known)) return known;
  throw Error(fmt::format("statistic: unknown '{}'; known: mean, median, min, max", told));
}

double known_confidence(const std::string& told) {
  const auto value = rounded(told);
  if (!value || !(value->value > 0) || !(value->value < 1))
    throw Error(fmt::format("confidence: '{}' is not a confidence level such as 0.95 or 95", told));
  return value->value;
}

/// "statistic=mean" and similar comments are settings; all others are notes.
void read_csv_comment(Settings& s, const std::string& comment) {
  const std::size_t equals = std::min(comment.find('='), comment.size());
  const std::string_view name = trimmed(std::string_view(comment).substr(0, equals));
  const std::string value = quotable(std::string_view(comment).substr(std::min(equals + 1, comment.size())));
  if (value.empty() || (name != "statistic" && name != "confidence" && name != "program"))
    s.notes.push_back(quotable(comment));
  else if (name == "statistic")
    s.statistic = known_statistic(value);
  else if (name == "confidence")
    s.defaults.confidence = known_confidence(value);
  else
    s.defaults.program = value;
}

Settings settings_of(const ImportRequest& request, const CsvReader& reader, const CsvColumns& columns) {
  constexpr std::size_t most = 50;
  Settings s{.defaults = {.ranks = request.ranks, .collective = request.collective, .sample = columns.sample}};
  try {
    for (const std::string& comment : reader.comments()) read_csv_comment(s, comment);
  } catch (const Error& e) {
    refuse(request, "comment {}", e.what());
  }
  if (s.notes.size() > most) s.notes.resize(most);
  return s;
}

// Rows

Group& csv_group(Table& table, std::map<std::string, std::string> labels, Statistic statistic) {
  std::erase_if(labels, [](const auto& label) { return label.second.empty(); });
  const auto same = [&](const Group& g) { return g.labels == labels && g.statistic == statistic; };
  if (const auto at = std::ranges::find_if(table.groups, same); at != table.groups.end()) return *at;
  return table.groups.emplace_back(Group{.labels = std::move(labels), .statistic = statistic});
}

/// Throws Error, which says what is wrong with the row.
void add_csv_row(Table& table, const ImportRequest& request, const CsvColumns& columns, const Settings& s,
                 const CsvRow& row) {
  const CsvValues values = read_csv_values(columns, row);
  const auto read_csv = columns.subject == CsvSubject::trainings ? csv_training : csv_collective;
  auto c = read_csv(values, s.defaults, table.tally);
  if (!c) {
    ++table.empty;
    return;
  }
  if (!c->key.nodes && request.ranks) tell_nodes(c->key, request);
  const auto statistic = values.word("statistic");
  Group& group = csv_group(table, values.labels, statistic ? known_statistic(*statistic) : s.statistic);
  if (const auto note = values.word("note")) c->remarks.push_back(quotable(*note));
  c->check.state = CheckState::unknown;
  if (!group.cases.add(std::move(*c)) && table.repeated++ == 0) table.first_repeated = row.line;
}

Table table_of(const ImportRequest& request, const CsvColumns& columns, const Settings& s,
               const std::vector<CsvRow>& rows) {
  constexpr std::size_t most_reasons = 3;
  Table table{.rows = static_cast<int>(rows.size())};
  for (const CsvRow& row : rows) {
    try {
      add_csv_row(table, request, columns, s, row);
    } catch (const Error& e) {
      if (++table.bad <= static_cast<int>(most_reasons))
        table.reasons.push_back(fmt::format("line {}: {}", row.line, e.what()));
    }
    if (table.groups.size() > most_runs)
      refuse(request,
             "more than {} runs, as each combination of labels is one; leave out the columns that are no labels",
             most_runs);
  }
  if (table.groups.empty())
    refuse(request, "no row has a figure that can be used{}",
           table.reasons.empty() ? "" : "; " + table.reasons.front());
  return table;
}

// Notes

using Notes = std::vector<std::string>;

Notes csv_warnings(const Table& table) {
  Notes all;
  if (table.bad > 0)
    add_note(all, "{} left out: {}{}", plural(table.bad, "row"), fmt::join(table.reasons, "; "),
             table.bad > static_cast<int>(table.reasons.size()) ? "; ..." : "");
  if (table.repeated > 0)
    add_note(all, "{} left out because {} an earlier one (first: line {}); add a column of labels that differ",
             plural(table.repeated, "row"), table.repeated == 1 ? "it repeats" : "they repeat", table.first_repeated);
  if (table.tally.contradicted > 0)
    add_note(all, "the bandwidths of {} are not size / time; both were kept", plural(table.tally.contradicted, "row"));
  return all;
}

bool has_interval(const CaseRecord& c) { return c.interval_s || (c.training && c.training->samples_per_s_interval); }

Notes csv_notes(const Table& table, const std::vector<CaseRecord>& cases, CsvSubject subject) {
  Notes all;
  const CsvTally& t = table.tally;
  const auto add = [&all](int n, std::string_view what) {
    if (n > 0) add_note(all, "the table has {} {}", plural(n, "row"), what);
  };
  if (std::ranges::none_of(cases, has_interval)) all.emplace_back("single published figures: no interval");
  add(table.empty, "without a figure: not printed by the source");
  add(t.times_computed, subject == CsvSubject::trainings ? "without a step's time: it was computed from batch and rate"
                                                         : "without a time: it was computed from size and bandwidth");
  add(t.bandwidths_computed, "without a bandwidth: it was computed from size and time");
  add(t.rates_computed, "without a rate: it was computed from batch and step");
  add(t.intervals_unused, "with an interval without its confidence: it was not imported");
  if (std::ranges::any_of(cases, [](const CaseRecord& c) { return c.training && c.training->scaling; }))
    all.emplace_back("speedup and efficiency were computed from the rates of the table");
  return all;
}

// Records

/// Name of a run: its values of the labels in which the runs differ.
std::string csv_name(const Table& table, const Group& group) {
  std::string name;
  const auto add = [&name](const std::string& value) {
    if (!value.empty()) name += (name.empty() ? "" : ".") + value;
  };
  const auto value_of = [](const Group& g, const std::string& label) {
    const auto at = g.labels.find(label);
    return at == g.labels.end() ? std::string() : at->second;
  };
  std::set<std::string> labels;
  for (const Group& g : table.groups)
    for (const auto& [label, value] : g.labels) labels.insert(label);
  for (const std::string& label : labels) {
    const std::string own = value_of(group, label);
    if (std::ranges::any_of(table.groups, [&](const Group& g) { return value_of(g, label) != own; })) add(own);
  }
  if (std::ranges::any_of(table.groups, [&](const Group& g) { return g.statistic != group.statistic; }))
    add(text_of(group.statistic));
  return name;
}

RunRecord csv_head(const ImportRequest& request, const Settings& s, const Group& group,
                   const std::vector<CaseRecord>& cases, const std::string& name) {
  const bool named = s.defaults.program != "unknown";
  RunRecord head = imported_head(request, named ? s.defaults.program : "published table");
  head.id = import_id(request, name + "/" + subjects(cases));
  head.method = {.cadence = "unknown", .statistic = group.statistic, .check = "unknown"};
  head.notes = s.notes;
  head.labels.insert(group.labels.begin(), group.labels.end());
  const auto nodes = [](const CaseRecord& c) { return c.key.nodes.value_or(0); };
  for (const CaseRecord& c : cases) head.ranks = std::max(head.ranks, c.key.ranks);
  if (std::ranges::all_of(cases, [](const CaseRecord& c) { return c.key.nodes.has_value(); }))
    head.nodes = nodes(std::ranges::max(cases, {}, nodes));
  return head;
}

ImportedRun csv_run(const ImportRequest& request, const Settings& s, const Table& table, Group group,
                    CsvSubject subject) {
  ImportedRun run{.name = csv_name(table, group),
                  .cases = group.cases.sorted_cases(),
                  .end = {.status = EndStatus::unknown},
                  .warnings = csv_warnings(table)};
  set_scaling(run.cases);
  run.head = csv_head(request, s, group, run.cases, run.name);
  add_notes(run.head.notes, run.warnings);
  add_notes(run.head.notes, csv_notes(table, run.cases, subject));
  count_cases(run.end, run.cases);
  run.collective = subjects(run.cases);
  run.rows = static_cast<int>(run.cases.size());
  return run;
}

// The importer

void require_other_labels(const ImportRequest& request, const CsvColumns& columns) {
  for (const CsvColumn& c : columns.columns)
    if (c.field == nullptr && request.labels.contains(c.header))
      throw UsageError(fmt::format("--label {}: {} has a column of that name", c.header, request.source));
}

bool recognises_csv(std::string_view text) {
  const auto delimiter = csv_delimiter(text);
  if (!delimiter) return false;
  const auto header = CsvReader(text, *delimiter).next();
  return header && is_csv_header(*header);
}

std::vector<ImportedRun> read_csv(const ImportRequest& request) {
  CsvReader reader(request.text, csv_delimiter(request.text).value());
  const CsvColumns columns = read_csv_columns(request.source, reader.next().value());
  require_other_labels(request, columns);
  std::vector<CsvRow> rows;
  while (auto row = reader.next()) {
    if (rows.size() == most_rows) refuse(request, "more than {} rows; no published table has them", most_rows);
    rows.push_back(std::move(*row));
  }
  const Settings s = settings_of(request, reader, columns);
  const Table table = table_of(request, columns, s, rows);
  std::vector<ImportedRun> runs;
  for (const Group& group : table.groups) runs.push_back(csv_run(request, s, table, group, columns.subject));
  for (std::size_t i = 1; i < runs.size(); ++i) runs[i].warnings.clear();  // they concern the whole table: show once
  return runs;
}

}  // namespace

extern const Importer csv_table{
    .name = "CSV table",
    .about = "a table of published figures: comma-separated values, a header with units",
    .recognises = recognises_csv,
    .read = read_csv,
};

}  // namespace busbar
