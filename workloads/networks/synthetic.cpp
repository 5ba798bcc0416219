// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace busbar {
namespace {

std::vector<float> first_values(const Layer& l, const Parameter& p, std::mt19937_64& random) {
  std::vector<float> values(p.elements);
  const bool matrix = p.name.ends_with(".weight");
  if (l.kind == LayerKind::convolution) {
    std::normal_distribution<float> normal(0,
                                           std::sqrt(2.0F / static_cast<float>(l.out.channels * l.kernel * l.kernel)));
    std::ranges::generate(values, [&] { return normal(random); });
  } else if (l.kind == LayerKind::linear) {
    const float bound = 1 / std::sqrt(static_cast<float>(l.in.elements()));
    std::uniform_real_distribution<float> uniform(-bound, bound);
    std::ranges::generate(values, [&] { return uniform(random); });
  } else if (matrix) {
    std::ranges::fill(values, 1.0F);
  }
  return values;
}

}  // namespace

std::vector<std::vector<float>> first_weights(const Network& network, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<float>> all;
  for (const Parameter& p : network.parameters())
    all.push_back(first_values(network.layers[static_cast<std::size_t>(p.layer)], p, random));
  return all;
}

SyntheticBatch synthetic_batch(const Network& network, int batch, std::uint64_t seed, int rank) {
  std::mt19937_64 random(seed + 1 + static_cast<std::uint64_t>(rank));
  const auto images = static_cast<std::size_t>(batch);
  SyntheticBatch made{.images = std::vector<float>(images * network.image.elements()),
                      .labels = std::vector<int>(images)};
  std::normal_distribution<float> pixel;
  std::ranges::generate(made.images, [&] { return pixel(random); });
  std::uniform_int_distribution<int> label(0, network.classes() - 1);
  std::ranges::generate(made.labels, [&] { return label(random); });
  return made;
}

}  // namespace busbar
