// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_runs.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

constexpr std::array nccl_types{"int8"sv,     "uint8"sv,    "int32"sv,  "uint32"sv,   "int64"sv, "uint64"sv,
                                "half"sv,     "float"sv,    "double"sv, "bfloat16"sv, "char"sv,  "int"sv,
                                "fp8_e4m3"sv, "fp8_e5m2"sv, "f8e4m3"sv, "f8e5m2"sv};
constexpr std::array nccl_operations{"sum"sv, "prod"sv, "max"sv, "min"sv, "avg"sv, "mulsum"sv, "all"sv};

/// Rows that have something, or lack it, are odd if there are at least three times as many others.
template <class Condition>
void mark_rare(const std::vector<NcclRow>& rows, std::vector<bool>& odd, Condition has_it) {
  const std::ptrdiff_t with = std::ranges::count_if(rows, has_it), without = std::ssize(rows) - with;
  if (3 * std::min(with, without) > std::max(with, without)) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (has_it(rows[i]) == (with < without)) odd[i] = true;
}

/// Types and operations that nobody knows, where others of the table are known.
void mark_unknown_words(const std::vector<NcclRow>& rows, std::vector<bool>& odd) {
  const auto known = [](const NcclRow& row) {
    return is_one_of(nccl_types, row.type) && (!row.op || is_one_of(nccl_operations, *row.op));
  };
  if (std::ranges::none_of(rows, known)) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!known(rows[i])) odd[i] = true;
}

/// Sizes are a count of elements, times the ranks for some collectives: one ratio per type.
void mark_other_ratios(const std::vector<NcclRow>& rows, std::vector<bool>& odd) {
  std::map<std::string_view, std::map<double, std::size_t>> by_type;
  const auto ratio = [](const NcclRow& row) {
    return static_cast<double>(row.bytes) / static_cast<double>(*row.count);
  };
  for (const NcclRow& row : rows)
    if (row.count.value_or(0) > 0) ++by_type[row.type][ratio(row)];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].count || by_type[rows[i].type].empty()) continue;
    const auto [usual, times] = most_frequent_key(by_type[rows[i].type]);
    const bool fits = *rows[i].count > 0 ? ratio(rows[i]) == usual : rows[i].bytes == 0;
    if (!fits && times > 1) odd[i] = true;
  }
}

/// nccl-tests goes from small to large: rows that start over are repeats, or of another run whose head is lost.
void warn_of_restart(NcclJob& job) {
  std::map<std::string, std::uint64_t> last;
  for (const NcclRow& row : job.rows) {
    std::uint64_t& size = last[fmt::format("{} {} {}", row.type, row.op.value_or(""), row.root.value_or(-1))];
    if (row.bytes < size && job.starts <= 1) {
      add_note(job.warnings, "line {}: sizes start over: the rows from there on may be of another run", row.line);
      return;
    }
    size = row.bytes;
  }
}

/// Rows with one half where most have two: the other is torn.
void warn_of_halves(NcclJob& job, const std::vector<bool>& odd) {
  const auto whole = [&job](const NcclRow& row) { return row.halves.size() == std::size_t(job.columns->halves); };
  if (2 * std::ranges::count_if(job.rows, whole) <= std::ssize(job.rows)) return;
  for (std::size_t i = 0; i < odd.size(); ++i)
    if (!odd[i] && !whole(job.rows[i]))
      add_note(job.warnings, "line {}: one half of the row cannot be read: it is torn", job.rows[i].line);
}

/// Moves rows that do not fit the others of their table to `torn_lines`: two writers mixed their lines, or bytes were
/// lost or overwritten. Such rows can have the right number of cells.
void drop_odd_rows(NcclJob& job) {
  if (job.rows.size() < 2 || !job.columns) return;
  std::vector<bool> odd(job.rows.size());
  mark_unknown_words(job.rows, odd);
  mark_rare(job.rows, odd, [](const NcclRow& row) { return row.op.has_value(); });
  mark_rare(job.rows, odd, [](const NcclRow& row) { return row.root.has_value(); });
  mark_other_ratios(job.rows, odd);
  std::vector<std::vector<Span>> places;
  for (const NcclRow& row : job.rows) places.push_back(row.cells);
  std::vector<Span> header;
  for (const NcclColumn& column : job.columns->columns)
    header.push_back({.begin = column.end - column.name.size(), .end = column.end});
  const std::vector<bool> misaligned = misaligned_rows(std::move(places), std::move(header));
  for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = odd[i] || misaligned[i];
  warn_of_halves(job, odd);
  for (std::size_t i = 0; i < odd.size(); ++i)
    if (odd[i]) job.torn_lines.push_back(job.rows[i].line);
  erase_marked(job.rows, odd);
  std::ranges::sort(job.torn_lines);
  warn_of_restart(job);
}

bool recognises_nccl_text(std::string_view text) {
  return any_line(text, [](const LogLine& line) {
    return trimmed(line.text).starts_with("# nThread ") || nccl_columns(line.text, {});
  });
}

/// The jobs of the first stream, one after another. Other streams are processes that ran beside them.
std::vector<const NcclJob*> jobs_in_turn(const NcclLog& log) {
  std::vector<const NcclJob*> jobs;
  for (const NcclJob& job : log.jobs)
    if (job.stream == log.jobs.front().stream) jobs.push_back(&job);
  return jobs;
}

std::vector<ImportedRun> read_nccl_text(const ImportRequest& request) {
  NcclLog log = read_nccl_log(request.text);
  for (NcclJob& job : log.jobs) drop_odd_rows(job);
  const std::vector<const NcclJob*> jobs = jobs_in_turn(log);  // not empty: recognises() saw the first lines of a job
  return read_parts(
      request, jobs.size(), [&](std::size_t i) { return nccl_run(request, log, *jobs[i]); },
      [&](std::size_t i) { return fmt::format("the run from line {}", jobs[i]->first_line); });
}

}  // namespace

extern const Importer nccl_tests_text{
    .name = "nccl-tests text",
    .about = "what NVIDIA's nccl-tests (and AMD's rccl-tests) print",
    .recognises = recognises_nccl_text,
    .read = read_nccl_text,
    .columns_of_numbers = true,
};

}  // namespace busbar
