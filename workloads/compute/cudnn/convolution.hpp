// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "workloads/compute/cudnn/graph_api.hpp"
#include "workloads/networks/network.hpp"

namespace busbar::cudnn {

/// A convolution as cuDNN sees it; square windows, padded alike on all sides.
struct ConvolutionShape {
  std::int64_t images = 1, inputs = 1, outputs = 1;  ///< channels
  std::int64_t in_height = 1, in_width = 1, out_height = 1, out_width = 1;
  std::int64_t kernel = 1, stride = 1, pad = 0;
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;  ///< of all three tensors; sums are fp32
};
/// `inputs`: channels of the layer's input as it lies in memory.
[[nodiscard]] ConvolutionShape shape_of(const Layer& layer, int batch, int inputs, cudnnDataType_t type);

/// What is computed: the output; the gradient of the input; that of the weights.
enum class Pass { forward, data, filter };

/// By which plans know the tensors, or their gradients.
enum class Operand : std::int64_t { input = 1, weights = 2, output = 3 };
[[nodiscard]] constexpr Place place(Operand operand, const void* at) {
  return {static_cast<std::int64_t>(operand), at};
}

[[nodiscard]] OperationGraph convolution_graph(const Target& target, const ConvolutionShape& shape, Pass pass);

/// Alike for passes that cuDNN computes alike.
[[nodiscard]] std::string name_of(const ConvolutionShape& shape, Pass pass);

}  // namespace busbar::cudnn
