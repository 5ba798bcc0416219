// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/variant_blocks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/predict/readings.hpp"
#include "reports/predict/what_if/comparison.hpp"
#include "reports/predict/what_if/variant_figures.hpp"

namespace busbar::predict {
namespace {

using report::Block, report::Column, report::number, report::Table;

std::string rate_interval(const Span& s) {
  return s.low < s.high ? fmt::format("{:.0f} to {:.0f}", s.low, s.high) : "-";
}

/// Columns that say where and on which machine; `sized`: also at which size.
std::vector<Column> place_columns(bool sized) {
  std::vector<Column> all{{"nodes", number}, {"machine"}};
  if (sized) all.insert(all.begin(), {"size", number});
  return all;
}

std::vector<std::string> place_cells(const Compared& c, const std::vector<std::string>& machines) {
  std::vector<std::string> all{std::to_string(c.scale.nodes), machines[c.machine]};
  if (c.bytes > 0) all.insert(all.begin(), format_size(c.bytes));
  return all;
}

Table table_of_figures(const Prediction& p, const std::vector<Compared>& all, const std::string& unit) {
  const std::string interval = fmt::format("{:g} %", 100 * p.confidence);
  const bool rate = all.front().bytes == 0;
  Table t{.columns = place_columns(!rate)};
  for (const std::string& title : {rate ? unit : "time", interval, std::string("ratio"), interval})
    t.columns.push_back({title, number});
  for (const Compared& c : all) {
    auto& cells = t.rows.emplace_back(place_cells(c, machine_names(p)));
    cells.push_back(rate ? fmt::format("{:.2f}", c.figure.value) : format_duration(c.figure.value));
    cells.push_back(rate ? rate_interval(c.figure) : between(c.figure.low, c.figure.high));
    cells.push_back(c.ratio ? three_digits(c.ratio->value) : "-");
    cells.push_back(c.ratio ? three_digits(*c.ratio) : "-");
  }
  fold_if_long(t);
  return t;
}

/// Empty without a price.
std::vector<Table> table_of_costs(const Prediction& p, const std::vector<Compared>& all, const std::string& of) {
  if (std::ranges::none_of(all, [](const Compared& c) { return c.cost.has_value(); })) return {};
  const std::string interval = fmt::format("{:g} %", 100 * p.confidence);
  Table t{.title = fmt::format("Cost of 1,000,000 {}{}", of, p.currency.empty() ? "" : ", " + p.currency),
          .columns = place_columns(all.front().bytes > 0)};
  for (const std::string& title : {std::string("node-hours"), std::string("cost"), interval})
    t.columns.push_back({title, number});
  for (const Compared& c : all) {
    auto& cells = t.rows.emplace_back(place_cells(c, machine_names(p)));
    cells.push_back(three_digits(c.node_hours.value));
    cells.push_back(c.cost ? three_digits(c.cost->value) : "-");
    cells.push_back(c.cost && c.cost->low < c.cost->high ? three_digits(*c.cost) : "-");
  }
  fold_if_long(t);
  return {std::move(t)};
}

void add_tables(std::vector<Block>& blocks, const Prediction& p, const std::vector<Compared>& all,
                const std::string& title, const std::string& unit, const std::string& of) {
  if (all.empty()) return;
  if (!p.variants.empty()) {
    Table t = table_of_figures(p, all, unit);
    t.title = "What if: " + title;
    blocks.emplace_back(std::move(t));
  }
  for (Table& t : table_of_costs(p, all, of)) {
    t.title += ": " + title;
    blocks.emplace_back(std::move(t));
  }
}

}  // namespace

std::vector<Block> variant_tables(const Prediction& p) {
  std::vector<Block> blocks;
  for (const Series& s : p.series) add_tables(blocks, p, compare_machines(p, s), s.name, "", "calls");
  for (const TrainingSeries& t : p.trainings)
    for (const std::string& reading : equal_readings_of(t))
      add_tables(blocks, p, compare_machines(p, t, reading), fmt::format("{}: {}", t.name, reading), t.unit,
                 samples_of(t));
  return blocks;
}

std::vector<Block> variant_blocks(const Prediction& p) {
  std::vector<Block> blocks;
  for (report::Figure& figure : variant_figures(p)) blocks.emplace_back(std::move(figure));
  for (Block& table : variant_tables(p)) blocks.push_back(std::move(table));
  return blocks;
}

}  // namespace busbar::predict
