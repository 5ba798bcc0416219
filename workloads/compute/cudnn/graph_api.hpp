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

/// RAII wrappers of cuDNN's graph API (NVIDIA cuDNN backend API, "Graph API" in the developer guide). A descriptor is
/// set, then finalised, and read-only from then on.
namespace busbar::cudnn {

/// cuDNN's message for the last failed call on this thread; empty if there is none.
[[nodiscard]] std::string last_words();
/// Throws an Error with cuDNN's own message; std::bad_alloc if memory runs out.
[[noreturn]] void throw_error(cudnnStatus_t code, std::string_view what);
inline void check(cudnnStatus_t code, std::string_view what) {
  if (code != CUDNN_STATUS_SUCCESS) [[unlikely]]
    throw_error(code, what);
}

class Descriptor;

/// The device that plans are made for. Each method sets it in a descriptor that is not finalised yet.
class Target {
 public:
  virtual ~Target() = default;
  virtual void set_in_graph(Descriptor& graph) const = 0;
  virtual void set_in_heuristic(Descriptor& heuristic) const = 0;
  virtual void set_in_plan(Descriptor& plan) const = 0;
};

/// cuDNN on the current device; submits its work to one stream.
class Handle : public Target {
 public:
  explicit Handle(const cuda::Stream& on);
  [[nodiscard]] cudnnHandle_t get() const { return handle_.get(); }
  void set_in_graph(Descriptor& graph) const override;
  void set_in_heuristic(Descriptor&) const override {}  // taken from the graph
  void set_in_plan(Descriptor& plan) const override;

 private:
  struct Destroy {
    void operator()(cudnnHandle_t h) const { cudnnDestroy(h); }
  };
  std::unique_ptr<std::remove_pointer_t<cudnnHandle_t>, Destroy> handle_;
};

namespace detail {
using Type = cudnnBackendAttributeType_t;
/// cuDNN's name of the type of an attribute's values. Other types do not compile.
constexpr Type type_of(void* const*) { return CUDNN_TYPE_VOID_PTR; }
constexpr Type type_of(const std::int64_t*) { return CUDNN_TYPE_INT64; }
constexpr Type type_of(const float*) { return CUDNN_TYPE_FLOAT; }
constexpr Type type_of(const bool*) { return CUDNN_TYPE_BOOLEAN; }
constexpr Type type_of(const char*) { return CUDNN_TYPE_CHAR; }
constexpr Type type_of(const cudnnHandle_t*) { return CUDNN_TYPE_HANDLE; }
constexpr Type type_of(const cudnnDataType_t*) { return CUDNN_TYPE_DATA_TYPE; }
constexpr Type type_of(const cudnnConvolutionMode_t*) { return CUDNN_TYPE_CONVOLUTION_MODE; }
constexpr Type type_of(const cudnnBackendHeurMode_t*) { return CUDNN_TYPE_HEUR_MODE; }
constexpr Type type_of(const cudnnBackendKnobType_t*) { return CUDNN_TYPE_KNOB_TYPE; }
constexpr Type type_of(const cudnnBackendNormMode_t*) { return CUDNN_TYPE_NORM_MODE; }
constexpr Type type_of(const cudnnBackendNormFwdPhase_t*) { return CUDNN_TYPE_NORM_FWD_PHASE; }
constexpr Type type_of(const cudnnPointwiseMode_t*) { return CUDNN_TYPE_POINTWISE_MODE; }
constexpr Type type_of(const cudnnGenStatsMode_t*) { return CUDNN_TYPE_GENSTATS_MODE; }
}  // namespace detail

class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

  /// For types that cuDNN names and for data pointers (void*). Descriptors have their own overloads.
  template <class T>
  Descriptor& set(cudnnBackendAttributeName_t name, std::span<const T> values) {
    set(name, detail::type_of(values.data()), values.size(), values.data());
    return *this;
  }
  template <class T>
    requires(!std::same_as<T, Descriptor>)
  Descriptor& set(cudnnBackendAttributeName_t name, const T& value) {
    return set(name, std::span<const T>(&value, 1));
  }
  Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& value);
  Descriptor& set_all(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values);

  /// Throws Error with `what` in the message.
  Descriptor& finalize(std::string_view what);
  /// Finalises and returns whether cuDNN accepts the descriptor; it rejects what it cannot compute here. Throws
  /// std::bad_alloc if the host runs out of memory.
  [[nodiscard]] bool offered();

  /// Returns one value; empty if the descriptor has none.
  template <class T>
  [[nodiscard]] std::optional<T> ask(cudnnBackendAttributeName_t name) const {
    T value{};
    std::int64_t count = 0;
    if (cudnnBackendGetAttribute(get(), name, detail::type_of(&value), 1, &count, &value) != CUDNN_STATUS_SUCCESS ||
        count != 1)
      return std::nullopt;
    return value;
  }
  /// Returns up to `most` descriptors of one type; none if the query fails.
  [[nodiscard]] std::vector<Descriptor> ask_all(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                                std::int64_t most) const;
  /// Number of values of an attribute.
  [[nodiscard]] std::int64_t count(cudnnBackendAttributeName_t name) const;

 private:
  struct Destroy {
    void operator()(void* d) const { cudnnBackendDestroyDescriptor(d); }
  };
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count, const void* values);
  std::unique_ptr<void, Destroy> descriptor_;
};

/// Four dimensions: (images, channels, rows, columns) or (outputs, inputs, rows, columns). Channels are adjacent in
/// memory: NHWC, KRSC.
struct Tensor {
  std::int64_t id = 0;  ///< key that binds a plan's operands to memory
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;
  std::array<std::int64_t, 4> dims{};
  bool is_virtual = false;  ///< has no memory: an intermediate between operations of a graph
  bool by_value = false;    ///< in host memory, read at execution
};
[[nodiscard]] Descriptor descriptor_of(const Tensor& tensor);

/// Operations to be computed together; owns their descriptors.
class OperationGraph {
 public:
  OperationGraph(const Target& target, std::vector<Descriptor> parts, std::vector<Descriptor> operations);
  [[nodiscard]] const Descriptor& descriptor() const { return graph_; }

 private:
  std::vector<Descriptor> parts_, operations_;
  Descriptor graph_{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
};

/// A finalised execution plan: one engine configuration for a graph.
class Plan {
 public:
  /// Returns nothing if the engine rejects the graph or needs more workspace than allowed.
  [[nodiscard]] static std::optional<Plan> make(const Target& target, Descriptor configuration,
                                                std::uint64_t most_workspace);
  [[nodiscard]] const Descriptor& descriptor() const { return plan_; }
  [[nodiscard]] std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  [[nodiscard]] std::int64_t engine() const { return engine_; }      ///< cuDNN's engine number; -1: unknown
  [[nodiscard]] const std::string& knobs() const { return knobs_; }  ///< "2=5,14=3": type=value

 private:
  Plan(Descriptor configuration, Descriptor plan);
  Descriptor configuration_, plan_;
  std::uint64_t workspace_bytes_ = 0;
  std::int64_t engine_ = -1;
  std::string knobs_;
};

/// Engine configurations for a graph, best first: those of heuristic mode A, then the fallback's, which are slower but
/// always work.
[[nodiscard]] std::vector<Descriptor> configurations(const Target& target, const OperationGraph& graph);

/// Address of one of a graph's tensors.
struct Place {
  std::int64_t id = 0;
  const void* at = nullptr;
};

/// A plan bound to its memory.
class Execution {
 public:
  /// `plan` and all memory must outlive it. `workspace` has the plan's workspace_bytes().
  Execution(const Plan& plan, std::span<const Place> places, void* workspace);
  /// Submits the plan to the handle's stream.
  void run(const Handle& handle) const {
    check(cudnnBackendExecute(handle.get(), plan_->descriptor().get(), pack_.get()), "cudnnBackendExecute");
  }

 private:
  const Plan* plan_;
  Descriptor pack_{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR};
};

}  // namespace busbar::cudnn
