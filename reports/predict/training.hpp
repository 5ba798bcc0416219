// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/fit/fit.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// What an exchange of gradients is predicted from.
struct Network {
  std::optional<expected::LineRate> rate;  ///< facts of a link: a ring over it
  double latency_s = 0;                    ///< of a step of the ring
  const fit::SweepFit* fitted = nullptr;   ///< an allreduce that was fitted; counts in place of the facts
};

struct TrainingOptions {
  std::vector<int> nodes;
  Network network;
  std::optional<std::string> gradients;  ///< element type; empty: the record's, else fp32
  std::string overlap = "none";          ///< none, backward
  std::string model_file;                ///< of the model's tensors; empty: by the name in the record
};

/// Known words for TrainingOptions::overlap: none: a step waits for the whole exchange; backward: for what lasts longer
/// than the backward pass, the best that overlap can do.
inline constexpr std::string_view no_overlap = "none", backward_overlap = "backward";

/// Rates of data-parallel, weakly scaled trainings at other numbers of nodes, from the smallest group of each and the
/// exchange of its gradients: step = step of the baseline - its exchange + the exchange at the scale. Throws UsageError
/// where gradients of a model are not known.
[[nodiscard]] Prediction predict_trainings(const std::vector<Run>&, const TrainingOptions&);

struct SimulatedOptions {
  std::vector<int> nodes;
  double launch_spread = 0.1;  ///< standard deviation of launches, relative
  double confidence = 0.95;
};

/// The same by simulated trainings of the same model, scaled by what measured rates are of simulated ones at the
/// scales that both have. Runs are told apart by RunRecord::origin.
[[nodiscard]] Prediction predict_trainings_by_simulation(const std::vector<Run>& measured,
                                                         const std::vector<Run>& simulated, const SimulatedOptions&);

/// Seconds of an allreduce as a ring over links of one rate: 2 (n - 1) steps, and 2 (n - 1) / n of the bytes out of
/// each node (R. Thakur, R. Rabenseifner, W. Gropp, 2005, section 4.5).
[[nodiscard]] double ring_allreduce_s(const fit::Scale&, double bytes, double GBps, double latency_s);

}  // namespace busbar::predict
