// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <cudnn.h>

#include "core/cuda/stream.hpp"

/// cuDNN's graph API (NVIDIA cuDNN backend API, "Graph API" of the developer guide): descriptors that are freed by who
/// holds them, and what is made of them. A descriptor is set, finalised, and from then on only read.
namespace busbar::cudnn {

/// What cuDNN said of the last call that failed on this thread; empty: nothing.
[[nodiscard]] std::string last_words();
/// Throws the Error of a call that did not succeed, with cuDNN's own words; std::bad_alloc where memory is lacking.
[[noreturn]] void throw_error(cudnnStatus_t code, std::string_view what);
inline void check(cudnnStatus_t code, std::string_view what) {
  if (code != CUDNN_STATUS_SUCCESS) [[unlikely]]
    throw_error(code, what);
}

class Descriptor;

/// The device that plans are made for. Each method sets it in a descriptor that is not final yet.
class Target {
 public:
  virtual ~Target() = default;
  virtual void set_in_graph(Descriptor& graph) const = 0;
  virtual void set_in_heuristic(Descriptor& heuristic) const = 0;
  virtual void set_in_plan(Descriptor& plan) const = 0;
};

/// The library on the device that is current; its work goes to one stream.
class Handle : public Target {
 public:
  explicit Handle(const cuda::Stream& on);
  [[nodiscard]] cudnnHandle_t get() const { return handle_.get(); }
  void set_in_graph(Descriptor& graph) const override;
  void set_in_heuristic(Descriptor&) const override {}  // has it from its graph
  void set_in_plan(Descriptor& plan) const override;

 private:
  struct Destroy {
    void operator()(cudnnHandle_t h) const { cudnnDestroy(h); }
  };
  std::unique_ptr<std::remove_pointer_t<cudnnHandle_t>, Destroy> handle_;
};

namespace detail {
/// What cuDNN calls a type; of others it is no such word, and nothing compiles.
template <class T>
inline constexpr auto attribute_type = nullptr;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<void*> = CUDNN_TYPE_VOID_PTR;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<std::int64_t> = CUDNN_TYPE_INT64;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<float> = CUDNN_TYPE_FLOAT;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<bool> = CUDNN_TYPE_BOOLEAN;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<char> = CUDNN_TYPE_CHAR;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnHandle_t> = CUDNN_TYPE_HANDLE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnDataType_t> = CUDNN_TYPE_DATA_TYPE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnConvolutionMode_t> = CUDNN_TYPE_CONVOLUTION_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnBackendHeurMode_t> = CUDNN_TYPE_HEUR_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnBackendKnobType_t> = CUDNN_TYPE_KNOB_TYPE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnBackendNormMode_t> = CUDNN_TYPE_NORM_MODE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnBackendNormFwdPhase_t> = CUDNN_TYPE_NORM_FWD_PHASE;
template <>
inline constexpr cudnnBackendAttributeType_t attribute_type<cudnnPointwiseMode_t> = CUDNN_TYPE_POINTWISE_MODE;
}  // namespace detail

class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

  /// Of a type that cuDNN has a name for, or data pointers (void*); descriptors have methods of their own.
  template <class T>
  Descriptor& set(cudnnBackendAttributeName_t name, std::span<const T> values) {
    set(name, detail::attribute_type<T>, values.size(), values.data());
    return *this;
  }
  template <class T>
    requires(!std::same_as<T, Descriptor>)
  Descriptor& set(cudnnBackendAttributeName_t name, const T& value) {
    return set(name, std::span<const T>(&value, 1));
  }
  Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& value);
  Descriptor& set_all(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values);

  /// Throws Error, with `what` it is in the message.
  Descriptor& finalize(std::string_view what);
  /// Whether cuDNN takes it; it refuses what it cannot compute here. Throws std::bad_alloc where the host has no
  /// memory.
  [[nodiscard]] bool offered();

  /// One value; empty where the descriptor does not say.
  template <class T>
  [[nodiscard]] std::optional<T> ask(cudnnBackendAttributeName_t name) const {
    T value{};
    std::int64_t count = 0;
    if (cudnnBackendGetAttribute(get(), name, detail::attribute_type<T>, 1, &count, &value) != CUDNN_STATUS_SUCCESS ||
        count != 1)
      return std::nullopt;
    return value;
  }
  /// Descriptors of one type; none where it does not say.
  [[nodiscard]] std::vector<Descriptor> ask_all(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                                std::int64_t most) const;
  /// How many values it holds.
  [[nodiscard]] std::int64_t count(cudnnBackendAttributeName_t name) const;

 private:
  struct Destroy {
    void operator()(void* d) const { cudnnBackendDestroyDescriptor(d); }
  };
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count, const void* values);
  std::unique_ptr<void, Destroy> descriptor_;
};

/// Of four dimensions (images, channels, rows, columns; or outputs, inputs, rows, columns), of which channels lie next
/// to each other in memory: NHWC, KRSC.
struct Tensor {
  std::int64_t id = 0;  ///< by which a plan is told where it lies
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;
  std::array<std::int64_t, 4> dims{};
  bool is_virtual = false;  ///< lies nowhere: from one operation of a graph to another
  bool by_value = false;    ///< lies on the host, and is read when a plan is executed
};
[[nodiscard]] Descriptor descriptor_of(const Tensor& tensor);

/// Operations that are computed together, with all that they are made of.
class OperationGraph {
 public:
  OperationGraph(const Target& target, std::vector<Descriptor> parts, std::vector<Descriptor> operations);
  [[nodiscard]] const Descriptor& descriptor() const { return graph_; }

 private:
  std::vector<Descriptor> parts_, operations_;
  Descriptor graph_{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
};

/// A way to compute a graph that has been made ready to run.
class Plan {
 public:
  /// Empty where the engine refuses the graph after all, or wants more workspace than allowed.
  [[nodiscard]] static std::optional<Plan> make(const Target& target, Descriptor configuration,
                                                std::uint64_t most_workspace);
  [[nodiscard]] const Descriptor& descriptor() const { return plan_; }
  [[nodiscard]] std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  [[nodiscard]] std::int64_t engine() const { return engine_; }      ///< cuDNN's number of it; -1: it does not say
  [[nodiscard]] const std::string& knobs() const { return knobs_; }  ///< "2=5,14=3": type=value

 private:
  Plan(Descriptor configuration, Descriptor plan);
  Descriptor configuration_, plan_;
  std::uint64_t workspace_bytes_ = 0;
  std::int64_t engine_ = -1;
  std::string knobs_;
};

/// Configurations of engines for a graph, best first: what the heuristic of mode A says, then the fallback's, which are
/// slower and can always be used.
[[nodiscard]] std::vector<Descriptor> configurations(const Target& target, const OperationGraph& graph);

/// Where the tensors of a graph lie.
struct Place {
  std::int64_t id = 0;
  const void* at = nullptr;
};

/// A plan with the memory that it works on.
class Execution {
 public:
  /// `plan` and all memory outlive it. `workspace`: of the plan's workspace_bytes().
  Execution(const Plan& plan, std::span<const Place> places, void* workspace);
  /// Gives the work to the handle's stream.
  void run(const Handle& handle) const {
    check(cudnnBackendExecute(handle.get(), plan_->descriptor().get(), pack_.get()), "cudnnBackendExecute");
  }

 private:
  const Plan* plan_;
  Descriptor pack_{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR};
};

}  // namespace busbar::cudnn
