// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "workloads/networks/network.hpp"

/// How a network is computed on a GPU, as far as its layers alone decide that: what is computed together, how tensors
/// are stored, what that moves. Needs no CUDA.
namespace busbar::gpu {

/// Channels of a layer's input as it lies in memory. Images get channels of zeros up to a multiple of 8, so that cuDNN
/// need not pad copies of them. The weights of these channels are 0 and stay so, as their gradients are sums of
/// products with 0; they are no parameters of the network.
[[nodiscard]] int stored_channels(const Layer& layer);

/// For each layer the add that it is computed with: a batch norm without ReLU that this add alone reads, as its first
/// summand.
[[nodiscard]] std::vector<std::optional<std::size_t>> adds_of_norms(const Network& network);

/// Whether our kernels keep a bit an element of the ReLU behind a norm and the add that it is computed with
/// (NormForward::positive), and read it instead of the output.
[[nodiscard]] bool keeps_bits(const Layer& norm, const Layer& add);

/// Bytes that cross the GPU's memory.
struct Traffic {
  double forward = 0, backward = 0;
};

/// Of one step with so many images, a row a layer; a norm that is computed with an add counts at the norm. Computed,
/// the least where no tensor stays in a cache: a convolution or product reads each input and writes its output once,
/// the rest is what kernels.hpp says of each kernel, with batch norms of our own. Activations and their gradients are
/// of 16 bits; parameters count as what convolutions and products read and write, not for their update.
[[nodiscard]] std::vector<Traffic> traffic_of(const Network& network, int batch);

}  // namespace busbar::gpu
