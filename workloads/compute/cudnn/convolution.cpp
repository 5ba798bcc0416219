// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/convolution.hpp"

#include <fmt/core.h>

namespace busbar::cudnn {
namespace {

/// cuDNN's names for one pass.
struct Spelling {
  std::string_view name;
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t convolution, alpha, beta, input, weights, output;
};

constexpr Spelling spelling(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return {"forward",
              CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
    case Pass::data:
      return {"backward data",
              CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
    case Pass::filter:
      break;
  }
  return {"backward weights",
          CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
}

Descriptor convolution_of(const ConvolutionShape& s) {
  const std::array<std::int64_t, 2> strides{s.stride, s.stride}, pads{s.pad, s.pad}, dilations{1, 1};
  Descriptor d(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  d.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2})
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::span<const std::int64_t>(pads))
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::span<const std::int64_t>(pads))
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::span<const std::int64_t>(dilations))
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::span<const std::int64_t>(strides))
      .finalize("a convolution");
  return d;
}

/// Descriptors of a graph before it is bound to a device.
struct Parts {
  enum Index { convolution, input, weights, output, sum, squares };
  std::vector<Descriptor> parts, operations;
};

Parts parts_of(const ConvolutionShape& s, Pass pass) {
  const auto tensor = [&](Operand operand, std::array<std::int64_t, 4> dims) {
    return descriptor_of({.id = static_cast<std::int64_t>(operand), .type = s.type, .dims = dims});
  };
  const Spelling spelt = spelling(pass);
  Parts made;
  made.parts.push_back(convolution_of(s));
  made.parts.push_back(tensor(Operand::input, {s.images, s.inputs, s.in_height, s.in_width}));
  made.parts.push_back(tensor(Operand::weights, {s.outputs, s.inputs, s.kernel, s.kernel}));
  made.parts.push_back(tensor(Operand::output, {s.images, s.outputs, s.out_height, s.out_width}));
  made.operations.emplace_back(spelt.operation)
      .set(spelt.convolution, made.parts[Parts::convolution])
      .set(spelt.alpha, 1.0F)
      .set(spelt.beta, 0.0F)
      .set(spelt.input, made.parts[Parts::input])
      .set(spelt.weights, made.parts[Parts::weights])
      .set(spelt.output, made.parts[Parts::output])
      .finalize(name_of(s, pass));
  return made;
}

}  // namespace

ConvolutionShape shape_of(const Layer& l, int batch, int inputs, cudnnDataType_t type) {
  return {.images = batch,
          .inputs = inputs,
          .outputs = l.out.channels,
          .in_height = l.in.height,
          .in_width = l.in.width,
          .out_height = l.out.height,
          .out_width = l.out.width,
          .kernel = l.kernel,
          .stride = l.stride,
          .pad = l.pad,
          .type = type};
}

OperationGraph convolution_graph(const Target& target, const ConvolutionShape& shape, Pass pass) {
  Parts made = parts_of(shape, pass);
  return {target, std::move(made.parts), std::move(made.operations)};
}

OperationGraph convolution_graph_with_sums(const Target& target, const ConvolutionShape& s) {
  Parts made = parts_of(s, Pass::forward);
  for (const Operand each : {Operand::sum, Operand::squares})
    made.parts.push_back(
        descriptor_of({.id = static_cast<std::int64_t>(each), .type = CUDNN_DATA_FLOAT, .dims = {1, s.outputs, 1, 1}}));
  made.operations.emplace_back(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, made.parts[Parts::output])
      .set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, made.parts[Parts::sum])
      .set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, made.parts[Parts::squares])
      .finalize("sums of a convolution's output");
  return {target, std::move(made.parts), std::move(made.operations)};
}

std::string name_of(const ConvolutionShape& s, Pass pass) {
  return fmt::format("{} {}x{}x{}x{} to {}x{}x{}, {}x{}/{}", spelling(pass).name, s.images, s.inputs, s.in_height,
                     s.in_width, s.outputs, s.out_height, s.out_width, s.kernel, s.kernel, s.stride);
}

}  // namespace busbar::cudnn
