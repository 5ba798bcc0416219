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
  std::string version;  ///< of the library
  std::vector<std::string>
      implementations;                 ///< a row a layer: what oneDNN calls its forward kernel; empty: not oneDNN's
  std::uint64_t activation_bytes = 0;  ///< kept from forward to backward, and the images
  std::uint64_t copy_bytes = 0;        ///< of matrices in bf16
  std::uint64_t difference_bytes = 0;  ///< gradients of activations, reused as backward goes on
};

/// A network trained by oneDNN on this rank's CPU, on one batch of synthetic images and labels. Weights, gradients and
/// momenta are fp32. In bf16 activations, their gradients and the copies of the matrices that layers read are bf16,
/// sums and batch norm's statistics fp32; copies are made anew in each forward pass.
class OnednnCompute : public Compute {
 public:
  [[nodiscard]] virtual const std::vector<LayerTime>& times() const = 0;  ///< a row a layer
  /// From now on steps count in times() and steps(), or do not; at first they do.
  virtual void keep_times(bool keep) = 0;
  /// Steps whose times were kept.
  [[nodiscard]] virtual int steps() const = 0;
  [[nodiscard]] virtual const OnednnFacts& facts() const = 0;
};

struct OnednnSetup {
  int batch = 1;
  int threads = 1;               ///< of this process that compute
  DType precision = DType::f32;  ///< that layers compute in: fp32, bf16
  Sgd::Settings rule;
  std::uint64_t seed = 1;  ///< weights are the same for the same seed, images and labels for the same seed and rank
  int rank = 0;
};

/// Why this build has no oneDNN, in words; empty where it has.
[[nodiscard]] std::string_view missing_for_onednn();

/// Throws UsageError in a build without oneDNN, Error where oneDNN cannot run the network, std::bad_alloc where memory
/// is lacking.
[[nodiscard]] std::unique_ptr<OnednnCompute> make_onednn(const Network& network, const OnednnSetup& setup);

}  // namespace busbar
