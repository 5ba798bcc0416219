// SPDX-License-Identifier: Apache-2.0
#include "cudnn_norm.hpp"

#include <algorithm>
#include <cmath>

#include "cudnn_floats.hpp"
#include "cudnn_offer.hpp"

namespace fake_gpu {
namespace {

using Kind = NormStep::Kind;
using Name = cudnnBackendAttributeName_t;

Offer offered() { return offer_of("FAKE_CUDNN_NORM"); }

Kind pointwise_kind(const DnnDescriptor& operation) {
  const DnnDescriptor& what = operation.child(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  require_dnn(what.one<cudnnDataType_t>(CUDNN_ATTR_POINTWISE_MATH_PREC) == CUDNN_DATA_FLOAT);
  const auto mode = what.one<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
  if (mode == CUDNN_POINTWISE_ADD) return Kind::add;
  if (mode == CUDNN_POINTWISE_RELU_FWD) return Kind::relu;
  require_dnn(mode == CUDNN_POINTWISE_RELU_BWD, CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  return Kind::relu_gradient;
}

Kind kind_of(const DnnDescriptor& operation) {
  if (operation.type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR) return pointwise_kind(operation);
  if (operation.type == CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR) {
    require_dnn(operation.one<cudnnBackendNormMode_t>(CUDNN_ATTR_OPERATION_NORM_BWD_MODE) == CUDNN_BATCH_NORM);
    return Kind::norm_gradient;
  }
  require_dnn(operation.type == CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
              CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  require_dnn(operation.one<cudnnBackendNormMode_t>(CUDNN_ATTR_OPERATION_NORM_FWD_MODE) == CUDNN_BATCH_NORM);
  const auto phase = operation.one<cudnnBackendNormFwdPhase_t>(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE);
  return phase == CUDNN_NORM_FWD_TRAINING ? Kind::norm : Kind::known_norm;
}

std::vector<Name> tensors_of(Kind kind) {
  switch (kind) {
    case Kind::norm:
    case Kind::known_norm: {
      std::vector<Name> names{CUDNN_ATTR_OPERATION_NORM_FWD_XDESC,
                              CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC,
                              CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC,
                              CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC,
                              CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC,
                              CUDNN_ATTR_OPERATION_NORM_FWD_YDESC};
      if (kind == Kind::norm) names.push_back(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC);
      return names;
    }
    case Kind::norm_gradient:
      return {CUDNN_ATTR_OPERATION_NORM_BWD_XDESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC,
              CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC};
    case Kind::add:
      return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
              CUDNN_ATTR_OPERATION_POINTWISE_YDESC};
    case Kind::relu:
      return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC};
    case Kind::relu_gradient:
      return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_DYDESC,
              CUDNN_ATTR_OPERATION_POINTWISE_DXDESC};
  }
  return {};
}

Name output_of(Kind kind) {
  switch (kind) {
    case Kind::norm:
    case Kind::known_norm:
      return CUDNN_ATTR_OPERATION_NORM_FWD_YDESC;
    case Kind::norm_gradient:
      return CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC;
    case Kind::add:
    case Kind::relu:
      return CUDNN_ATTR_OPERATION_POINTWISE_YDESC;
    case Kind::relu_gradient:
      break;
  }
  return CUDNN_ATTR_OPERATION_POINTWISE_DXDESC;
}

/// Of an operation: activations are all alike in shape, statistics have one value a channel, in fp32.
void check_step(const NormStep& step) {
  const TensorView& like = step.tensors.at(output_of(step.kind));
  require_dnn(like.dims[1] % 8 == 0, CUDNN_STATUS_NOT_SUPPORTED_SHAPE);
  const std::array<std::int64_t, 4> channels{1, like.dims[1], 1, 1}, one{1, 1, 1, 1};
  for (const auto& [name, t] : step.tensors) {
    require_dnn(t.by_value == (name == CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC));
    if (t.dims == like.dims) {
      require_dnn(t.strides[1] == 1, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT);
      require_dnn(t.is_virtual || t.type != CUDNN_DATA_FLOAT, CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
    } else {
      require_dnn(t.dims == (t.by_value ? one : channels), CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);
      require_dnn(t.type == CUDNN_DATA_FLOAT && !t.is_virtual, CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
    }
  }
}

/// What is virtual comes from the step before, and what a step gives to the next is virtual.
void check_chain(const NormProgram& program) {
  const TensorView* before = nullptr;
  for (const NormStep& step : program) {
    const TensorView& out = step.tensors.at(output_of(step.kind));
    require_dnn(out.is_virtual == (&step != &program.back()), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
    int given = 0;
    for (const auto& [name, t] : step.tensors)
      if (t.is_virtual && t.id != out.id) {
        require_dnn(before != nullptr && t.id == before->id);
        ++given;
      }
    require_dnn(given == (before == nullptr ? 0 : 1), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
    // cuDNN's engines want a gradient in 16 bits, be it virtual.
    if (step.kind == Kind::relu_gradient)
      require_dnn(out.type != CUDNN_DATA_FLOAT && step.tensors.at(CUDNN_ATTR_OPERATION_POINTWISE_XDESC).is_virtual,
                  CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
    before = &out;
  }
}

bool known(const NormProgram& program) {
  static const std::vector<std::vector<Kind>> patterns{{Kind::norm},
                                                       {Kind::norm, Kind::relu},
                                                       {Kind::norm, Kind::add},
                                                       {Kind::norm, Kind::add, Kind::relu},
                                                       {Kind::norm_gradient},
                                                       {Kind::known_norm, Kind::relu_gradient, Kind::norm_gradient}};
  return std::ranges::any_of(
      patterns, [&](const auto& kinds) { return std::ranges::equal(program, kinds, {}, &NormStep::kind); });
}

/// Tensors of a graph while it runs. What is stored is read back as it was rounded.
class Memory {
 public:
  explicit Memory(const NormPointers& pointers) : pointers_(pointers) {}
  std::vector<float>& read(const TensorView& t) {
    const auto found = values_.find(t.id);
    if (found != values_.end()) return found->second.values();
    return values_.try_emplace(t.id, t, pointers_.at(t.id)).first->second.values();
  }
  template <class Fill>
  void write(const TensorView& t, Fill fill) {
    Floats to(t);
    fill(to.values());
    const Offer offer = offered();
    if (offer == Offer::wrong)
      for (float& v : to.values()) v *= 1.0625F;
    if (!t.is_virtual && offer != Offer::nothing) {
      to.store_to(pointers_.at(t.id));
      to = Floats(t, pointers_.at(t.id));
    }
    values_.insert_or_assign(t.id, std::move(to));
  }

 private:
  const NormPointers& pointers_;
  std::map<std::int64_t, Floats> values_;
};

void run_norm_forward(const NormStep& step, Memory& memory) {
  const auto tensor = [&](Name name) -> const TensorView& { return step.tensors.at(name); };
  const auto& x = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC));
  const auto channels = static_cast<std::size_t>(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC).dims[1]);
  const double rows = static_cast<double>(x.size() / channels);
  if (step.kind == Kind::norm) {
    std::vector<double> sum(channels), squares(channels);
    for (std::size_t i = 0; i < x.size(); ++i) sum[i % channels] += static_cast<double>(x[i]) / rows;
    for (std::size_t i = 0; i < x.size(); ++i)
      squares[i % channels] += std::pow(static_cast<double>(x[i]) - sum[i % channels], 2) / rows;
    const auto epsilon = static_cast<double>(memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC)).at(0));
    memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC), [&](auto& to) { to.assign(sum.begin(), sum.end()); });
    memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC), [&](std::vector<float>& to) {
      for (std::size_t c = 0; c < channels; ++c) to[c] = static_cast<float>(1 / std::sqrt(squares[c] + epsilon));
    });
  }
  const auto &mean = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC)),
             &inverse = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC)),
             &scale = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC)),
             &shift = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC));
  memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC), [&](std::vector<float>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = i % channels;
      y[i] = scale[c] * (x[i] - mean[c]) * inverse[c] + shift[c];
    }
  });
}

void run_norm_backward(const NormStep& step, Memory& memory) {
  const auto tensor = [&](Name name) -> const TensorView& { return step.tensors.at(name); };
  const auto channels = static_cast<std::size_t>(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC).dims[1]);
  const auto &x = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC)),
             &dy = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC)),
             &mean = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC)),
             &inverse = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC)),
             &scale = memory.read(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC));
  const auto rows = static_cast<float>(x.size() / channels);
  std::vector<double> dscale(channels), dshift(channels);
  const auto normed = [&](std::size_t i) { return (x[i] - mean[i % channels]) * inverse[i % channels]; };
  for (std::size_t i = 0; i < x.size(); ++i) {
    dshift[i % channels] += static_cast<double>(dy[i]);
    dscale[i % channels] += static_cast<double>(dy[i] * normed(i));
  }
  memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC),
               [&](auto& to) { to.assign(dscale.begin(), dscale.end()); });
  memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC),
               [&](auto& to) { to.assign(dshift.begin(), dshift.end()); });
  memory.write(tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC), [&](std::vector<float>& dx) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = i % channels;
      const auto mean_of = [&](double sum) { return static_cast<float>(sum) / rows; };
      dx[i] = scale[c] * inverse[c] * (dy[i] - mean_of(dshift[c]) - normed(i) * mean_of(dscale[c]));
    }
  });
}

void run_pointwise(const NormStep& step, Memory& memory) {
  const auto& x = memory.read(step.tensors.at(CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
  const std::vector<float>* other = nullptr;
  if (step.kind == Kind::add) other = &memory.read(step.tensors.at(CUDNN_ATTR_OPERATION_POINTWISE_BDESC));
  if (step.kind == Kind::relu_gradient) other = &memory.read(step.tensors.at(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC));
  memory.write(step.tensors.at(output_of(step.kind)), [&](std::vector<float>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (step.kind == Kind::add) to[i] = x[i] + (*other)[i];
      if (step.kind == Kind::relu) to[i] = std::max(x[i], 0.0F);
      if (step.kind == Kind::relu_gradient) to[i] = x[i] > 0 ? (*other)[i] : 0;
    }
  });
}

}  // namespace

NormProgram norm_program_of(const DnnDescriptor& graph) {
  NormProgram program;
  for (const auto& operation : graph.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).of) {
    NormStep& step = program.emplace_back(NormStep{.kind = kind_of(*operation), .tensors = {}});
    for (const Name name : tensors_of(step.kind)) step.tensors[name] = view_of(operation->child(name));
    check_step(step);
  }
  require_dnn(known(program), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  check_chain(program);
  const Offer offer = offered();
  require_dnn(offer != Offer::none && (offer != Offer::forward || program.front().kind == Kind::norm),
              CUDNN_STATUS_NOT_SUPPORTED);
  return program;
}

NormPointers pointers_of(const NormProgram& program, const std::function<void*(const TensorView&)>& pointer_to) {
  NormPointers pointers;
  for (const NormStep& step : program)
    for (const auto& [name, t] : step.tensors)
      if (!t.is_virtual) pointers[t.id] = pointer_to(t);
  return pointers;
}

void run_norm(const NormProgram& program, const NormPointers& pointers) {
  Memory memory(pointers);
  for (const NormStep& step : program) {
    if (step.kind == Kind::norm || step.kind == Kind::known_norm)
      run_norm_forward(step, memory);
    else if (step.kind == Kind::norm_gradient)
      run_norm_backward(step, memory);
    else
      run_pointwise(step, memory);
  }
}

}  // namespace fake_gpu
