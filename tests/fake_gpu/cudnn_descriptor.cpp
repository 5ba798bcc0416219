// SPDX-License-Identifier: Apache-2.0
#include "cudnn_descriptor.hpp"

#include <algorithm>

namespace fake_gpu {
namespace {

using Name = cudnnBackendAttributeName_t;
using Type = cudnnBackendAttributeType_t;

/// Attributes of operations and others that this fake knows, with their types.
const std::map<cudnnBackendDescriptorType_t, std::map<Name, Type>>& known() {
  static const std::map<cudnnBackendDescriptorType_t, std::map<Name, Type>> all{
      {CUDNN_BACKEND_TENSOR_DESCRIPTOR,
       {{CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE},
        {CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN},
        {CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN}}},
      {CUDNN_BACKEND_POINTWISE_DESCRIPTOR,
       {{CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE},
        {CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE}}},
      {CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE},
        {CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE},
        {CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_TYPE_NORM_MODE},
        {CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
       {{CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE},
        {CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE},
        {CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64}}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, CUDNN_TYPE_FLOAT},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE},
        {CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_TYPE_DATA_TYPE},
        {CUDNN_ATTR_OPERATION_GENSTATS_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR,
       {{CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE},
        {CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR,
       {{CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR},
        {CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE}}},
      {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR,
       {{CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE},
        {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR}}},
      {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
       {{CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64},
        {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR},
        {CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR}}},
  };
  return all;
}

/// Optional attributes of a descriptor. The mode of a pointwise operation determines its tensors.
bool optional(Name name) {
  static constexpr std::array names{CUDNN_ATTR_TENSOR_IS_VIRTUAL,
                                    CUDNN_ATTR_TENSOR_IS_BY_VALUE,
                                    CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                                    CUDNN_ATTR_OPERATION_POINTWISE_YDESC,
                                    CUDNN_ATTR_OPERATION_POINTWISE_DXDESC,
                                    CUDNN_ATTR_OPERATION_POINTWISE_DYDESC,
                                    CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC};
  return std::ranges::find(names, name) != names.end();
}

void check_tensor(const DnnDescriptor& d) {
  const TensorView t = view_of(d);
  require_dnn(std::ranges::all_of(t.dims, [](auto n) { return n > 0; }));
  require_dnn(std::ranges::all_of(t.strides, [](auto n) { return n > 0; }));
  require_dnn(t.alignment > 0 && (t.alignment & (t.alignment - 1)) == 0);
  require_dnn(t.type == CUDNN_DATA_FLOAT || t.type == CUDNN_DATA_HALF || t.type == CUDNN_DATA_BFLOAT16,
              CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
}

/// Of an output of a window that slides: cuDNN's formula, without dilation.
std::int64_t slid(std::int64_t in, std::int64_t kernel, std::int64_t pad, std::int64_t stride) {
  return (in + 2 * pad - kernel) / stride + 1;
}

void check_shapes(const ConvolutionCall& c) {
  const auto &x = c.input.dims, &w = c.weights.dims, &y = c.output.dims;
  require_dnn(x[0] == y[0] && x[1] == w[1] && w[0] == y[1], CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);
  for (const std::size_t i : {0U, 1U})
    require_dnn(y[2 + i] == slid(x[2 + i], w[2 + i], c.pad[i], c.stride[i]), CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);
}

}  // namespace

std::size_t size_of(cudnnBackendAttributeType_t type) {
  if (type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_DOUBLE) return 8;
  if (type == CUDNN_TYPE_HANDLE || type == CUDNN_TYPE_VOID_PTR || type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    return sizeof(void*);
  return type == CUDNN_TYPE_BOOLEAN ? 1 : 4;  // all others are enumerations and float
}

bool belongs(cudnnBackendDescriptorType_t descriptor, Name name, Type type) {
  const auto of = known().find(descriptor);
  if (of == known().end()) return false;
  const auto found = of->second.find(name);
  return found != of->second.end() && found->second == type;
}

const DnnDescriptor::Attribute& DnnDescriptor::at(Name name) const {
  const auto found = attributes.find(name);
  require_dnn(found != attributes.end());
  return found->second;
}

const DnnDescriptor& DnnDescriptor::child(Name name) const {
  const auto& of = at(name).of;
  require_dnn(of.size() == 1);
  return *of.front();
}

void check(const DnnDescriptor& d) {
  const auto of = known().find(d.type);
  require_dnn(of != known().end(), CUDNN_STATUS_NOT_SUPPORTED);
  for (const auto& [name, type] : of->second) {
    if (!d.has(name) && optional(name)) continue;
    require_dnn(d.has(name));
    for (const auto& child : d.attributes.at(name).of)
      require_dnn(child->finalised, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
  }
  if (d.type == CUDNN_BACKEND_TENSOR_DESCRIPTOR) check_tensor(d);
  if (d.has(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X) || d.has(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX) ||
      d.has(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X))
    check_shapes(call_of(d));
}

std::size_t TensorView::bytes() const {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) last += (dims[i] - 1) * strides[i];
  return static_cast<std::size_t>(last + 1) * element_bytes();
}

TensorView view_of(const DnnDescriptor& d) {
  const auto dims = d.all<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS),
             strides = d.all<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
  require_dnn(dims.size() == 4 && strides.size() == 4);
  TensorView t{.type = d.one<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE),
               .id = d.one<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID),
               .alignment = d.one<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT)};
  const auto says = [&](Name name) { return d.has(name) && d.one<bool>(name); };
  t.is_virtual = says(CUDNN_ATTR_TENSOR_IS_VIRTUAL);
  t.by_value = says(CUDNN_ATTR_TENSOR_IS_BY_VALUE);
  std::ranges::copy(dims, t.dims.begin());
  std::ranges::copy(strides, t.strides.begin());
  return t;
}

ConvolutionCall call_of(const DnnDescriptor& d) {
  using Pass = ConvolutionCall::Pass;
  struct Row {
    cudnnBackendDescriptorType_t type;
    Pass pass;
    Name convolution, input, weights, output;
  };
  static constexpr std::array<Row, 3> rows{
      {{CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, Pass::forward,
        CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
        CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
       {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, Pass::data,
        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
       {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, Pass::filter,
        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY}}};
  const auto row = std::ranges::find(rows, d.type, &Row::type);
  require_dnn(row != rows.end(), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  const DnnDescriptor& convolution = d.child(row->convolution);
  ConvolutionCall call{.pass = row->pass,
                       .input = view_of(d.child(row->input)),
                       .weights = view_of(d.child(row->weights)),
                       .output = view_of(d.child(row->output))};
  for (const TensorView* t : {&call.input, &call.weights, &call.output}) require_dnn(!t->is_virtual && !t->by_value);
  const auto pair_of = [&](Name name) {
    const auto values = convolution.all<std::int64_t>(name);
    require_dnn(values.size() == 2);
    return std::array{values[0], values[1]};
  };
  call.pad = pair_of(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  call.stride = pair_of(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  require_dnn(pair_of(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS) == call.pad);
  require_dnn(pair_of(CUDNN_ATTR_CONVOLUTION_DILATIONS) == std::array<std::int64_t, 2>{1, 1});
  require_dnn(convolution.one<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS) == 2);
  require_dnn(convolution.one<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE) == CUDNN_DATA_FLOAT);
  require_dnn(convolution.one<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CROSS_CORRELATION);
  return call;
}

}  // namespace fake_gpu
