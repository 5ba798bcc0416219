// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "reports/drawing/render.hpp"
#include "reports/fit/fit_blocks.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/prediction_figures.hpp"
#include "reports/predict/what_if/change.hpp"
#include "reports/predict/what_if/variant_blocks.hpp"
#include "tests/fuzz/require.hpp"

/// Any bytes as a fit, a prediction and a changed machine: they are refused, or can be shown, predicted from and drawn.
namespace busbar::fuzz {
namespace {

void show(const std::vector<report::Block>& blocks) {
  (void)report::render_text({.title = "", .chapters = {{.name = "", .title = "", .blocks = blocks}}}, {});
}

void as_fit(std::string_view text) {
  const fit::Fit fit = fit::parse_fit(text, "input");
  show(fit::blocks_of(fit));
  show(figure_blocks(predict::predict_from(fit, {.nodes = {2, 128}})));
}

void as_prediction(std::string_view text) {
  const predict::Prediction p = predict::parse_prediction(text, "input");
  show(assumption_blocks(p));
  show(folded_assumptions(p));
  show(figure_blocks(p));
  show(variant_blocks(p));
  show(next_blocks(p));
  for (const predict::Series& s : p.series) {
    (void)over_nodes(s, p.confidence);
    (void)over_sizes(s);
  }
  for (const predict::TrainingSeries& t : p.trainings) (void)over_nodes(t);
}

void as_change(std::string_view text) { (void)predict::parse_change(text); }

}  // namespace

void check_input(std::string_view text) {
  for (const auto as : {as_fit, as_prediction, as_change}) may_refuse([&] { as(text); });
}

}  // namespace busbar::fuzz
