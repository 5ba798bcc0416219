// SPDX-License-Identifier: Apache-2.0
#include "reports/import/row_places.hpp"

namespace busbar {
namespace {

using Times = std::map<std::size_t, std::size_t>;

/// Distance of a cell's end from the end of the cell before, or from the start of the line behind a left-aligned cell.
std::size_t step(const std::vector<Span>& row, std::size_t i, bool left) {
  if (i == 0) return row[i].end;
  return left && i == 1 ? row[i].end : row[i].end - row[i - 1].end;
}

/// Whether a cell that ends later than usual is pushed by its own width.
bool is_pushed(const std::vector<Span>& row, std::size_t i) {
  return row[i].begin - (i == 0 ? 0 : row[i - 1].end) <= 2;
}

/// Whether the only row of a table is a little beside its header: bytes of it are lost, or of another row.
bool is_beside(const std::vector<Span>& row, const std::vector<Span>& header) {
  constexpr std::size_t far = 12;  // tables that lost their alignment are further off
  if (row.size() < 2 || row.size() != header.size() || row[1].end == header[1].end) return false;
  return row[1].end + far > header[1].end && row[1].end < header[1].end + far;
}

}  // namespace

std::vector<Span> spans_of(std::string_view line) {
  std::vector<Span> all;
  for (const Word& word : words(line)) all.push_back({.begin = word.end - word.text.size(), .end = word.end});
  return all;
}

std::vector<bool> misaligned_rows(std::vector<std::vector<Span>> rows, std::vector<Span> header, bool left) {
  std::vector<bool> odd(rows.size());
  rows.push_back(std::move(header));
  Times sizes;
  for (const auto& row : rows) ++sizes[row.size()];
  const auto [columns, whole] = most_frequent_key(sizes);
  for (std::size_t i = left ? 1 : 0; i < columns; ++i) {
    Times times;
    for (const auto& row : rows)
      if (row.size() == columns) ++times[step(row, i, left)];
    const auto [usual, n] = most_frequent_key(times);
    if (10 * n < 6 * whole || n < 2) continue;
    for (std::size_t r = 0; r < odd.size(); ++r) {
      if (rows[r].size() != columns) continue;
      const std::size_t here = step(rows[r], i, left);
      if (here < usual || (here > usual && !is_pushed(rows[r], i))) odd[r] = true;
    }
  }
  if (left && odd.size() == 1) odd[0] = is_beside(rows[0], rows[1]);
  return odd;
}

bool may_be_mean(const std::optional<Rounded>& low, const std::optional<Rounded>& mean,
                 const std::optional<Rounded>& high) {
  return !mean || !low || !high || (low->low() <= mean->high() && mean->low() <= high->high());
}

}  // namespace busbar
