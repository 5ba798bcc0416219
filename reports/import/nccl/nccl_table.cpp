// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_table.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace busbar {
namespace {

/// Current name of a column.
std::string_view column_name(std::string_view printed) {
  if (printed == "cputime") return "time";
  if (printed == "#wrong") return "wrong";
  if (printed == "bytes") return "size";
  if (printed == "N") return "count";
  if (printed == "op") return "redop";
  return printed;
}

/// Which halves are in place, by the order of the words in the line above the header.
std::vector<bool> places(std::string_view above, int halves) {
  const std::size_t out = above.find("out-of-place");
  const std::size_t in = above.find("in-place");
  if (halves == 1) return {out == std::string_view::npos && in != std::string_view::npos};
  const bool swapped = out != std::string_view::npos && in < out;
  return {swapped, !swapped};
}

/// True if date and time end a row, as with -S 1.
bool has_timestamp(const std::vector<Word>& all) {
  if (all.size() < 2) return false;
  const std::string_view date = all[all.size() - 2].text;
  const std::string_view time = all.back().text;
  return date.size() == 10 && date[4] == '-' && time.size() == 8 && time[2] == ':';
}

using Cells = std::vector<std::string_view>;  ///< one cell per column; empty where there is no value

/// Assigns each word to the column whose name ends nearest. Empty if two words share a column.
std::optional<Cells> cells_by_place(const NcclColumns& header, const std::vector<Word>& row) {
  Cells cells(header.columns.size());
  std::size_t next = 0;
  for (const Word& word : row) {
    std::size_t best = cells.size();
    std::size_t nearest = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t end = header.columns[i].end;
      const std::size_t distance = std::max(end, word.end) - std::min(end, word.end);
      if (distance < nearest) nearest = distance, best = i;
    }
    if (best < next || best == cells.size()) return std::nullopt;
    cells[best] = word.text;
    next = best + 1;
  }
  return cells;
}

/// True if the empty cells are those of a blank half, or of an end that is cut off.
bool is_blank_or_cut(const NcclColumns& header, const Cells& cells) {
  const auto last = std::find_if(cells.rbegin(), cells.rend(), [](std::string_view cell) { return !cell.empty(); });
  const auto cut = static_cast<std::size_t>(cells.rend() - last);  // cells before the cut
  std::set<int> blank, filled;
  for (std::size_t i = 0; i < cut; ++i) (cells[i].empty() ? blank : filled).insert(header.columns[i].half);
  return std::ranges::none_of(blank, [&filled](int half) { return half < 0 || filled.contains(half); });
}

std::optional<Cells> nccl_table_cells(const NcclColumns& header, std::string_view line) {
  std::vector<Word> row = words(line);
  if (has_timestamp(row)) row.resize(row.size() - 2);
  if (row.size() != header.columns.size()) {
    auto cells = cells_by_place(header, row);
    return cells && is_blank_or_cut(header, *cells) ? cells : std::nullopt;
  }
  Cells cells;
  for (const Word& word : row) cells.push_back(word.text);
  return cells;
}

std::string_view cell(const NcclColumns& header, const Cells& cells, int half, std::string_view name) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (header.columns[i].half == half && header.columns[i].name == name) return cells[i];
  return {};
}

/// A finite number, 0 or more.
std::optional<Rounded> amount(std::string_view text) {
  const auto number = rounded(text);
  return number && number->value >= 0 ? number : std::nullopt;
}

bool is_bandwidth(std::string_view text) {
  const bool number = amount(text) && holds(text, ".");  // whole numbers are of other columns
  return number || text.ends_with("inf") || text.ends_with("nan");
}

std::optional<NcclHalf> nccl_table_half(const NcclColumns& header, const Cells& cells, int half) {
  const auto at = [&](std::string_view name) { return cell(header, cells, half, name); };
  const std::optional<Rounded> time = amount(at("time"));
  if (!time || !is_bandwidth(at("algbw")) || !is_bandwidth(at("busbw"))) return std::nullopt;
  const std::string_view wrong = at(header.old_errors ? "error" : "wrong");
  if (wrong.empty() && (header.has("wrong") || header.has("error"))) return std::nullopt;
  if (!wrong.empty() && wrong != "N/A" && !amount(wrong)) return std::nullopt;
  const std::optional<Rounded> number = amount(wrong);
  return NcclHalf{.in_place = header.in_place[static_cast<std::size_t>(half)],
                  .time_us = *time,
                  .algbw_GBps = amount(at("algbw")),
                  .busbw_GBps = amount(at("busbw")),
                  .wrong = number ? std::optional(number->value) : std::nullopt};
}

}  // namespace

std::optional<NcclColumns> nccl_columns(std::string_view line, std::string_view above) {
  if (!trimmed(line).starts_with('#') || !holds(line, "algbw")) return std::nullopt;
  NcclColumns header;
  for (const Word& word : words(line)) {
    if (word.text == "#" || word.text == "timestamp") continue;
    const std::string_view name = column_name(word.text);
    if (name == "time") ++header.halves;
    header.columns.push_back({.name = std::string(name), .half = header.halves - 1, .end = word.end});
    header.cpu_time |= word.text == "cputime";
    header.per_iteration |= name == "i_min";
    header.old_errors |= name == "error";
  }
  const bool table = header.has("size") && header.has("algbw") && header.has("busbw");
  if (!table || header.halves < 1 || header.halves > 2) return std::nullopt;
  header.in_place = places(above, header.halves);
  return header;
}

bool looks_like_nccl_row(std::string_view line) {
  const std::vector<Word> start = words(line.substr(0, 100));
  const auto whole_number = [](std::string_view text) { return text.front() != '-' && integer(text); };
  return start.size() >= 2 && whole_number(start[0].text) && whole_number(start[1].text);
}

std::optional<NcclRow> nccl_row(const NcclColumns& header, const LogLine& line) {
  const std::optional<Cells> cells = nccl_table_cells(header, line.text);
  if (!cells) return std::nullopt;
  const auto at = [&](std::string_view name) { return cell(header, *cells, -1, name); };
  const auto bytes = natural_number(at("size"));
  if (!bytes || integer(at("type"))) return std::nullopt;
  NcclRow row{.line = line.number,
              .bytes = *bytes,
              .count = natural_number(at("count")),
              .type = std::string(at("type")),
              .root = small_integer(at("root"))};
  if (const auto op = at("redop"); !op.empty() && op != "none") row.op = op;
  for (int half = 0; half < header.halves; ++half)
    if (auto whole = nccl_table_half(header, *cells, half)) row.halves.push_back(*whole);
  if (row.halves.empty()) return std::nullopt;
  row.cells = spans_of(line.text);
  if (has_timestamp(words(line.text))) row.cells.resize(row.cells.size() - 2);
  if (row.cells.size() != header.columns.size()) row.cells.clear();
  return row;
}

}  // namespace busbar
