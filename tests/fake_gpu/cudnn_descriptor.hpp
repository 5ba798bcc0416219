// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <cudnn.h>

/// Descriptors of the fake cuDNN: lists of attributes, checked when they are set and when they are finalised.
namespace fake_gpu {

/// Thrown inside an entry point of cuDNN, which returns it.
struct Refusal {
  cudnnStatus_t code;
};

inline void require_dnn(bool holds, cudnnStatus_t otherwise = CUDNN_STATUS_BAD_PARAM) {
  if (!holds) throw Refusal{otherwise};
}

struct DnnDescriptor {
  struct Attribute {
    cudnnBackendAttributeType_t type = CUDNN_TYPE_INT64;
    std::int64_t count = 0;
    std::vector<std::byte> bytes;                          ///< values
    std::vector<std::shared_ptr<const DnnDescriptor>> of;  ///< descriptors
  };
  cudnnBackendDescriptorType_t type = CUDNN_BACKEND_TENSOR_DESCRIPTOR;
  bool finalised = false;
  std::map<cudnnBackendAttributeName_t, Attribute> attributes;
  std::int64_t engine = 0;  ///< of an engine or its configuration

  /// \throws Refusal where it has no such attribute.
  [[nodiscard]] const Attribute& at(cudnnBackendAttributeName_t name) const;
  [[nodiscard]] bool has(cudnnBackendAttributeName_t name) const { return attributes.contains(name); }
  [[nodiscard]] const DnnDescriptor& child(cudnnBackendAttributeName_t name) const;
  template <class T>
  [[nodiscard]] std::vector<T> all(cudnnBackendAttributeName_t name) const {
    const auto& a = at(name);
    const auto* const values = reinterpret_cast<const T*>(a.bytes.data());
    return std::vector<T>(values, values + a.count);
  }
  template <class T>
  [[nodiscard]] T one(cudnnBackendAttributeName_t name) const {
    const auto values = all<T>(name);
    require_dnn(values.size() == 1);
    return values.front();
  }
};

/// Bytes of a value of this type.
std::size_t size_of(cudnnBackendAttributeType_t type);
/// Whether a descriptor of this type has the attribute, of that type.
bool belongs(cudnnBackendDescriptorType_t descriptor, cudnnBackendAttributeName_t name,
             cudnnBackendAttributeType_t type);
/// \throws Refusal where something is missing or does not fit.
void check(const DnnDescriptor& descriptor);

struct TensorView {
  std::array<std::int64_t, 4> dims{}, strides{};
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::int64_t id = 0, alignment = 1;
  bool is_virtual = false;  ///< between operations: it has no pointer
  bool by_value = false;    ///< the pointer is to the host's memory
  [[nodiscard]] std::size_t element_bytes() const { return type == CUDNN_DATA_FLOAT ? 4 : 2; }
  [[nodiscard]] std::size_t bytes() const;  ///< from the first element to behind the last
};
TensorView view_of(const DnnDescriptor& tensor);

/// One convolution's pass. `input`, `weights`, `output`: the tensors or their gradients.
struct ConvolutionCall {
  enum class Pass { forward, data, filter } pass = Pass::forward;
  TensorView input, weights, output;
  std::array<std::int64_t, 2> pad{}, stride{};
  /// Of a graph that also sums the output and its squares over images and pixels (GENSTATS).
  std::optional<TensorView> sum = {}, squares = {};
};
/// \throws Refusal where the operation is no convolution.
ConvolutionCall call_of(const DnnDescriptor& operation);
/// One convolution, or one with sums. \throws Refusal where the graph is neither, or FAKE_CUDNN_GENSTATS offers no
/// sums.
ConvolutionCall convolution_of(const DnnDescriptor& graph);
/// By plain loops, sums in fp32. Pointers in the order of the tensors; `sum` and `squares` are null if not asked for.
void convolve(const ConvolutionCall& call, void* input, void* weights, void* output, void* sum, void* squares);

}  // namespace fake_gpu
