// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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

Table empty_table(const std::string& run, const CaseRecord& first, bool folded) {
  const auto number = ColumnKind::number;
  return {.title = fmt::format("{}: {} ({})", subject(first.key), run, describe(first.key)),
          .columns = {{"size", number},
                      {"count", number},
                      {"time", number},
                      {"+-%", number},
                      {"p99", number},
                      {"algbw (GB/s)", number},
                      {"busbw (GB/s)", number},
                      {"samples", number},
                      {"data check"},
                      {"status", ColumnKind::status},
                      {"remarks"}},
          .rows = {},
          .folded = folded};
}

/// For functions of one program, or copies of one test.
Table empty_named_table(const std::string& run, const CaseRecord& first, bool folded) {
  const auto number = ColumnKind::number;
  return {.title = fmt::format("{}: {}", named_series(first), run),
          .columns = {{"name", ColumnKind::name},
                      {"time", number},
                      {"+-%", number},
                      {"p99", number},
                      {"GB/s", number},
                      {"samples", number},
                      {"data check"},
                      {"status", ColumnKind::status},
                      {"remarks"}},
          .rows = {},
          .folded = folded};
}

/// For all training cases of one model; their rows show how they differ.
Table empty_training_table(const std::string& run, const CaseRecord& first, bool folded) {
  const auto number = ColumnKind::number;
  return {.title = fmt::format("{}: {}", subject(first.key), run),
          .columns = {{"case"},
                      {"ranks", number},
                      {"nodes", number},
                      {first.training ? rate_unit(*first.training) : "samples/s", number},
                      {"step", number},
                      {"+-%", number},
                      {"p99", number},
                      {"exposed", number},
                      {"loss", number},
                      {"steps", number},
                      {"data check"},
                      {"status", ColumnKind::status},
                      {"remarks"}},
          .rows = {},
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

std::vector<std::string> case_row(const CaseRecord& c, const Method& method) {
  const auto number = [](std::optional<std::uint64_t> n) { return n ? std::to_string(*n) : std::string(unknown); };
  const auto gbps = [&c](std::optional<double> v) { return c.key.bytes == 0 ? "-" : bandwidth(v); };
  const std::string size = format_size(c.key.bytes), status(name(c.status));
  if (!c.time_s)
    return {size,
            c.count ? number(c.count) : "",
            "",
            "",
            "",
            "",
            "",
            "",
            text_of(c.check.state),
            status,
            remarks(c, method)};
  const auto p99 = c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
  return {size,
          number(c.count),
          duration(c.time_s),
          half_width(c),
          duration(p99),
          gbps(c.algbw_GBps),
          bus_bandwidth(c),
          number(c.samples_taken),
          text_of(c.check.state),
          status,
          remarks(c, method)};
}

std::vector<std::string> named_row(const CaseRecord& c, const Method& method) {
  const auto known = [](const auto& value, const auto& text) { return value ? text(value) : std::string("-"); };
  const auto p99 = c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
  const std::string reason = c.reason.value_or(""), more = remarks(c, method);
  return {case_name(c.key),
          known(c.time_s, duration),
          c.time_s ? half_width_percent(c) : "-",
          known(p99, duration),
          known(c.algbw_GBps, bandwidth),
          c.samples_taken ? std::to_string(*c.samples_taken) : "-",
          text_of(c.check.state),
          std::string(name(c.status)),
          reason + (reason.empty() || more.empty() ? "" : ". ") + more};
}

std::vector<std::string> training_row(const CaseRecord& c, const Method& method) {
  const auto nodes = c.key.nodes ? std::to_string(*c.key.nodes) : std::string(unknown);
  std::vector<std::string> cells{set_up(c.key), std::to_string(c.key.ranks), nodes};
  if (c.training && (c.time_s || is_measured(c.status))) {
    const Training& t = *c.training;
    const bool parted = t.split && t.split->step_s > 0;
    const auto exposed = parted ? std::optional(t.split->exposed_s / t.split->step_s) : std::nullopt;
    const auto p99 = c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
    const auto loss = t.loss_first && t.loss_last ? fmt::format("{:.3g} to {:.3g}", *t.loss_first, *t.loss_last) : "-";
    const auto steps = c.samples_taken ? std::to_string(*c.samples_taken) : std::string(unknown);
    cells.insert(cells.end(), {rate(t.samples_per_s), duration(c.time_s), half_width(c), duration(p99),
                               percent(exposed), loss, steps});
  }
  cells.resize(10);
  cells.insert(cells.end(), {text_of(c.check.state), std::string(name(c.status)), remarks(c, method)});
  return cells;
}

/// Key of the table that a case belongs to.
std::string all_cases_table(const CaseRecord& c) {
  if (is_named(c.key)) return named_series(c);
  return is_training(c) ? subject(c.key) : series_name(c.key);
}

Table empty_table_of(const std::string& run, const CaseRecord& c, bool folded) {
  if (is_named(c.key)) return empty_named_table(run, c, folded);
  return is_training(c) ? empty_training_table(run, c, folded) : empty_table(run, c, folded);
}

std::vector<std::string> row_of(const CaseRecord& c, const Method& method) {
  if (is_named(c.key)) return named_row(c, method);
  return is_training(c) ? training_row(c, method) : case_row(c, method);
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
    std::vector<std::string> order;  // series in order of appearance: a plan's outer loop can be over sizes
    std::vector<Table> tables;
    for (std::size_t n = 0; n < runs[i].cases.size(); ++n) {
      const CaseRecord& c = runs[i].cases[n];
      const std::string series = all_cases_table(c);
      std::size_t at = 0;
      while (at < order.size() && order[at] != series) ++at;
      if (at == order.size()) {
        order.push_back(series);
        Table& table = tables.emplace_back(empty_table_of(names[i], c, n > all_open));
        table.columns.insert(table.columns.end() - 1, {"grade"});
      }
      const auto& graded = material.grades()[i][n];
      auto& row = tables[at].rows.emplace_back(row_of(c, runs[i].head.method));
      row.insert(row.end() - 1, graded ? graded->short_text() : "");
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
