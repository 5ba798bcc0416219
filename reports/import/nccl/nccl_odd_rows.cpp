// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_odd_rows.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace busbar {
namespace {

using namespace std::string_view_literals;

constexpr std::array nccl_types{"int8"sv,     "uint8"sv,    "int32"sv,  "uint32"sv,   "int64"sv, "uint64"sv,
                                "half"sv,     "float"sv,    "double"sv, "bfloat16"sv, "char"sv,  "int"sv,
                                "fp8_e4m3"sv, "fp8_e5m2"sv, "f8e4m3"sv, "f8e5m2"sv};
constexpr std::array nccl_operations{"sum"sv, "prod"sv, "max"sv, "min"sv, "avg"sv, "mulsum"sv, "all"sv};

template <class Words>
bool is_one_of(std::string_view word, const Words& known) {
  return std::ranges::find(known, word) != known.end();
}

/// Most frequent key and how often it occurs. The smallest of equals.
template <class Key>
std::pair<Key, std::size_t> most_frequent(const std::map<Key, std::size_t>& times) {
  const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
  return *most;
}

/// Rows whose key occurs at most a `share`-th as often as the most frequent one are odd.
template <class Key>
void mark_rare(const std::vector<NcclRow>& rows, std::vector<bool>& odd, std::size_t share,
               const std::function<Key(const NcclRow&)>& key_of) {
  std::map<Key, std::size_t> times;
  for (const NcclRow& row : rows) ++times[key_of(row)];
  const std::size_t most = most_frequent(times).second;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const std::size_t n = times[key_of(rows[i])]; n < most && share * n <= most) odd[i] = true;
}

/// Types and operations that nobody knows, where others of the table are known.
void mark_unknown_words(const std::vector<NcclRow>& rows, std::vector<bool>& odd) {
  const auto known = [](const NcclRow& row) {
    return is_one_of(row.type, nccl_types) && (!row.op || is_one_of(*row.op, nccl_operations));
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
    const auto [usual, times] = most_frequent(by_type[rows[i].type]);
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
      job.warnings.push_back(
          fmt::format("line {}: sizes start over: the rows from there on may be of another run", row.line));
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
      job.warnings.push_back(fmt::format("line {}: one half of the row cannot be read: it is torn", job.rows[i].line));
}

}  // namespace

void drop_odd_rows(NcclJob& job) {
  if (job.rows.size() < 2 || !job.columns) return;
  std::vector<bool> odd(job.rows.size());
  mark_unknown_words(job.rows, odd);
  mark_rare<bool>(job.rows, odd, 3, [](const NcclRow& row) { return row.op.has_value(); });
  mark_rare<bool>(job.rows, odd, 3, [](const NcclRow& row) { return row.root.has_value(); });
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
  std::size_t at = 0;
  std::erase_if(job.rows, [&](const NcclRow&) { return odd[at++]; });
  std::ranges::sort(job.torn_lines);
  warn_of_restart(job);
}

}  // namespace busbar
