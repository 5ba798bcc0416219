// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

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

}  // namespace busbar
