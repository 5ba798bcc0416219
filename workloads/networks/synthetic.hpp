// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "workloads/networks/network.hpp"

/// Initial weights and data of a training, generated from a seed: the same numbers for every engine, type and layout.
namespace busbar {

/// Initial values of all parameters, one row per parameter in the order of Network::parameters(). Matrices are
/// [outputs, inputs, rows, columns], as in torchvision. Distributions are torchvision's: normal with variance 2 /
/// (outputs x window) for convolutions (K. He et al., ICCV 2015), 1 and 0 for batch norm, uniform within 1 /
/// sqrt(inputs) for linear layers.
[[nodiscard]] std::vector<std::vector<float>> first_weights(const Network& network, std::uint64_t seed);

/// One batch: normally distributed images [image, channel, row, column], and one class label per image.
struct SyntheticBatch {
  std::vector<float> images;
  std::vector<int> labels;
};
/// Each rank gets different data.
[[nodiscard]] SyntheticBatch synthetic_batch(const Network& network, int batch, std::uint64_t seed, int rank);

}  // namespace busbar
