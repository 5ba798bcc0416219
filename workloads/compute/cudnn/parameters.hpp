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

/// What is learned, in flat arrays of one layout: stripes in the order in which backward makes gradients ready, each
/// beginning at a multiple of `stripe_multiple` elements, zeros in between. Matrices are [outputs, rows, columns,
/// inputs]. Weights and momenta are fp32; layers read copies of 16 bits; gradients have the type that travels.
/// All work is given to one stream.
class Parameters {
 public:
  static constexpr std::size_t stripe_multiple = 128;  ///< 256 bytes of 16-bit elements: what cuBLASLt is best with

  struct Setup {
    DType precision = DType::bf16;  ///< of the copies: bf16, fp16
    DType wire = DType::f32;        ///< of gradients: fp32, or as the copies
    Sgd::Settings rule;
    std::uint64_t seed = 1;
  };
  /// `on` outlives it. Throws std::bad_alloc.
  Parameters(const Network& network, const Setup& setup, const cuda::Stream& on);

  /// Neighbours have no gaps: the zeros behind a parameter are its stripe's.
  [[nodiscard]] const std::vector<Stripe>& stripes() const { return stripes_; }
  [[nodiscard]] std::size_t elements() const { return weights_.size(); }
  /// Indices of a layer's stripes: weight, bias.
  [[nodiscard]] const std::vector<std::size_t>& of(std::size_t layer) const { return of_layer_[layer]; }
  [[nodiscard]] std::size_t end_of(std::size_t stripe) const {
    return stripes_[stripe].begin + stripes_[stripe].elements;
  }

  [[nodiscard]] const float* weights(std::size_t stripe) const { return weights_.data() + stripes_[stripe].begin; }
  [[nodiscard]] const void* copy(std::size_t stripe) const;

  /// Where a layer writes a gradient that it computes in a type: in its place, or in memory that all layers share, from
  /// which publish() converts it. `slot`: 0 or 1, for a layer that has two.
  [[nodiscard]] void* target(std::size_t stripe, DType computed, int slot = 0);
  void publish(std::size_t stripe, DType computed, int slot = 0);

  /// What they were at first; momenta and gradients are 0.
  void reset();
  /// By gradients that are sums over `ranks` of gradients of the scaled loss. In fp16, nothing is changed where any
  /// gradient is infinite or NaN, on all ranks alike.
  void update(int ranks);

  [[nodiscard]] void* gradients() const { return gradients_.data(); }
  [[nodiscard]] DType wire() const { return setup_.wire; }
  /// Puts what sums over ranks to a known value there.
  void fill_known(int rank, int ranks);
  struct Wrong {
    std::size_t index = 0;
    float found = 0, expected = 0;
  };
  /// Waits. The first that is not the sum over ranks of what fill_known() put there.
  [[nodiscard]] std::optional<Wrong> find_unexpected();

  /// Waits. The flat arrays, on the host.
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
  std::vector<std::uint64_t> stored_;  ///< elements of a stripe without the zeros behind them
  std::vector<std::vector<std::size_t>> of_layer_;
  std::size_t slot_bytes_ = 0;
  std::vector<float> first_;
  cuda::DeviceArray<float> weights_, momenta_;
  cuda::DeviceArray<std::byte> copies_, gradients_, staging_;
  cuda::DeviceArray<unsigned long long> counter_{1};
};

}  // namespace busbar::gpu
