// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "workloads/compute/cudnn/graph_api.hpp"
#include "workloads/networks/network.hpp"

namespace busbar::cudnn {

/// A convolution's parameters for cuDNN: square windows, the same padding on all sides.
struct ConvolutionShape {
  std::int64_t images = 1, inputs = 1, outputs = 1;  ///< inputs and outputs are channels
  std::int64_t in_height = 1, in_width = 1, out_height = 1, out_width = 1;
  std::int64_t kernel = 1, stride = 1, pad = 0;
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;  ///< of all three tensors; accumulation is fp32
};
/// `inputs`: channels of the layer's input as stored in memory.
[[nodiscard]] ConvolutionShape shape_of(const Layer& layer, int batch, int inputs, cudnnDataType_t type);

/// The output, the gradient of the input, or the gradient of the weights.
enum class Pass { forward, data, filter };

/// Tensor ids in a plan: the tensors themselves or their gradients; sums of the output and of its squares.
enum class Operand : std::int64_t { input = 1, weights, output, sum, squares };
[[nodiscard]] constexpr Place place(Operand operand, const void* at) {
  return {static_cast<std::int64_t>(operand), at};
}

[[nodiscard]] OperationGraph convolution_graph(const Target& target, const ConvolutionShape& shape, Pass pass);

/// Forward, which also sums the output and its squares over images and pixels: `sum` and `squares`, fp32, one value per
/// output channel. cuDNN's name for it is GENSTATS; it does not say whether it sums the output before or after
/// rounding.
[[nodiscard]] OperationGraph convolution_graph_with_sums(const Target& target, const ConvolutionShape& shape);

/// The same for passes that cuDNN computes in the same way.
[[nodiscard]] std::string name_of(const ConvolutionShape& shape, Pass pass);

}  // namespace busbar::cudnn
