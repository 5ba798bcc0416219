// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/moved_terms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "core/statistics/distributions.hpp"

namespace busbar::predict {
namespace {

/// Series, nodes, bytes, reading.
using FigureKey = std::tuple<std::string, int, std::uint64_t, std::string>;
using Figures = std::map<FigureKey, Span>;

/// Calls `with(key, span)` for every figure; removes those for which it returns false.
template <class With>
void for_each_figure(std::vector<Series>& all_series, std::vector<TrainingSeries>& trainings, With with) {
  for (Series& s : all_series)
    std::erase_if(s.predicted,
                  [&](Predicted& p) { return !with(FigureKey{s.name, p.scale.nodes, p.bytes, ""}, p.time_s); });
  for (TrainingSeries& t : trainings)
    for (PredictedTraining& p : t.predicted)
      std::erase_if(p.readings, [&](TrainingReading& r) {
        return !with(FigureKey{t.name, p.scale.nodes, 0, r.what}, r.samples_per_s);
      });
}

Figures figures_of(Prediction p) {
  Figures all;
  for_each_figure(p.series, p.trainings, [&](const FigureKey& key, const Span& span) {
    all[key] = span;
    return true;
  });
  return all;
}

/// Squared distances of the ends of an interval from its figure, as logarithms.
struct Squares {
  double below = 0, above = 0;
};

double square_of_log(double ratio) { return std::pow(std::log(ratio), 2); }

Squares own_squares(const Span& s) {
  return {.below = square_of_log(s.value / s.low), .above = square_of_log(s.high / s.value)};
}

void add_moved(Squares& sum, double value, double one_way, double other_way) {
  sum.below += square_of_log(value / std::min({value, one_way, other_way}));
  sum.above += square_of_log(std::max({value, one_way, other_way}) / value);
}

Span span_of(double value, const Squares& squares) {
  return {.value = value,
          .low = value / std::exp(std::sqrt(squares.below)),
          .high = value * std::exp(std::sqrt(squares.above))};
}

}  // namespace

Variant widened(const std::function<Prediction(const Move&)>& predict, const Prediction& as_it_is,
                const std::vector<Doubt>& doubts) {
  Prediction p = predict({});
  const double z = upper_quantile((1 - p.confidence) / 2, normal_degrees);
  const Figures before = figures_of(as_it_is);
  std::vector<std::pair<Figures, Figures>> ends;
  for (const Doubt& d : doubts)
    ends.emplace_back(figures_of(predict({.bandwidth = std::exp(-z * d.bandwidth), .step = std::exp(z * d.step)})),
                      figures_of(predict({.bandwidth = std::exp(z * d.bandwidth), .step = std::exp(-z * d.step)})));
  for_each_figure(p.series, p.trainings, [&](const FigureKey& key, Span& span) {
    const auto base = before.find(key);
    if (base == before.end()) return false;
    const Squares own = own_squares(span), shared = own_squares(base->second);
    Squares sum{.below = std::max(own.below, shared.below), .above = std::max(own.above, shared.above)};
    for (const auto& [slow, fast] : ends) add_moved(sum, span.value, slow.at(key).value, fast.at(key).value);
    span = span_of(span.value, sum);
    return true;
  });
  return {.series = std::move(p.series), .trainings = std::move(p.trainings)};
}

Span ratio_to(const Span& as_it_is, const Span& of_variant) {
  const Squares shared = own_squares(as_it_is);
  Squares added = own_squares(of_variant);
  added.below = std::max(0.0, added.below - shared.below);
  added.above = std::max(0.0, added.above - shared.above);
  return span_of(of_variant.value / as_it_is.value, added);
}

}  // namespace busbar::predict
