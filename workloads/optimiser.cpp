// SPDX-License-Identifier: Apache-2.0
#include "workloads/optimiser.hpp"

#include <bit>

namespace busbar {

void Sgd::update(std::span<float> weights, std::span<const float> gradients, std::size_t begin) {
  const auto [rate, mu, decay] = settings_;
  const std::span<float> momenta = std::span(momenta_).subspan(begin, weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    momenta[i] = mu * momenta[i] + (gradients[i] + decay * weights[i]);
    weights[i] -= rate * momenta[i];
  }
}

std::uint64_t hash_of(std::span<const float> values) {
  std::uint64_t hash = 14695981039346656037U;
  for (const float v : values) hash = (hash ^ std::bit_cast<std::uint32_t>(v)) * 1099511628211U;
  return hash;
}

}  // namespace busbar
