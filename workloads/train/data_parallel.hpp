// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/elements/dtype.hpp"
#include "workloads/exchange/exchange.hpp"
#include "workloads/train/engine.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// How replicas exchange gradients, beside when: TrainingKey::overlap.
struct ExchangeSettings {
  DType wire = DType::f32;
  FusionLimits fusion;
  bool hierarchical = false, sharded = false;
  bool with_data = true;  ///< false: gradients have a size and no content, for a simulation
};

/// Makes what computes so many samples at a time.
using MakeEngine = std::function<std::unique_ptr<Engine>(int micro_batch)>;

/// Every rank trains all of the model on samples of its own. Engines are shared by the cases that compute as many
/// samples at a time.
[[nodiscard]] MakeTrainee data_parallel(const ExchangeSettings& settings, MakeEngine make_engine);

}  // namespace busbar
