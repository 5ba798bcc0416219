// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/cudnn_norm.hpp"

#include <algorithm>

namespace busbar::cudnn {
namespace {

using enum NormOperand;

/// Collects the parts of a graph.
class Builder {
 public:
  explicit Builder(const NormShape& shape) : shape_(shape) {}

  /// Returns the same tensor for the same operand. The reference is valid until the next call.
  const Descriptor& tensor(NormOperand operand) {
    const auto known = std::ranges::find(operands_, operand);
    if (known != operands_.end()) return tensors_[static_cast<std::size_t>(known - operands_.begin())];
    operands_.push_back(operand);
    return tensors_.emplace_back(descriptor_of(tensor_of(operand)));
  }

  Descriptor& operation(cudnnBackendDescriptorType_t type) { return operations_.emplace_back(type); }

  /// An elementwise operation; the caller sets its tensors.
  Descriptor& pointwise(cudnnPointwiseMode_t mode) {
    Descriptor& kind = kinds_.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    kind.set(CUDNN_ATTR_POINTWISE_MODE, mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT)
        .finalize("a pointwise operation");
    return operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, kind);
  }

  NormGraph finish() && {
    NormGraph graph{.parts = std::move(tensors_), .operations = std::move(operations_), .operands = {}};
    for (Descriptor& kind : kinds_) graph.parts.push_back(std::move(kind));
    std::ranges::copy_if(operands_, std::back_inserter(graph.operands), [](NormOperand o) { return !inside(o); });
    return graph;
  }

 private:
  static bool inside(NormOperand operand) { return operand == normed || operand == summed || operand == masked; }

  [[nodiscard]] Tensor tensor_of(NormOperand operand) const {
    Tensor t{.id = static_cast<std::int64_t>(operand), .type = CUDNN_DATA_FLOAT, .dims = {1, shape_.channels, 1, 1}};
    if (operand == epsilon) {
      t.dims = {1, 1, 1, 1};
      t.by_value = true;
    } else if (operand <= dx || inside(operand)) {
      t.dims = {shape_.images, shape_.channels, shape_.height, shape_.width};
      t.is_virtual = inside(operand);
      if (!t.is_virtual || operand == masked) t.type = shape_.type;
    }
    return t;
  }

  const NormShape& shape_;
  std::vector<NormOperand> operands_;
  std::vector<Descriptor> tensors_, kinds_, operations_;
};

/// Batch norm with the statistics of this batch (training) or with given ones (inference).
void add_norm(Builder& b, cudnnBackendNormFwdPhase_t phase, NormOperand to) {
  Descriptor& norm = b.operation(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  norm.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_BATCH_NORM)
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, phase)
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, b.tensor(x))
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, b.tensor(mean))
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, b.tensor(inverse_deviation))
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, b.tensor(scale))
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, b.tensor(shift));
  if (phase == CUDNN_NORM_FWD_TRAINING) norm.set(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, b.tensor(epsilon));
  norm.set(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, b.tensor(to)).finalize("a batch norm");
}

}  // namespace

NormShape shape_of(const Layer& l, int batch, cudnnDataType_t type, bool relu, bool residual) {
  return {.images = batch,
          .channels = l.out.channels,
          .height = l.out.height,
          .width = l.out.width,
          .type = type,
          .relu = relu,
          .residual = residual};
}

std::optional<NormShape> backward_shape(const NormShape& forward) {
  if (forward.residual && !forward.relu) return std::nullopt;
  NormShape shape = forward;
  shape.relu = forward.relu && !forward.residual;
  shape.residual = false;
  return shape;
}

NormGraph norm_forward_graph(const NormShape& s) {
  Builder b(s);
  add_norm(b, CUDNN_NORM_FWD_TRAINING, s.residual || s.relu ? normed : y);
  if (s.residual)
    b.pointwise(CUDNN_POINTWISE_ADD)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, b.tensor(normed))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b.tensor(residual))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, b.tensor(s.relu ? summed : y))
        .finalize("a sum");
  if (s.relu)
    b.pointwise(CUDNN_POINTWISE_RELU_FWD)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, b.tensor(s.residual ? summed : normed))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, b.tensor(y))
        .finalize("a ReLU");
  return std::move(b).finish();
}

NormGraph norm_backward_graph(const NormShape& s) {
  Builder b(s);
  if (s.relu) {
    add_norm(b, CUDNN_NORM_FWD_INFERENCE, normed);
    b.pointwise(CUDNN_POINTWISE_RELU_BWD)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, b.tensor(normed))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, b.tensor(dy))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, b.tensor(masked))
        .finalize("a ReLU's gradient");
  }
  b.operation(CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_BATCH_NORM)
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, b.tensor(x))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, b.tensor(mean))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, b.tensor(inverse_deviation))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, b.tensor(s.relu ? masked : dy))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, b.tensor(scale))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, b.tensor(dscale))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, b.tensor(dshift))
      .set(CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, b.tensor(dx))
      .finalize("a batch norm's gradient");
  return std::move(b).finish();
}

}  // namespace busbar::cudnn
