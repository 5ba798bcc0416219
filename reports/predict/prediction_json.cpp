// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/fields.hpp"
#include "reports/fit/scale_fields.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/runs/json_file.hpp"

namespace busbar::predict {

using busbar::from_json, busbar::to_json;  // for structs with a fields() function

constexpr auto fields(const Span*) {
  return std::tuple(std::pair("value", &Span::value), std::pair("low", &Span::low), std::pair("high", &Span::high));
}
constexpr auto fields(const Reading*) {
  return std::tuple(std::pair("what", &Reading::what), std::pair("time_s", &Reading::time_s),
                    std::pair("weight", &Reading::weight));
}
constexpr auto fields(const Predicted*) {
  return std::tuple(std::pair("scale", &Predicted::scale), std::pair("bytes", &Predicted::bytes),
                    std::pair("time_s", &Predicted::time_s), std::pair("alone_high_s", &Predicted::alone_high_s),
                    std::pair("readings", &Predicted::readings));
}
constexpr auto fields(const Naive*) {
  return std::tuple(std::pair("scale", &Naive::scale), std::pair("bytes", &Naive::bytes),
                    std::pair("time_s", &Naive::time_s), std::pair("rule", &Naive::rule));
}
constexpr auto fields(const Measured*) {
  return std::tuple(std::pair("scale", &Measured::scale), std::pair("bytes", &Measured::bytes),
                    std::pair("time_s", &Measured::time_s), std::pair("launch", &Measured::launch));
}
constexpr auto fields(const Series*) {
  return std::tuple(std::pair("name", &Series::name), std::pair("collective", &Series::collective),
                    std::pair("simulated", &Series::simulated), std::pair("measured", &Series::measured),
                    std::pair("predicted", &Series::predicted), std::pair("fitted", &Series::fitted),
                    std::pair("naive", &Series::naive));
}
constexpr auto fields(const TrainingReading*) {
  return std::tuple(std::pair("what", &TrainingReading::what), std::pair("exchange_s", &TrainingReading::exchange_s),
                    std::pair("exposed_s", &TrainingReading::exposed_s),
                    std::pair("samples_per_s", &TrainingReading::samples_per_s));
}
constexpr auto fields(const PredictedTraining*) {
  return std::tuple(std::pair("scale", &PredictedTraining::scale),
                    std::pair("measured_samples_per_s", &PredictedTraining::measured_samples_per_s),
                    std::pair("readings", &PredictedTraining::readings));
}
constexpr auto fields(const TrainingSeries*) {
  return std::tuple(
      std::pair("name", &TrainingSeries::name), std::pair("unit", &TrainingSeries::unit),
      std::pair("simulated", &TrainingSeries::simulated), std::pair("baseline", &TrainingSeries::baseline),
      std::pair("baseline_samples_per_s", &TrainingSeries::baseline_samples_per_s),
      std::pair("equal_readings", &TrainingSeries::equal_readings), std::pair("predicted", &TrainingSeries::predicted));
}
constexpr auto fields(const Variant*) {
  return std::tuple(std::pair("name", &Variant::name), std::pair("price", &Variant::price),
                    std::pair("series", &Variant::series), std::pair("trainings", &Variant::trainings));
}
constexpr auto fields(const NextRun*) {
  return std::tuple(std::pair("what", &NextRun::what), std::pair("node_launches", &NextRun::node_launches),
                    std::pair("width", &NextRun::width), std::pair("tells", &NextRun::tells));
}
constexpr auto fields(const NextRuns*) {
  return std::tuple(std::pair("series", &NextRuns::series), std::pair("at", &NextRuns::at),
                    std::pair("width", &NextRuns::width), std::pair("runs", &NextRuns::runs));
}
constexpr auto fields(const Prediction*) {
  return std::tuple(std::pair("assumptions", &Prediction::assumptions), std::pair("left_out", &Prediction::left_out),
                    std::pair("confidence", &Prediction::confidence), std::pair("series", &Prediction::series),
                    std::pair("trainings", &Prediction::trainings), std::pair("variants", &Prediction::variants),
                    std::pair("price", &Prediction::price), std::pair("currency", &Prediction::currency),
                    std::pair("next", &Prediction::next));
}

namespace {

using Json = nlohmann::json;

constexpr report::JsonFormat format{.name = "busbar prediction", .what = "a prediction", .writer = "busbar predict -o"};

/// Within a range that axes and text can show.
bool positive(double x) { return std::isfinite(x) && x > 1e-30 && x < 1e30; }

void check_scale(const fit::Scale& s) {
  report::require(s.nodes > 0 && s.ranks >= s.nodes && s.ranks <= 1'000'000'000,
                  "a scale has invalid numbers of ranks and nodes");
}

void check_span(const Span& s) {
  report::require(positive(s.value) && positive(s.low) && positive(s.high) && s.low <= s.value && s.value <= s.high,
                  "an interval does not contain its figure");
}

void check_series(const Series& s) {
  for (const Measured& m : s.measured) {
    check_scale(m.scale);
    report::require(m.bytes > 0 && positive(m.time_s), "a measured point has no size or no time");
  }
  for (const Naive& n : s.naive) {
    check_scale(n.scale);
    report::require(n.bytes > 0 && positive(n.time_s), "a naive time has no size or is not positive");
  }
  for (const auto* some : {&s.predicted, &s.fitted}) {
    for (const Predicted& p : *some) {
      check_scale(p.scale);
      report::require(p.bytes > 0, "a predicted point has no size");
      check_span(p.time_s);
      report::require(!p.alone_high_s || (*p.alone_high_s >= p.time_s.value && *p.alone_high_s <= p.time_s.high),
                      "an upper limit without other jobs is not between the figure and that with them");
      for (const Reading& r : p.readings) check_span(r.time_s);
    }
  }
}

void check_training(const TrainingSeries& t) {
  check_scale(t.baseline);
  report::require(positive(t.baseline_samples_per_s), "a baseline has no rate");
  for (const PredictedTraining& p : t.predicted) {
    check_scale(p.scale);
    report::require(!p.readings.empty() && p.readings.size() == t.predicted.front().readings.size(),
                    "trainings have different readings");
    report::require(t.equal_readings >= 1 && t.equal_readings <= p.readings.size(),
                    "the number of readings of equal standing is wrong");
    report::require(!p.measured_samples_per_s || positive(*p.measured_samples_per_s),
                    "a measured rate is not positive");
    for (const TrainingReading& r : p.readings) {
      check_span(r.samples_per_s);
      report::require(std::isfinite(r.exchange_s) && std::isfinite(r.exposed_s), "an exchange is not a time");
    }
  }
}

void check_price(const std::optional<double>& price) {
  report::require(!price || (*price > 0 && *price <= 1e9), "a price is not positive");
}

void check_variant(const Variant& v) {
  for (const Series& s : v.series) check_series(s);
  for (const TrainingSeries& t : v.trainings) check_training(t);
  check_price(v.price);
}

void check_next(const NextRuns& n) {
  const auto is_width = [](double x) { return x == 0 || (x >= 1 && positive(x)); };
  check_scale(n.at);
  report::require(is_width(n.width), "an interval to be narrowed has no width");
  for (const NextRun& run : n.runs)
    report::require(is_width(run.width) && std::isfinite(run.node_launches) && run.node_launches >= 0,
                    "a run to come has no cost or no interval");
}

}  // namespace

Json json_of(const Prediction& p) {
  Json j = p;
  j["format"] = format.name;
  j["version"] = format.version;
  return j;
}

Prediction parse_prediction(std::string_view text, std::string_view file) {
  Prediction p;
  report::parse_json_file(text, file, format, [&p](const Json& j) {
    j.get_to(p);
    report::require(p.confidence > 0 && p.confidence < 1, "its confidence is not between 0 and 1");
    for (const Series& s : p.series) check_series(s);
    for (const TrainingSeries& t : p.trainings) check_training(t);
    for (const Variant& v : p.variants) check_variant(v);
    check_price(p.price);
    for (const NextRuns& n : p.next) check_next(n);
  });
  return p;
}

Prediction read_prediction(const std::filesystem::path& path) {
  return parse_prediction(report::read_text(path), path.string());
}

}  // namespace busbar::predict
