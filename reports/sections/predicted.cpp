// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/prediction_figures.hpp"
#include "reports/predict/what_if/variant_blocks.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report {
namespace {

/// Empty without --predict.
std::vector<Block> predicted_blocks(const Material& material) {
  const auto& prediction = material.options().prediction;
  if (!prediction) return {};
  std::vector<Block> all{Paragraph{.text = "Predicted by busbar predict, not measured.", .tone = Tone::warning}};
  const auto add = [&all](std::vector<Block> more) { std::ranges::move(more, std::back_inserter(all)); };
  const auto add_figure = [&all](Figure figure, std::vector<Table> tables) {
    figure.tables = std::move(tables);
    all.emplace_back(std::move(figure));
  };
  add(folded_assumptions(*prediction));
  for (const predict::TrainingSeries& t : prediction->trainings)
    if (!t.predicted.empty()) add_figure(over_nodes(t), tables_of(t, prediction->confidence));
  for (const predict::Series& s : prediction->series) {
    std::vector<Table> tables = tables_of(s, prediction->confidence);
    if (s.predicted.empty())
      std::ranges::move(tables, std::back_inserter(all));
    else
      add_figure(over_nodes(s, prediction->confidence), std::move(tables));
  }
  add(next_blocks(*prediction));
  for (const predict::Series& s : prediction->series)
    if (auto figure = over_sizes(s)) all.emplace_back(*std::move(figure));
  add(variant_blocks(*prediction));
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section predicted{
    .name = "predicted", .title = "Predicted on more nodes", .blocks = report::predicted_blocks};

}  // namespace busbar
