// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

/// The largest scales of --predict.
namespace busbar::report {
namespace {

std::string on_nodes(const fit::Scale& scale) { return plural(scale.nodes, "node"); }

KeyFigure training_figure(const predict::TrainingSeries& t) {
  const predict::PredictedTraining& p = t.predicted.back();
  const predict::Span& rate_span = p.readings.front().samples_per_s;
  return {.title = fmt::format("{}, predicted", t.name),
          .value = rate(rate_span.value),
          .unit = t.unit,
          .interval = fmt::format("{} to {}", rate(rate_span.low), rate(rate_span.high)),
          .scope = fmt::format("{}, {}", on_nodes(p.scale), p.readings.front().what),
          .link = "predicted"};
}

KeyFigure time_figure(const predict::Series& s) {
  const predict::Predicted& p = s.predicted.back();
  KeyFigure figure{.title = fmt::format("{}, {}, predicted", s.collective, format_size(p.bytes)),
                   .interval = fmt::format("{} to {}", duration(p.time_s.low), duration(p.time_s.high)),
                   .scope = on_nodes(p.scale),
                   .link = "predicted"};
  set_time(figure, p.time_s.value);
  return figure;
}

Highlight find_predictions(const Material& material) {
  const auto& prediction = material.options().prediction;
  if (!prediction) return {};
  Highlight found;
  for (const predict::TrainingSeries& t : prediction->trainings)
    if (!t.predicted.empty() && found.figures.size() < 2) found.figures.push_back(training_figure(t));
  for (const predict::Series& s : prediction->series)
    if (!s.predicted.empty() && found.figures.size() < 3) found.figures.push_back(time_figure(s));
  if (found.figures.empty()) return found;
  const KeyFigure& first = found.figures.front();
  found.weight = Weight::comparison;
  found.chart = {"predicted", ""};
  found.verdict = fmt::format("{} on {}: {} {} ({}), not measured", first.title, first.scope, first.value, first.unit,
                              first.interval);
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource predictions{.name = "predictions", .find = report::find_predictions};

}  // namespace busbar
