// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/record/training.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/profile.hpp"

/// Operation counts and measured times of a network's layers, independent of the engine.
namespace busbar {

/// Seconds per layer, summed over the steps with keep_times().
struct LayerTime {
  double forward_s = 0, backward_s = 0;
  double reorder_s = 0;  ///< part of the two: layout conversions
};

/// Operations of a step with `batch` samples, by kind of layer, without times.
[[nodiscard]] Arithmetic arithmetic_of(const Network& network, int batch);

/// Parameters of a measured profile.
struct ProfiledStep {
  int batch = 1;             ///< samples per step
  int steps = 1;             ///< number of steps summed in `times`
  std::string precision;     ///< "fp32", "bf16", "fp16"
  int gradient_bytes = 4;    ///< per element
  int activation_bytes = 4;  ///< per element
};
/// `times`: one row per layer. Leaves optimiser, device and source unset.
[[nodiscard]] Profile measured_profile(const Network& network, std::span<const LayerTime> times,
                                       const ProfiledStep& step);

}  // namespace busbar
