// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/cuda/memory.hpp"
#include "core/elements/dtype.hpp"
#include "workloads/compute/compute.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/optimiser.hpp"

namespace busbar::gpu {

/// Weights, momenta and gradients in flat arrays with the same layout: stripes in the order in which backward produces
/// gradients. Each stripe starts at a multiple of `stripe_multiple` elements, with zero padding. Matrices are [outputs,
/// rows, columns, inputs]. Weights and momenta are fp32; layers read 16-bit copies; gradients have the wire type. All
/// work goes to one stream.
class Parameters {
 public:
  static constexpr std::size_t stripe_multiple = 128;  ///< 256 bytes in 16 bits, the best alignment for cuBLASLt

  struct Setup {
    DType precision = DType::bf16;  ///< of the copies: bf16 or fp16
    DType wire = DType::f32;        ///< of gradients: fp32 or `precision`
    Sgd::Settings rule;
    std::uint64_t seed = 1;
  };
  /// `on` must outlive it. Throws std::bad_alloc.
  Parameters(const Network& network, const Setup& setup, const cuda::Stream& on);

  /// Stripes are contiguous: each includes its padding.
  [[nodiscard]] const std::vector<Stripe>& stripes() const { return stripes_; }
  [[nodiscard]] std::size_t elements() const { return weights_.size(); }
  /// Indices of a layer's stripes: weight, bias.
  [[nodiscard]] const std::vector<std::size_t>& of(std::size_t layer) const { return of_layer_[layer]; }
  [[nodiscard]] std::size_t end_of(std::size_t stripe) const {
    return stripes_[stripe].begin + stripes_[stripe].elements;
  }

  [[nodiscard]] const float* weights(std::size_t stripe) const { return weights_.data() + stripes_[stripe].begin; }
  [[nodiscard]] const void* copy(std::size_t stripe) const;

  /// Where a layer writes a gradient that it computes in type `computed`: the final place, or a staging buffer shared
  /// by all layers, from which publish() converts it. `slot`: 0 or 1, for layers with two gradients.
  [[nodiscard]] void* target(std::size_t stripe, DType computed, int slot = 0);
  void publish(std::size_t stripe, DType computed, int slot = 0);

  /// Restores the initial weights; zeroes momenta and gradients.
  void reset();
  /// Applies gradients that are sums over `ranks` of the scaled loss's gradients. In fp16, the update is skipped on all
  /// ranks if any gradient is infinite or NaN.
  void update(int ranks);

  [[nodiscard]] void* gradients() const { return gradients_.data(); }
  [[nodiscard]] DType wire() const { return setup_.wire; }
  /// Fills the gradients with values whose sum over ranks is known.
  void fill_known(int rank, int ranks);
  struct Wrong {
    std::size_t index = 0;
    float found = 0, expected = 0;
  };
  /// Returns the first gradient that is not the sum of fill_known()'s values over ranks. Blocks.
  [[nodiscard]] std::optional<Wrong> find_unexpected();

  /// The flat arrays, copied to the host. Blocks.
  [[nodiscard]] std::vector<float> weights_on_host() const;
  [[nodiscard]] std::vector<float> gradients_on_host() const;

  [[nodiscard]] std::uint64_t weights_bytes() const { return weights_.bytes() + copies_.bytes(); }
  [[nodiscard]] std::uint64_t gradients_bytes() const { return gradients_.bytes() + staging_.bytes(); }
  [[nodiscard]] std::uint64_t momenta_bytes() const { return momenta_.bytes(); }

 private:
  void lay_out(const Network& network);
  void make_first(const Network& network);
  [[nodiscard]] bool staged(DType computed) const { return computed != setup_.wire; }

  Setup setup_;
  const cuda::Stream& stream_;
  std::vector<Stripe> stripes_;
  std::vector<std::uint64_t> stored_;  ///< elements of each stripe without padding
  std::vector<std::vector<std::size_t>> of_layer_;
  std::size_t slot_bytes_ = 0;
  std::vector<float> first_;
  cuda::DeviceArray<float> weights_, momenta_;
  cuda::DeviceArray<std::byte> copies_, gradients_, staging_;
  cuda::DeviceArray<unsigned long long> counter_{1};
};

}  // namespace busbar::gpu
