// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "reports/material.hpp"
#include "reports/pair_matrix.hpp"
#include "reports/text.hpp"

/// What goes between two devices or ranks, for all pairs that were measured: matrices, and their slow places.
namespace busbar::report {
namespace {

constexpr std::size_t most_ends = 128;        ///< rows or columns that can be told apart by eye
constexpr std::size_t most_beside = 16;       ///< of a matrix that others stand beside
constexpr std::size_t most_slow = 12;         ///< rows of the table of slow pairs
constexpr double least_span_of_shades = 0.3;  ///< of the largest value: what differs by less has shades alike

std::string share_text(const PairMatrix& m, const Pair& pair) {
  return fmt::format("{:.0f} %", 100 * pair.GBps / m.median_GBps);
}

std::string short_text(double GBps) { return fmt::format("{:.{}f}", GBps, GBps < 10 ? 2 : GBps < 100 ? 1 : 0); }

Plot plot_of(const PairMatrix& m) {
  Plot plot{.kind = PlotKind::cells, .title = fmt::format("{} (median {} GB/s)", m.test, bandwidth(m.median_GBps))};
  if (m.arrow != "<->") {
    plot.x.title = m.arrow == "->" ? "to" : "from";
    plot.y.title = m.arrow == "->" ? "from" : "to";
  }
  plot.x.names = m.columns;
  plot.y.names = m.rows;
  const auto [least, most] = std::ranges::minmax(m.pairs, {}, &Pair::GBps);
  const Range shaded{std::min(least.GBps, (1 - least_span_of_shades) * most.GBps), most.GBps};
  for (const Pair& pair : m.pairs)
    plot.marks.push_back({.group = pair.column,
                          .row = pair.row,
                          .value = pair.GBps,
                          .shade = shade_of(pair.GBps, shaded),
                          .label = short_text(pair.GBps),
                          .facts = {{"pair", pair_text(m, pair)},
                                    {"bandwidth", bandwidth(pair.GBps) + " GB/s"},
                                    {"of the median pair", share_text(m, pair)}}});
  return plot;
}

Table table_of(const PairMatrix& m) {
  Table t{.title = m.test + " (GB/s)", .columns = {{m.arrow, ColumnKind::name}}, .rows = {}};
  for (const std::string& column : m.columns) t.columns.push_back({column, ColumnKind::number});
  std::map<std::pair<std::string, std::string>, double> values;
  for (const Pair& pair : m.pairs) values[{pair.row, pair.column}] = pair.GBps;
  for (const std::string& row : m.rows) {
    t.rows.push_back({row});
    for (const std::string& column : m.columns) {
      const auto it = values.find({row, column});
      t.rows.back().push_back(it == values.end() ? "" : bandwidth(it->second));
    }
  }
  return t;
}

Figure figure_of(const std::string& title) {
  return {.title = title,
          .caption = "The stronger a colour, the higher the bandwidth; each matrix has its own shades."};
}

void add(Figure& figure, const PairMatrix& m) {
  figure.plots.push_back(plot_of(m));
  figure.tables.push_back(table_of(m));
}

/// The slow pairs, slowest first; no rows where there is none.
Table slow_table(const PairMatrix& m, const std::string& run) {
  const auto slow = slow_pairs(m);
  Table t{.title = fmt::format("Slow in {}, {}: {} of {} pairs are below {:.0f} % of the median, {} GB/s", run, m.test,
                               slow.size(), m.pairs.size(), 100 * slow_pair_share, bandwidth(m.median_GBps)),
          .columns = {{"pair", ColumnKind::name},
                      {"bandwidth (GB/s)", ColumnKind::number},
                      {"of the median", ColumnKind::number}},
          .rows = {}};
  for (std::size_t i = 0; i < std::min(slow.size(), most_slow); ++i)
    t.rows.push_back({pair_text(m, *slow[i]), bandwidth(slow[i]->GBps), share_text(m, *slow[i])});
  return t;
}

/// Small matrices of a run beside each other, large ones each alone, then what is slow in them.
std::vector<Block> blocks_of(const Run& run, const std::string& name) {
  Figure beside = figure_of(name);
  std::vector<Block> all;
  std::vector<Table> slow;
  for (const PairMatrix& m : pair_matrices(run)) {
    const std::size_t ends = std::max(m.rows.size(), m.columns.size());
    if (ends <= most_beside) {
      add(beside, m);
    } else if (ends <= most_ends) {
      Figure alone = figure_of(name);
      add(alone, m);
      all.emplace_back(std::move(alone));
    } else {
      all.emplace_back(Paragraph{.text = fmt::format("{}, {}: {} x {} pairs are too many to draw.", name, m.test,
                                                     m.rows.size(), m.columns.size())});
    }
    if (Table t = slow_table(m, name); !t.rows.empty()) slow.push_back(std::move(t));
  }
  if (!beside.plots.empty()) all.insert(all.begin(), std::move(beside));
  all.insert(all.end(), slow.begin(), slow.end());
  return all;
}

std::vector<Block> blocks(const Material& material) {
  std::vector<Block> all;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const auto some = blocks_of(material.runs()[i], material.names()[i]);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section pairs{.name = "pairs", .title = "All pairs", .blocks = report::blocks};

}  // namespace busbar
