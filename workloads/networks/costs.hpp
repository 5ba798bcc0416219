// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/record/training.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/profile.hpp"

/// What a network's layers come to, whoever computes them.
namespace busbar {

/// Seconds that a layer took, summed over steps whose times were kept.
struct LayerTime {
  double forward_s = 0, backward_s = 0;
  double reorder_s = 0;  ///< of the two, spent on changing layouts
};

/// Operations of a step with so many samples, by kind of layer, without any time.
[[nodiscard]] Arithmetic arithmetic_of(const Network& network, int batch);

/// How a profile is measured.
struct ProfiledStep {
  int batch = 1;             ///< samples in a step
  int steps = 1;             ///< that `times` are the sum of
  std::string precision;     ///< "fp32", "bf16", "fp16"
  int gradient_bytes = 4;    ///< of an element
  int activation_bytes = 4;  ///< of an element
};
/// `times`: a row a layer. Without the optimiser, device and source.
[[nodiscard]] Profile measured_profile(const Network& network, std::span<const LayerTime> times,
                                       const ProfiledStep& step);

}  // namespace busbar
