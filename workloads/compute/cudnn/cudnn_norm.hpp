// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/compute/cudnn/graph_api.hpp"
#include "workloads/networks/network.hpp"

/// Batch norm in cuDNN's graph API, with the ReLU and the residual sum around it. Graphs are those of cudnn-frontend's
/// samples (samples/cpp/norm/batchnorm.cpp: "SGBN Add Relu" and "BN_inference DRelu DBN"), without running statistics
/// and without statistics of other GPUs. cuDNN computes them by engines that are specialised for such patterns
/// (developer guide, BnAddRelu and DReluForkDBn), and has no plan for others: none where channels are no multiple of 8,
/// and none where relu's mask is taken from a y that was stored.
namespace busbar::cudnn {

struct NormShape {
  std::int64_t images = 1, channels = 1, height = 1, width = 1;
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;  ///< of activations and their gradients; all else is fp32
  bool relu = false;                           ///< the last that is done
  bool residual = false;                       ///< is added before relu
};
[[nodiscard]] NormShape shape_of(const Layer& norm, int batch, cudnnDataType_t type, bool relu, bool residual);

/// The graph that computes the gradient of `forward`. cuDNN does not pass a gradient on to a residual: with one, a
/// kernel of ours has to apply the mask of the ReLU before, and the graph has no ReLU. Empty: no graph computes it.
[[nodiscard]] std::optional<NormShape> backward_shape(const NormShape& forward);

/// By which plans know the tensors. The last three exist inside of a graph only, `masked` in 16 bits, the others in
/// fp32.
enum class NormOperand : std::int64_t {
  x = 1,
  residual,
  y,
  dy,
  dx,
  scale,
  shift,
  mean,
  inverse_deviation,
  dscale,
  dshift,
  epsilon,  ///< one float on the host, which outlives what is executed
  normed,
  summed,
  masked,
};
[[nodiscard]] constexpr Place place(NormOperand operand, const void* at) {
  return {static_cast<std::int64_t>(operand), at};
}

/// A graph before it is of a device: each descriptor was taken by cuDNN.
struct NormGraph {
  std::vector<Descriptor> parts, operations;
  std::vector<NormOperand> operands;  ///< that it must be given
};

/// x, scale, shift, epsilon (and residual) to y, mean, inverse_deviation, of this batch's statistics. Throws Error
/// where cuDNN takes no such operation.
[[nodiscard]] NormGraph norm_forward_graph(const NormShape& shape);

/// dy, x, scale, mean, inverse_deviation to dx, dscale, dshift. With relu it wants shift too and computes what relu was
/// given from x again; there is no residual then. Throws as norm_forward_graph().
[[nodiscard]] NormGraph norm_backward_graph(const NormShape& shape);

}  // namespace busbar::cudnn
