// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "workloads/networks/network.hpp"

/// What a training begins with, made of a seed: the same numbers for every engine, whatever its types and layouts.
namespace busbar {

/// The first values of all parameters, a row a parameter in the order of Network::parameters(). Matrices are [outputs,
/// inputs, rows, columns], as torchvision has them. Distributions are torchvision's: normal with variance 2 / (outputs
/// x window) for convolutions (K. He et al., ICCV 2015), 1 and 0 for batch norm, uniform within 1 / sqrt(inputs) for
/// linear layers.
[[nodiscard]] std::vector<std::vector<float>> first_weights(const Network& network, std::uint64_t seed);

/// One batch: images [image, channel, row, column], normally distributed, and the class of each.
struct SyntheticBatch {
  std::vector<float> images;
  std::vector<int> labels;
};
/// Each rank has its own.
[[nodiscard]] SyntheticBatch synthetic_batch(const Network& network, int batch, std::uint64_t seed, int rank);

}  // namespace busbar
