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

/// Predicted figures for scales that were not run, and their basis. A prediction is never a record, so that
/// comparisons, gates and charts of measurements cannot use it by mistake.
namespace busbar::predict {

/// A figure and its interval.
struct Span {
  double value = 0, low = 0, high = 0;
};

/// The prediction under one interpretation of the data.
struct Reading {
  std::string what;  ///< "ring", "tree, if the library switches to it"
  Span time_s;
  double weight = 1;  ///< weights of a point's readings sum to 1
};

struct Predicted {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  Span time_s;  ///< weighted mean of the readings' logarithms, and an interval that holds their mixture
  std::optional<double> alone_high_s;  ///< upper limit if no other job uses the network; empty: not distinguished
  std::vector<Reading> readings;
};

struct Measured {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  double time_s = 0;
  std::string launch;
};

/// A time by a simple rule, for a size that no curve describes: it has no interval.
struct Naive {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  double time_s = 0;
  std::string rule;  ///< "a line over log2(nodes)", "as on 8 nodes"
};

/// A collective in one environment.
struct Series {
  std::string name;        ///< "allreduce, setting=3, ..."
  std::string collective;  ///< key for bus factors
  bool simulated = false;  ///< what is called measured here
  std::vector<Measured> measured;
  std::vector<Predicted> predicted;  ///< sorted by scale, then size
  std::vector<Predicted> fitted;     ///< the same curves at the measured scales
  std::vector<Naive> naive;          ///< in place of predictions, sorted like them
};

/// The prediction under one assumption about a training: gradient type and overlap.
struct TrainingReading {
  std::string what;       ///< "fp32, no overlap"
  double exchange_s = 0;  ///< seconds per step
  double exposed_s = 0;   ///< the part of exchange_s that the step waits for
  Span samples_per_s;
};

struct PredictedTraining {
  fit::Scale scale;
  std::optional<double> measured_samples_per_s;  ///< for comparison only; not used in the prediction
  std::vector<TrainingReading> readings;         ///< those of equal standing first
};

struct TrainingSeries {
  std::string name;        ///< "resnet50, VM"
  std::string unit;        ///< "images/s"
  bool simulated = false;  ///< what is called measured
  fit::Scale baseline;
  double baseline_samples_per_s = 0;
  std::size_t equal_readings = 1;  ///< readings that neither request nor record prefers; the others are alternatives
  std::vector<PredictedTraining> predicted;
};

/// The same figures for a changed machine. Its intervals are no narrower than those of the machine as it is.
struct Variant {
  std::string name;                       ///< "nics=2, line-rate=400Gb/s"
  std::optional<double> price;            ///< per node and hour, in Prediction::currency
  std::vector<Series> series;             ///< named as in the prediction; predicted figures only
  std::vector<TrainingSeries> trainings;  ///< likewise
};

/// A measurement, or a fact, that a prediction lacks.
struct NextRun {
  std::string what;          ///< "16 nodes, all sizes"
  double node_launches = 0;  ///< cost: nodes of all its launches; 0: no run, only a fact
  double width = 0;          ///< expected upper over lower limit with it; 0: unknown, as no interval contains it
  std::string tells;         ///< "tree or ring: 66 % to 97 % sure"; empty: nothing
};

/// What to run next, for one series.
struct NextRuns {
  std::string series;         ///< name of the series, or of the training
  fit::Scale at;              ///< the largest predicted scale
  double width = 0;           ///< upper over lower limit there now, median over sizes; 0: no interval yet
  std::vector<NextRun> runs;  ///< narrowest first
};

struct Prediction {
  std::vector<std::string> assumptions;  ///< one or two sentences each, shown before any figure
  std::vector<std::string> left_out;     ///< what was not predicted, and why
  double confidence = 0.95;
  std::vector<Series> series;
  std::vector<TrainingSeries> trainings;
  std::vector<Variant> variants;  ///< of the machine
  std::optional<double> price;    ///< of the machine as it is, per node and hour
  std::string currency;           ///< of prices; may be empty
  std::vector<NextRuns> next;
};

/// "simulated" or "measured": of what a prediction is made from.
[[nodiscard]] std::string_view origin_of(const Series&);
[[nodiscard]] std::string_view origin_of(const TrainingSeries&);

/// GB/s, by the collective's bus factor (nccl-tests, doc/PERFORMANCE.md). `low` corresponds to the longest time.
[[nodiscard]] Span busbw_GBps(const Series&, const Predicted&);
[[nodiscard]] double busbw_GBps(const Series&, const Measured&);

/// Rate divided by ideal linear scaling from the baseline.
[[nodiscard]] double efficiency(const TrainingSeries&, const fit::Scale&, double samples_per_s);

[[nodiscard]] nlohmann::json json_of(const Prediction&);
/// Reads a prediction file. Throws UsageError naming the file if it is invalid.
[[nodiscard]] Prediction read_prediction(const std::filesystem::path&);
/// Parses `text` like read_prediction; `file` is for messages.
[[nodiscard]] Prediction parse_prediction(std::string_view text, std::string_view file);

}  // namespace busbar::predict
