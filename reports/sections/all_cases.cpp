// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/case_table.hpp"
#include "core/tables/named_table.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

constexpr std::size_t most_listed = 20000;  ///< cases: some 10 MB of tables
constexpr std::size_t all_open = 150;       ///< up to this many cases, all tables are unfolded

/// Columns of numbers and names, which differ between kinds of cases, and those that all tables have.
std::vector<Column> with_common_columns(std::vector<Column> own) {
  own.insert(own.end(), {{"data check"}, {"status", ColumnKind::status}, {"grade"}, {"remarks"}});
  return own;
}

/// A table for cases like this one. Rows of trainings show how they differ.
Table empty_table(const std::string& run, const CaseRecord& first, bool folded) {
  if (is_named(first.key))
    return {.title = fmt::format("{}: {}", named_series(first), run),
            .columns = with_common_columns(
                make_columns({{ColumnKind::name, {"name"}}, {number, {"time", "+-%", "p99", "GB/s", "samples"}}})),
            .folded = folded};
  if (is_training(first))
    return {.title = fmt::format("{}: {}", subject(first.key), run),
            .columns = with_common_columns(
                make_columns({{ColumnKind::text, {"case"}},
                              {number,
                               {"ranks", "nodes", first.training ? rate_unit(*first.training) : "samples/s", "step",
                                "+-%", "p99", "exposed", "loss", "steps"}}})),
            .folded = folded};
  return {.title = fmt::format("{}: {} ({})", subject(first.key), run, describe(first.key)),
          .columns = with_common_columns(make_columns(
              {{number, {"size", "count", "time", "+-%", "p99", "algbw (GB/s)", "busbw (GB/s)", "samples"}}})),
          .folded = folded};
}

/// The time by the clock other than the one used for samples; empty if there was only one.
std::string other_clock(const CaseRecord& c, const Method& method) {
  for (const auto& [clock, time_s] : c.time_by_clock_s)
    if (clock != method.clock.value_or(host_clock))
      return fmt::format("{} by {}", duration(time_s), clock == host_clock ? "the host's clock" : "CUDA events");
  return "";
}

/// Remarks on a case as sentences, without those that apply to all cases of the run.
std::string remarks(CaseRecord c, const Method& method) {
  if (c.calls_per_sample == method.aggregated_iterations || c.calls_per_sample == method.graph_calls)
    c.calls_per_sample.reset();
  std::vector<std::string> texts = table_remarks(c);
  if (c.choice) texts.push_back("NCCL chose " + text_of(*c.choice));
  texts.push_back(other_clock(c, method));
  std::string all;
  for (const std::string& text : texts) {
    if (text.empty()) continue;
    all += (all.empty() ? "" : " ") + capitalised(text) + (text.back() == '.' ? "" : ".");
  }
  return all;
}

/// "-" if there were too few rounds for an interval.
std::string half_width(const CaseRecord& c) {
  return c.rounds.empty() && !c.interval_s ? std::string(unknown) : half_width_percent(c);
}

std::optional<double> p99_of(const CaseRecord& c) {
  return c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
}

std::vector<std::string> case_cells(const CaseRecord& c) {
  const auto number = [](std::optional<std::uint64_t> n) { return n ? std::to_string(*n) : std::string(unknown); };
  const std::string size = format_size(c.key.bytes);
  if (!c.time_s) return {size, c.count ? number(c.count) : "", "", "", "", "", "", ""};
  return {size,
          number(c.count),
          duration(c.time_s),
          half_width(c),
          duration(p99_of(c)),
          c.key.bytes == 0 ? "-" : bandwidth(c.algbw_GBps),
          bus_bandwidth(c),
          number(c.samples_taken)};
}

std::vector<std::string> named_cells(const CaseRecord& c) {
  const auto known = [](const auto& value, const auto& text) { return value ? text(value) : std::string("-"); };
  return {case_name(c.key),
          known(c.time_s, duration),
          c.time_s ? half_width_percent(c) : "-",
          known(p99_of(c), duration),
          known(c.algbw_GBps, bandwidth),
          c.samples_taken ? std::to_string(*c.samples_taken) : "-"};
}

std::vector<std::string> training_cells(const CaseRecord& c) {
  const auto nodes = c.key.nodes ? std::to_string(*c.key.nodes) : std::string(unknown);
  std::vector<std::string> cells{set_up(c.key), std::to_string(c.key.ranks), nodes};
  if (c.training && (c.time_s || is_measured(c.status))) {
    const Training& t = *c.training;
    const bool parted = t.split && t.split->step_s > 0;
    const auto exposed = parted ? std::optional(t.split->exposed_s / t.split->step_s) : std::nullopt;
    const auto loss = t.loss_first && t.loss_last ? fmt::format("{:.3g} to {:.3g}", *t.loss_first, *t.loss_last) : "-";
    const auto steps = c.samples_taken ? std::to_string(*c.samples_taken) : std::string(unknown);
    cells.insert(cells.end(), {rate(t.samples_per_s), duration(c.time_s), half_width(c), duration(p99_of(c)),
                               percent(exposed), loss, steps});
  }
  cells.resize(10);
  return cells;
}

/// Key of the table that a case belongs to.
std::string all_cases_table(const CaseRecord& c) {
  if (is_named(c.key)) return named_series(c);
  return is_training(c) ? subject(c.key) : series_name(c.key);
}

/// `grade`: in words; may be empty.
std::vector<std::string> row_of(const CaseRecord& c, const Method& method, const std::string& grade) {
  const bool named = is_named(c.key);
  auto cells = named ? named_cells(c) : is_training(c) ? training_cells(c) : case_cells(c);
  const std::string reason = named ? c.reason.value_or("") : "", more = remarks(c, method);
  cells.insert(cells.end(), {text_of(c.check.state), text_of(c.status), grade,
                             reason + (reason.empty() || more.empty() ? "" : ". ") + more});
  return cells;
}

std::vector<Block> all_cases_blocks(const Material& material) {
  const auto& runs = material.runs();
  std::size_t n = 0;
  for (const Run& run : runs) n += run.cases.size();
  if (n > most_listed)
    return {
        Paragraph{.text = fmt::format("{} cases are too many for a page: busbar report --csv writes them, one row a "
                                      "case, to a file beside it.",
                                      n)}};
  const auto& names = material.names();
  std::vector<Block> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Table> tables;  // of series in order of appearance: a plan's outer loop can be over sizes
    std::map<std::string, std::size_t> places;
    for (std::size_t n = 0; n < runs[i].cases.size(); ++n) {
      const CaseRecord& c = runs[i].cases[n];
      const auto [at, is_new] = places.try_emplace(all_cases_table(c), tables.size());
      if (is_new) tables.push_back(empty_table(names[i], c, n > all_open));
      const auto& graded = material.grades()[i][n];
      tables[at->second].rows.push_back(row_of(c, runs[i].head.method, graded ? graded->short_text() : ""));
    }
    for (Table& table : tables) {
      drop_last_column_if_empty(table);  // remarks
      all.emplace_back(std::move(table));
    }
  }
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section all_cases{
    .name = "cases", .title = "All cases", .blocks = report::all_cases_blocks, .folded = true};

}  // namespace busbar
