// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/record/run.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Transfers between all measured pairs of devices or ranks: matrices and slow pairs.
namespace busbar::report {
namespace {

constexpr std::size_t most_ends = 128;        ///< maximum rows or columns that are legible
constexpr std::size_t most_beside = 16;       ///< maximum for matrices drawn side by side
constexpr std::size_t most_slow = 12;         ///< rows of the table of slow pairs
constexpr double least_span_of_shades = 0.3;  ///< minimum relative span of the colour scale: closer values look alike

std::string share_text(const PairMatrix& m, const Pair& pair) { return fmt::format("{:.0f} %", 100 * share(m, pair)); }

constexpr double us = 1e6;

/// A value in GB/s or microseconds, short enough for a matrix cell.
std::string short_text(const PairMatrix& m, double value) {
  const double v = m.measure == PairMatrix::Measure::time ? value * us : value;
  return fmt::format("{:.{}f}", v, v < 10 ? 2 : v < 100 ? 1 : 0);
}

/// A value with the precision of a table.
std::string table_text(const PairMatrix& m, double value) {
  return m.measure == PairMatrix::Measure::time ? short_text(m, value) : bandwidth(value);
}

std::string unit(const PairMatrix& m) { return m.measure == PairMatrix::Measure::time ? "us" : "GB/s"; }
std::string_view what(const PairMatrix& m) { return m.measure == PairMatrix::Measure::time ? "time" : "bandwidth"; }

/// Pairs, with undirected ones mirrored across the diagonal unless the source has both.
std::vector<Pair> both_ways(const PairMatrix& m) {
  std::vector<Pair> all = m.pairs;
  if (m.arrow != "<->") return all;
  std::set<std::pair<std::string, std::string>> given;
  for (const Pair& pair : m.pairs) given.emplace(pair.row, pair.column);
  for (const Pair& pair : m.pairs)
    if (!given.contains({pair.column, pair.row})) {
      all.push_back(pair);
      std::swap(all.back().row, all.back().column);
    }
  return all;
}

Mark pairs_mark(const PairMatrix& m, const Pair& pair, Range shaded) {
  return {.group = pair.column,
          .row = pair.row,
          .value = pair.value,
          .shade = shade_of(pair.value, shaded),
          .label = short_text(m, pair.value),
          .facts = {{"pair", pair_text(m, pair)},
                    {what(m), value_text(m, pair.value)},
                    {"relative to usual", share_text(m, pair)}}};
}

Plot pairs_plot(const PairMatrix& m) {
  Plot plot{.kind = PlotKind::cells, .title = fmt::format("{}, {} ({})", m.test, unit(m), usual_text(m))};
  if (m.arrow != "<->") {
    plot.x.title = m.arrow == "->" ? "to" : "from";
    plot.y.title = m.arrow == "->" ? "from" : "to";
  }
  plot.x.names = m.columns;
  plot.y.names = m.rows;
  const auto [least, most] = std::ranges::minmax(m.pairs, {}, &Pair::value);
  const Range shaded{std::min(least.value, (1 - least_span_of_shades) * most.value), most.value};
  for (const Pair& pair : both_ways(m)) plot.marks.push_back(pairs_mark(m, pair, shaded));
  return plot;
}

Table pairs_table(const PairMatrix& m) {
  Table t{.title = fmt::format("{} ({})", m.test, unit(m)), .columns = {{m.arrow, ColumnKind::name}}};
  for (const std::string& column : m.columns) t.columns.push_back({column, number});
  std::map<std::pair<std::string, std::string>, double> values;
  for (const Pair& pair : both_ways(m)) values[{pair.row, pair.column}] = pair.value;
  for (const std::string& row : m.rows) {
    t.rows.push_back({row});
    for (const std::string& column : m.columns) {
      const auto it = values.find({row, column});
      t.rows.back().push_back(it == values.end() ? "" : table_text(m, it->second));
    }
  }
  return t;
}

Figure pairs_figure(const std::string& title) {
  return {.title = title, .caption = "Stronger colours are higher figures; each matrix has its own colour scale."};
}

void add_pair(Figure& figure, const PairMatrix& m) {
  figure.plots.push_back(pairs_plot(m));
  figure.tables.push_back(pairs_table(m));
}

/// The slow pairs, slowest first; no rows if there are none.
Table slow_table(const PairMatrix& m, const std::string& run) {
  const auto slow = slow_pairs(m);
  Table t{.title = fmt::format("Slow pairs in {}, {}: {} of {} are below {:.0f} % of the usual speed ({})", run, m.test,
                               slow.size(), m.pairs.size(), 100 * slow_pair_share, usual_text(m)),
          .columns = {{"pair", ColumnKind::name},
                      {fmt::format("{} ({})", what(m), unit(m)), number},
                      {"relative to usual", number}}};
  for (std::size_t i = 0; i < std::min(slow.size(), most_slow); ++i)
    t.rows.push_back({pair_text(m, *slow[i]), table_text(m, slow[i]->value), share_text(m, *slow[i])});
  return t;
}

Paragraph slow_end_text(const PairMatrix& m, const std::vector<SlowEnd>& ends, const std::string& run) {
  return {.text = fmt::format("{}, {}: most transfers {} are slow: check {} first.", run, m.test,
                              text_of(ends, most_slow), ends.size() == 1 ? "its link" : "their links"),
          .tone = Tone::warning};
}

/// Small matrices of a run side by side, large ones separately, then the slow pairs.
std::vector<Block> blocks_of(const std::vector<PairMatrix>& matrices, const std::string& name) {
  Figure beside = pairs_figure(name);
  std::vector<Block> all;
  std::vector<Block> slow;
  for (const PairMatrix& m : matrices) {
    const std::size_t ends = std::max(m.rows.size(), m.columns.size());
    if (ends <= most_beside) {
      add_pair(beside, m);
    } else if (ends <= most_ends) {
      Figure alone = pairs_figure(name);
      add_pair(alone, m);
      all.emplace_back(std::move(alone));
    } else {
      all.emplace_back(Paragraph{.text = fmt::format("{}, {}: {} x {} pairs are too many to draw.", name, m.test,
                                                     m.rows.size(), m.columns.size())});
    }
    if (const auto slow_ones = slow_ends(m); !slow_ones.empty()) slow.emplace_back(slow_end_text(m, slow_ones, name));
    if (Table t = slow_table(m, name); !t.rows.empty()) slow.emplace_back(std::move(t));
  }
  if (!beside.plots.empty()) all.insert(all.begin(), std::move(beside));
  all.insert(all.end(), slow.begin(), slow.end());
  return all;
}

std::vector<Block> pairs_blocks(const Material& material) {
  std::vector<Block> all;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const auto some = blocks_of(material.pairs()[i], material.names()[i]);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section pairs{.name = "pairs", .title = "All pairs", .blocks = report::pairs_blocks};

}  // namespace busbar
