// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "cudnn_descriptor.hpp"

/// Batch norm by the fake cuDNN: graphs of the patterns that cuDNN 9.19 has plans for on an H200.
namespace fake_gpu {

/// One operation of a graph, and its tensors.
struct NormStep {
  enum class Kind { norm, known_norm, norm_gradient, add, relu, relu_gradient } kind = Kind::norm;
  std::map<cudnnBackendAttributeName_t, TensorView> tensors;
};
using NormProgram = std::vector<NormStep>;

/// \throws Refusal where the graph has another pattern or other types, or FAKE_CUDNN_NORM does not offer it.
NormProgram norm_program_of(const DnnDescriptor& graph);

/// Pointers to all tensors that are not virtual, by `pointer_to`, which throws where there is none.
using NormPointers = std::map<std::int64_t, void*>;
NormPointers pointers_of(const NormProgram& program, const std::function<void*(const TensorView&)>& pointer_to);

/// By plain loops, in fp32, sums in fp64. The workspace holds zeros before and after.
void run_norm(const NormProgram& program, const NormPointers& pointers);

}  // namespace fake_gpu
