// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/compute/cudnn/graph_api.hpp"
#include "workloads/networks/network.hpp"

/// Batch norm in cuDNN's graph API, with its ReLU and residual sum. The graphs follow cudnn-frontend's samples
/// (samples/cpp/norm/batchnorm.cpp: "SGBN Add Relu" and "BN_inference DRelu DBN"), without running statistics and
/// without statistics from other GPUs. cuDNN has specialised engines for these patterns (developer guide, BnAddRelu and
/// DReluForkDBn) and no plans for others: none if channels are not a multiple of 8, and none if the ReLU mask comes
/// from a stored y.
namespace busbar::cudnn {

struct NormShape {
  std::int64_t images = 1, channels = 1, height = 1, width = 1;
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;  ///< of activations and their gradients; the rest is fp32
  bool relu = false;                           ///< applied last
  bool residual = false;                       ///< added before the ReLU
};
[[nodiscard]] NormShape shape_of(const Layer& norm, int batch, cudnnDataType_t type, bool relu, bool residual);

/// Shape of the graph that computes the gradient of `forward`; empty if no graph does. cuDNN does not pass gradients to
/// a residual: our kernel must apply the ReLU mask first, and the graph has no ReLU.
[[nodiscard]] std::optional<NormShape> backward_shape(const NormShape& forward);

/// Tensor ids in a plan. The last three exist only inside a graph: `masked` in 16 bits, the others in fp32.
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
  epsilon,  ///< one float on the host; must outlive the execution
  normed,
  summed,
  masked,
};
[[nodiscard]] constexpr Place place(NormOperand operand, const void* at) {
  return {static_cast<std::int64_t>(operand), at};
}

/// A graph that is not bound to a device yet; all descriptors are finalised.
struct NormGraph {
  std::vector<Descriptor> parts, operations;
  std::vector<NormOperand> operands;  ///< tensors that the caller must provide
};

/// Computes y, mean and inverse_deviation from x, scale, shift, epsilon (and residual), with this batch's statistics.
/// Throws Error if cuDNN rejects an operation.
[[nodiscard]] NormGraph norm_forward_graph(const NormShape& shape);

/// Computes dx, dscale and dshift from dy, x, scale, mean and inverse_deviation. With relu, it also needs shift and
/// recomputes the ReLU's input from x; there must be no residual. Throws like norm_forward_graph().
[[nodiscard]] NormGraph norm_backward_graph(const NormShape& shape);

}  // namespace busbar::cudnn
