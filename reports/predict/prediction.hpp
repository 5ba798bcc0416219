// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/fit/scale.hpp"

/// Figures of scales that were not run, with what stands behind them. Never a record: nothing that compares, gates or
/// draws measured figures can take one for such.
namespace busbar::predict {

/// A figure with the interval that it is said to lie in.
struct Span {
  double value = 0, low = 0, high = 0;
};

/// What one way to read the data leads to.
struct Reading {
  std::string what;  ///< "ring", "tree, if the library switches to it"
  Span time_s;
  double weight = 1;  ///< readings of a point add up to 1
};

struct Predicted {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  Span time_s;  ///< the mean of the readings' logarithms by weight, and the union of their intervals
  std::vector<Reading> readings;
};

struct Measured {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  double time_s = 0;
  std::string launch;
};

/// A collective in one environment, or a training.
struct Series {
  std::string name;        ///< "allreduce, setting=3, ..."
  std::string collective;  ///< what bus factors are looked up by
  std::vector<Measured> measured;
  std::vector<Predicted> predicted;  ///< by scale, then size
  std::vector<Predicted> fitted;     ///< the same curves at the scales that were measured
};

/// A way to read what is not known of a training: which gradients, which overlap.
struct TrainingReading {
  std::string what;       ///< "fp32 gradients, no overlap"
  double exchange_s = 0;  ///< of a step
  double exposed_s = 0;   ///< what of it the step waits for
  Span samples_per_s;
};

struct PredictedTraining {
  fit::Scale scale;
  std::optional<double> measured_samples_per_s;  ///< held against it, never used for it
  std::vector<TrainingReading> readings;         ///< the asked for first
};

struct TrainingSeries {
  std::string name;  ///< "resnet50, VM"
  std::string unit;  ///< "images/s"
  fit::Scale baseline;
  double baseline_samples_per_s = 0;
  std::vector<PredictedTraining> predicted;
};

struct Prediction {
  std::vector<std::string> assumptions;  ///< a sentence or two each, written before any figure
  std::vector<std::string> left_out;     ///< what was not predicted, and why
  double confidence = 0.95;
  std::vector<Series> series;
  std::vector<TrainingSeries> trainings;
};

/// GB/s, by the factor of the collective: nccl-tests, doc/PERFORMANCE.md. `low` is that of the longest time.
[[nodiscard]] Span busbw_GBps(const Series&, const Predicted&);
[[nodiscard]] double busbw_GBps(const Series&, const Measured&);

/// Rate over that of as many times the baseline.
[[nodiscard]] double efficiency(const TrainingSeries&, const fit::Scale&, double samples_per_s);

[[nodiscard]] nlohmann::json json_of(const Prediction&);
/// Reads it back. Throws UsageError, naming the file, for anything that is no prediction.
[[nodiscard]] Prediction read_prediction(const std::filesystem::path&);
/// The same from `text`; `file` is for messages.
[[nodiscard]] Prediction parse_prediction(std::string_view text, std::string_view file);

}  // namespace busbar::predict
