// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "workloads/networks/network.hpp"

/// How a GPU computes a network, as far as the layers determine it: fusion, storage of tensors, memory traffic. Needs
/// no CUDA.
namespace busbar::gpu {

/// Stored channels of a layer's input. Images are padded with zero channels to a multiple of 8, so that cuDNN need not
/// pad copies of them. The weights of padding channels are 0 and stay 0, because their gradients are sums of products
/// with 0. They are not parameters of the network.
[[nodiscard]] int stored_channels(const Layer& layer);

/// For each layer, the add that it is fused with. A batch norm without ReLU is fused if only that add reads it, as its
/// first summand.
[[nodiscard]] std::vector<std::optional<std::size_t>> adds_of_norms(const Network& network);

/// Whether our kernels store the ReLU mask of a fused norm and add as one bit per element (NormForward::positive) and
/// read it instead of the output.
[[nodiscard]] bool keeps_bits(const Layer& norm, const Layer& add);

/// Bytes moved to and from GPU memory.
struct Traffic {
  double forward = 0, backward = 0;
};

/// What sums a norm's input for its statistics.
enum class NormSums {
  by_norm,         ///< our kernels, which read the input once more
  by_convolution,  ///< the convolution that writes it
};

/// Traffic of one step with `batch` images, one row per layer; a fused norm and add count at the norm. This is a
/// computed lower bound without cache reuse between layers. A convolution or product reads each input and writes its
/// output once; the rest follows kernels.hpp, with our batch norms. Activations and their gradients are 16-bit.
/// Parameters count where convolutions and products read and write them; their update does not count.
[[nodiscard]] std::vector<Traffic> traffic_of(const Network& network, int batch, NormSums sums = NormSums::by_norm);

}  // namespace busbar::gpu
