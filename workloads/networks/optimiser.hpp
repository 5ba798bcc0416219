// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace busbar {

/// Stochastic gradient descent with momentum and weight decay, as torch.optim.SGD:
///   momentum = mu * momentum + gradient + decay * weight;  weight = weight - rate * momentum
class Sgd {
 public:
  struct Settings {
    float rate = 0.01F, momentum = 0.9F, decay = 1e-4F;
  };
  /// Momenta are 0 at first. Those of weights that are never updated take no memory. Throws std::bad_alloc.
  Sgd(Settings settings, std::size_t parameters);

  /// Spans of the same size, a part of all that begins at `begin`.
  void update(std::span<float> weights, std::span<const float> gradients, std::size_t begin = 0);
  /// Momenta are 0 again.
  void reset();

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  Settings settings_;
  std::size_t size_;
  std::unique_ptr<float[], Free> momenta_;  // by calloc: pages that are not touched are not there
};

/// Of the bits of `values`: ranks that hold the same weights have the same, others almost surely not (64-bit FNV-1a
/// over 32-bit words: Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/).
[[nodiscard]] std::uint64_t hash_of(std::span<const float> values);

}  // namespace busbar
