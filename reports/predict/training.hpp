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
#include "workloads/networks/fusion.hpp"

namespace busbar::predict {

/// Network model for the gradient exchange.
struct Network {
  std::optional<expected::LineRate> rate;  ///< ring over links of this rate
  double latency_s = 0;                    ///< per step of the ring
  const fit::SweepFit* fitted = nullptr;   ///< a fitted allreduce; takes precedence over `rate`
};

struct TrainingOptions {
  std::vector<int> nodes;
  Network network;
  std::optional<Network> measured_over;  ///< network of the records, if not `network`
  std::optional<int> per_node;           ///< ranks on a node; empty: as in the record
  std::optional<std::string> gradients;  ///< element type; empty: from the record, else fp32 and fp16
  std::optional<std::string> overlap;    ///< none, buckets, backward; empty: from the record, else none and buckets
  std::optional<FusionLimits> fusion;    ///< empty: from the record, else as PyTorch's
  std::string model_file;                ///< with the model's tensors; empty: found by the name in the record
};

/// Values of TrainingOptions::overlap. none: a step waits for the whole exchange. buckets: each bucket is sent when its
/// gradients are ready. backward: a step waits only for what exceeds the backward pass, the best possible overlap.
inline constexpr std::string_view no_overlap = "none", bucket_overlap = "buckets", backward_overlap = "backward";

/// Predicts data-parallel training with weak scaling at other numbers of nodes, from the smallest group of each
/// experiment: step = baseline step - its exposed exchange + exposed exchange at the scale. Throws UsageError if the
/// gradients of a model are unknown. Gradient types and overlaps that neither request nor record names are readings of
/// equal standing.
[[nodiscard]] Prediction predict_trainings(const std::vector<Run>&, const TrainingOptions&);

struct SimulatedOptions {
  std::vector<int> nodes;
  double launch_spread = 0.1;  ///< relative standard deviation of launches
  double confidence = 0.95;
};

/// The same from simulated trainings of the same model, scaled by the ratio of measured to simulated times at common
/// scales.
[[nodiscard]] Prediction predict_trainings_by_simulation(const std::vector<Run>& measured,
                                                         const std::vector<Run>& simulated, const SimulatedOptions&);

/// Seconds of a ring allreduce over equal links: 2 (n - 1) steps, and 2 (n - 1) / n of the bytes out of each node (R.
/// Thakur, R. Rabenseifner, W. Gropp, 2005, section 4.5).
[[nodiscard]] double ring_allreduce_s(const fit::Scale&, double bytes, double GBps, double latency_s);

}  // namespace busbar::predict
