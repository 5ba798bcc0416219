// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/elements/dtype.hpp"
#include "workloads/exchange/exchange.hpp"
#include "workloads/train/engine.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// How replicas exchange gradients. TrainingKey::overlap sets the timing.
struct ExchangeSettings {
  DType wire = DType::f32;
  FusionLimits fusion;
  bool hierarchical = false, sharded = false;
  bool with_data = true;  ///< false: gradients have a size but no content (simulation)
};

/// Creates an engine that computes `micro_batch` samples at a time.
using MakeEngine = std::function<std::unique_ptr<Engine>(int micro_batch)>;

/// Data parallelism: each rank trains a full replica on its own samples. Cases with the same micro-batch size share an
/// engine.
[[nodiscard]] MakeTrainee data_parallel(const ExchangeSettings& settings, MakeEngine make_engine);

}  // namespace busbar
