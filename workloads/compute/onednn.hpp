// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "core/elements/dtype.hpp"
#include "workloads/compute/compute.hpp"
#include "workloads/networks/costs.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/optimiser.hpp"

namespace busbar {

struct OnednnFacts {
  std::uint64_t activation_bytes = 0;  ///< activations kept for backward, and the images
  std::uint64_t copy_bytes = 0;        ///< bf16 copies of weight matrices
};

/// Trains a network with oneDNN on this rank's CPU, on one batch of synthetic images and labels. Weights, gradients and
/// momenta are fp32. With bf16, activations, their gradients and the weight copies that layers read are bf16; sums and
/// batch norm statistics stay fp32. Each forward pass refreshes the copies.
class OnednnCompute : public Compute {
 public:
  [[nodiscard]] virtual const std::vector<LayerTime>& times() const = 0;  ///< one row per layer
  /// Whether further steps count in times() and steps(); initially they do.
  virtual void keep_times(bool keep) = 0;
  /// Number of steps included in times().
  [[nodiscard]] virtual int steps() const = 0;
  [[nodiscard]] virtual const OnednnFacts& facts() const = 0;
};

struct OnednnSetup {
  int batch = 1;
  int threads = 1;               ///< number of compute threads of this process
  DType precision = DType::f32;  ///< compute type of the layers: fp32, bf16
  Sgd::Settings rule;
  std::uint64_t seed = 1;  ///< determines the weights; with `rank`, also images and labels
  int rank = 0;
};

/// Why this build has no oneDNN; empty if it has.
[[nodiscard]] std::string_view missing_for_onednn();

/// Throws UsageError in a build without oneDNN, Error if oneDNN cannot run the network, std::bad_alloc if memory runs
/// out.
[[nodiscard]] std::unique_ptr<OnednnCompute> make_onednn(const Network& network, const OnednnSetup& setup);

}  // namespace busbar
