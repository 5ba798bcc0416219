// SPDX-License-Identifier: Apache-2.0
#include "reports/import/csv/csv_columns.hpp"

#include <algorithm>
#include <array>
#include <climits>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"

namespace busbar {
namespace {

using enum CsvKind;

constexpr auto fields = std::to_array<CsvField>({
    {"collective", "collective", word},
    {"model", "model", text},
    {"type", "type", word},
    {"op", "op", word},
    {"backend", "backend", word},
    {"memory", "memory", word},
    {"algorithm", "algorithm", text},
    {"precision", "precision", word},
    {"compute", "compute", word},
    {"computed_on", "computed_on", text},
    {"scaling", "scaling", word},
    {"statistic", "statistic", word},
    {"note", "note", text},
    {"ranks", "ranks", count},
    {"gpus", "ranks", count},
    {"nodes", "nodes", count},
    {"ranks_per_node", "ranks_per_node", count},
    {"root", "root", count},
    {"count", "count", count},
    {"batch", "batch", count},
    {"global_batch", "global_batch", count},
    {"image", "image", count},
    {"jobs", "jobs", count},
    {"bytes", "bytes", size},
    {"size", "bytes", size},
    {"in_place", "in_place", truth},
    {"time_s", "time", figure},
    {"time_ms", "time", figure, 1e-3},
    {"time_us", "time", figure, 1e-6},
    {"time_ns", "time", figure, 1e-9},
    {"time_low_s", "time_low", figure},
    {"time_low_ms", "time_low", figure, 1e-3},
    {"time_low_us", "time_low", figure, 1e-6},
    {"time_high_s", "time_high", figure},
    {"time_high_ms", "time_high", figure, 1e-3},
    {"time_high_us", "time_high", figure, 1e-6},
    {"algbw_GBps", "algbw", figure},
    {"algbw_MBps", "algbw", figure, 1e-3},
    {"algbw_Gbps", "algbw", figure, 0.125},
    {"busbw_GBps", "busbw", figure},
    {"busbw_MBps", "busbw", figure, 1e-3},
    {"busbw_Gbps", "busbw", figure, 0.125},
    {"images_per_s", "rate", figure},
    {"samples_per_s", "rate", figure},
    {"sequences_per_s", "rate", figure},
    {"images_per_s_low", "rate_low", figure},
    {"samples_per_s_low", "rate_low", figure},
    {"sequences_per_s_low", "rate_low", figure},
    {"images_per_s_high", "rate_high", figure},
    {"samples_per_s_high", "rate_high", figure},
    {"sequences_per_s_high", "rate_high", figure},
    {"step_s", "step", figure},
    {"step_ms", "step", figure, 1e-3},
    {"confidence", "confidence", figure},
    {"speed_up", "speed_up", ignored},
    {"speedup", "speed_up", ignored},
    {"efficiency", "efficiency", ignored},
});

/// Only headers ending in "ps" are case-sensitive: case separates bits from bytes.
const CsvField* field_of(std::string_view header) {
  const auto is = [header, small = lower_case(header)](const CsvField& f) {
    return f.header == (f.header.ends_with("ps") ? header : small);
  };
  const auto at = std::ranges::find_if(fields, is);
  return at == fields.end() ? nullptr : &*at;
}

/// True if a header looks like a figure, so it is not accepted as a label.
bool sounds_like_a_figure(std::string_view header) {
  static constexpr std::array beginnings{"time", "latency", "step",    "algbw",     "busbw",      "bandwidth",
                                         "bw",   "images",  "samples", "sequences", "throughput", "rate",
                                         "size", "bytes",   "batch",   "speed",     "confidence", "efficiency"};
  static constexpr std::array ends{"_s", "_ms", "_us", "_ns", "bps", "/s", "(s)", "(ms)", "(us)", "(b)"};
  const std::string small = lower_case(header);
  const auto begins = [&small](const std::string_view word) {
    return small.starts_with(word) && small.substr(word.size()).find_first_not_of("abcdefghijklmnopqrstuvwxyz") == 0;
  };
  return std::ranges::find(beginnings, small) != beginnings.end() || std::ranges::any_of(beginnings, begins) ||
         std::ranges::any_of(ends, [&small](const std::string_view end) { return small.ends_with(end); });
}

std::string figure_names(CsvSubject subject) {
  if (subject == CsvSubject::collectives)
    return "bytes or size, time_s, time_ms, time_us or time_ns (and time_low_us, time_high_us, confidence), "
           "algbw_GBps, "
           "busbw_GBps";
  return "batch (of a rank) or global_batch, images_per_s, samples_per_s or sequences_per_s (and samples_per_s_low, "
         "samples_per_s_high, confidence), step_s or step_ms";
}

bool is_word(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return is_alphanumeric(c) || std::string_view("_.:+-").find(c) != std::string_view::npos; });
}

Error bad_cell(const CsvColumn& column, std::string_view cell, std::string_view wanted) {
  return Error(fmt::format("{}: '{}' is not {}", column.header, quotable(cell), wanted));
}

std::uint64_t read_count(const CsvColumn& column, const std::string& cell) {
  const auto value = natural_number(cell);
  const bool large = column.field->name == "count";
  if (!value || (!large && *value > INT_MAX)) throw bad_cell(column, cell, "a whole number");
  return *value;
}

Rounded read_figure(const CsvColumn& column, const std::string& cell) {
  const auto value = rounded(cell);
  if (!value || !(value->value > 0)) throw bad_cell(column, cell, "a number above 0");
  return {.value = value->value * column.field->unit, .half_unit = value->half_unit * column.field->unit};
}

bool read_truth(const CsvColumn& column, const std::string& cell) {
  const std::string small = lower_case(cell);
  if (small != "true" && small != "yes" && small != "false" && small != "no")
    throw bad_cell(column, cell, "true or false");
  return small == "true" || small == "yes";
}

void read_csv_cell(CsvValues& row, const CsvColumn& column, const std::string& cell) {
  const std::string_view name = column.field->name;
  switch (column.field->kind) {
    case word:
      if (!is_word(cell)) throw bad_cell(column, cell, "one word of letters, digits and _.:+-");
      row.words[name] = cell;
      break;
    case text:
      row.words[name] = cell;
      break;
    case count:
      row.counts[name] = read_count(column, cell);
      break;
    case size:
      row.counts[name] = parse_size(column.header, cell);
      break;
    case truth:
      row.truths[name] = read_truth(column, cell);
      break;
    case figure:
      row.figures[name] = read_figure(column, cell);
      break;
    case ignored:
      break;
  }
}

void require_unlike(std::string_view source, const CsvColumns& all, const CsvColumn& column) {
  for (const CsvColumn& other : all.columns) {
    const bool same = column.field == nullptr ? other.header == column.header
                                              : other.field != nullptr && other.field->name == column.field->name;
    if (same)
      throw UsageError(fmt::format("{}: columns '{}' and '{}' mean the same; keep one of them", source, other.header,
                                   column.header));
  }
}

void require_figures(std::string_view source, const CsvColumns& all) {
  const bool trains = all.subject == CsvSubject::trainings;
  const bool figures =
      trains ? all.has("rate") || all.has("step") : all.has("time") || all.has("algbw") || all.has("busbw");
  if (!figures || (!trains && !all.has("bytes")))
    throw UsageError(fmt::format("{}: no column of {}; known are {}", source, figures ? "sizes" : "figures",
                                 figure_names(all.subject)));
}

}  // namespace

bool CsvColumns::has(std::string_view name) const {
  return std::ranges::any_of(columns,
                             [name](const CsvColumn& c) { return c.field != nullptr && c.field->name == name; });
}

bool is_csv_header(const CsvRow& header) {
  if (header.cells.size() < 2) return false;
  bool subject = false, bytes = false, figures = false;
  for (const std::string& cell : header.cells) {
    const CsvField* field = field_of(cell);
    if (field == nullptr) continue;
    subject = subject || field->name == "collective" || field->name == "model";
    bytes = bytes || field->name == "bytes";
    figures = figures || field->kind == figure;
  }
  return subject || (bytes && figures);
}

CsvColumns read_csv_columns(std::string_view source, const CsvRow& header) {
  const auto names = [&header](std::string_view name) {
    return std::ranges::any_of(header.cells, [name](const auto& cell) { return lower_case(cell) == name; });
  };
  if (names("run_id") && names("origin"))
    throw UsageError(
        fmt::format("{}: busbar export --format csv wrote this; give the record itself to busbar", source));
  if (names("model") && names("collective"))
    throw UsageError(fmt::format("{}: columns 'model' and 'collective' in one table; make two of it", source));
  constexpr std::size_t most = 100;
  if (header.cells.size() > most)
    throw UsageError(fmt::format("{}: {} columns; a table may have {}", source, header.cells.size(), most));
  CsvColumns all{.subject = names("model") ? CsvSubject::trainings : CsvSubject::collectives, .columns = {}};
  for (const std::string& cell : header.cells) {
    const CsvColumn column{.header = quotable(cell), .field = field_of(cell)};
    if (column.header.empty())
      throw UsageError(fmt::format("{}: column {} has no name", source, all.columns.size() + 1));
    if (column.field == nullptr && sounds_like_a_figure(cell))
      throw UsageError(fmt::format("{}: column '{}' is not a known figure with its unit; known: {}", source,
                                   column.header, figure_names(all.subject)));
    require_unlike(source, all, column);
    all.columns.push_back(column);
    if (column.field != nullptr && column.field->name == "rate")
      all.sample = column.field->header.substr(0, column.field->header.find("s_per_s"));
  }
  require_figures(source, all);
  return all;
}

std::map<std::string, std::string> csv_labels(const CsvColumns& all, const CsvRow& row) {
  std::map<std::string, std::string> labels;
  for (std::size_t i = 0; i < std::min(row.cells.size(), all.columns.size()); ++i)
    if (all.columns[i].field == nullptr) labels[all.columns[i].header] = row.cells[i];
  return labels;
}

CsvValues read_csv_values(const CsvColumns& all, const CsvRow& row) {
  if (row.cells.size() != all.columns.size())
    throw Error(fmt::format("{} where the header has {}", plural(row.cells.size(), "cell"), all.columns.size()));
  CsvValues values{.line = row.line, .labels = csv_labels(all, row)};
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    if (all.columns[i].field != nullptr && !row.cells[i].empty()) read_csv_cell(values, all.columns[i], row.cells[i]);
  return values;
}

}  // namespace busbar
