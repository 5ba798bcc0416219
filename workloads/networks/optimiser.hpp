// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace busbar {

/// Stochastic gradient descent with momentum and weight decay, as in torch.optim.SGD:
///   momentum = mu * momentum + gradient + decay * weight;  weight = weight - rate * momentum
class Sgd {
 public:
  struct Settings {
    float rate = 0.01F, momentum = 0.9F, decay = 1e-4F;
  };
  /// Momenta start at 0; untouched ones use no memory. Throws std::bad_alloc.
  Sgd(Settings settings, std::size_t parameters);

  /// Updates a part of all weights that starts at index `begin`. Both spans have the same size.
  void update(std::span<float> weights, std::span<const float> gradients, std::size_t begin = 0);
  /// Zeroes the momenta. Throws std::bad_alloc.
  void reset();

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  Settings settings_;
  std::size_t size_;
  std::unique_ptr<float[], Free> momenta_;  // from calloc: untouched pages use no memory
};

/// Hash of the bits of `values`. Ranks with equal weights have equal hashes; different weights almost surely do not.
/// 64-bit FNV-1a over 32-bit words (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/).
[[nodiscard]] std::uint64_t hash_of(std::span<const float> values);

}  // namespace busbar
