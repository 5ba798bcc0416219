// SPDX-License-Identifier: Apache-2.0
#include "reports/document/document.hpp"

#include <algorithm>
#include <utility>

namespace busbar::report {

std::size_t add_line(Figure& figure, const std::string& label, const LineStyle& style) {
  figure.lines.push_back({.run = label, .style = style});
  figure.legend.push_back({.label = label, .style = style});
  return figure.lines.size() - 1;
}

std::size_t add_line(Figure& figure, const std::string& label) {
  const std::size_t index = figure.lines.size();
  return add_line(figure, label, {.colour = index, .shape = index});
}

void show_few(Figure& figure, std::string (*text)(double x)) {
  LineValues by{.text = text};
  for (const Mark& mark : figure.plots.front().marks)
    by.values.push_back({.line = mark.line, .x = mark.x, .value = mark.value});
  figure.choice = show_few(figure.legend, figure.lines, by);
}

std::vector<Column> make_columns(const std::vector<TitlesOfKind>& kinds) {
  std::vector<Column> all;
  for (const auto& [kind, titles] : kinds)
    for (const std::string& title : titles) all.push_back({title, kind});
  return all;
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

namespace {

void widen(Range& all, const Range& sizes) {
  if (!(sizes.low > 0)) return;
  all.low = all.low > 0 ? std::min(all.low, sizes.low) : sizes.low;
  all.high = std::max(all.high, sizes.high);
}

/// Moves an axis of sizes to a new domain, and with it the ends of guides that reach from one end to the other.
void set_sizes(Plot& plot, const Range& sizes) {
  if (!(plot.x.sizes.low > 0)) return;
  const PlotAxis before = std::exchange(plot.x, size_axis(sizes));
  for (Guide& guide : plot.guides) {
    for (auto& [x, y] : guide.points) {
      if (x == before.domain.low) x = plot.x.domain.low;
      if (x == before.domain.high) x = plot.x.domain.high;
    }
  }
}

}  // namespace

void share_sizes(Document& document) {
  Range all;
  for (const Chapter& chapter : document.chapters) {
    for (const Block& block : chapter.blocks) {
      if (const auto* charts = std::get_if<Charts>(&block)) widen(all, charts->bytes);
      if (const auto* figure = std::get_if<Figure>(&block))
        for (const Plot& plot : figure->plots) widen(all, plot.x.sizes);
    }
  }
  for (Chapter& chapter : document.chapters) {
    for (Block& block : chapter.blocks) {
      if (auto* charts = std::get_if<Charts>(&block)) {
        charts->bytes = all;
        if (!charts->ratio) continue;
        auto ratio = std::make_shared<Plot>(*charts->ratio);
        set_sizes(*ratio, all);
        charts->ratio = std::move(ratio);
      } else if (auto* figure = std::get_if<Figure>(&block)) {
        for (Plot& plot : figure->plots) set_sizes(plot, all);
      }
    }
  }
}

}  // namespace busbar::report
