// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/optimiser.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace busbar {

Sgd::Sgd(Settings settings, std::size_t parameters) : settings_(settings), size_(parameters) { reset(); }

void Sgd::reset() {
  momenta_.reset();  // free first, so that only one exists at a time
  momenta_.reset(static_cast<float*>(std::calloc(std::max<std::size_t>(size_, 1), sizeof(float))));
  if (!momenta_) throw std::bad_alloc();
}

void Sgd::update(std::span<float> weights, std::span<const float> gradients, std::size_t begin) {
  const auto [rate, mu, decay] = settings_;
  float* const momenta = momenta_.get() + begin;
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
