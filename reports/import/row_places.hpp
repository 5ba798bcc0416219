// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/import/text_lines.hpp"

/// Places of cells in printed tables. Rows that two writers mixed, or that lost bytes, may have the right number of
/// cells, but their cells do not end where those of other rows end.
namespace busbar {

/// Place of a cell in its line.
struct Span {
  std::size_t begin = 0, end = 0;
};

[[nodiscard]] std::vector<Span> spans_of(std::string_view line);

/// True for rows whose cells do not end where most others do. Cells are right-aligned; a number wider than its column
/// moves what follows. `header`: the column names, which count like a row. `left`: the first cell is left-aligned.
/// Tables that lost their alignment have no such rows, and rows with another number of cells are not checked.
[[nodiscard]] std::vector<bool> misaligned_rows(std::vector<std::vector<Span>> rows, std::vector<Span> header,
                                                bool left = false);

/// Most frequent key and how often it occurs: the smallest of equals. `times` must not be empty.
template <class Key>
[[nodiscard]] std::pair<Key, std::size_t> most_frequent_key(const std::map<Key, std::size_t>& times) {
  return *std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
}

/// Removes the rows that are marked.
template <class Row>
void erase_marked(std::vector<Row>& rows, const std::vector<bool>& marked) {
  std::size_t at = 0;
  std::erase_if(rows, [&](const Row&) { return marked[at++]; });
}

/// False if the mean, as printed, is not between the smallest and the largest value. True if any of them is unknown.
[[nodiscard]] bool may_be_mean(const std::optional<Rounded>& low, const std::optional<Rounded>& mean,
                               const std::optional<Rounded>& high);

}  // namespace busbar
