// SPDX-License-Identifier: Apache-2.0
#include "reports/document/document.hpp"

#include <algorithm>

namespace busbar::report {

std::size_t add_line(Figure& figure, const std::string& label) {
  const std::size_t index = figure.lines.size();
  const LineStyle style{.colour = index, .shape = index, .dash = 0};
  figure.lines.push_back({.run = label, .series = "", .style = style});
  figure.legend.push_back({.label = label, .style = style});
  return index;
}

void fold_if_long(Table& table) {
  constexpr std::size_t most = 24;
  table.folded = table.rows.size() > most;
}

void drop_last_column_if_empty(Table& table) {
  if (std::ranges::any_of(table.rows, [](const auto& cells) { return !cells.back().empty(); })) return;
  table.columns.pop_back();
  for (auto& cells : table.rows) cells.pop_back();
}

}  // namespace busbar::report
