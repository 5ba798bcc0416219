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
  std::vector<Block> all{
      Paragraph{.text = "Predicted by busbar predict, not measured: first the assumptions, then the figures.",
                .tone = Tone::warning}};
  const auto add = [&all](std::vector<Block> more) { std::ranges::move(more, std::back_inserter(all)); };
  add(assumption_blocks(*prediction));
  for (const predict::TrainingSeries& t : prediction->trainings) all.emplace_back(over_ranks(t));
  for (const predict::Series& s : prediction->series) {
    all.emplace_back(over_nodes(s));
    if (auto figure = over_sizes(s)) all.emplace_back(*std::move(figure));
  }
  add(figure_blocks(*prediction));
  add(variant_blocks(*prediction));
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section predicted{
    .name = "predicted", .title = "Predicted on more nodes", .blocks = report::predicted_blocks};

}  // namespace busbar
