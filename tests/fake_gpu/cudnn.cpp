// SPDX-License-Identifier: Apache-2.0
// cuDNN's backend API, for graphs of one convolution, with sums of its output where FAKE_CUDNN_GENSTATS says so, and of
// a batch norm where FAKE_CUDNN_NORM does. Heuristics propose engine 1, which refuses every graph when a plan is
// finalised, and engine 0, which runs plain loops and wants a workspace.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "cudnn_descriptor.hpp"
#include "cudnn_norm.hpp"
#include "runtime.hpp"
#include "stream.hpp"

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace fake_gpu {
namespace {

constexpr std::int64_t workspace_bytes = 512, working_engine = 0, refusing_engine = 1;

/// Descriptors by the pointers that callers hold.
struct Descriptors {
  std::mutex mutex;
  std::map<void*, std::shared_ptr<DnnDescriptor>> all;
};
Descriptors& descriptors() {
  static Descriptors made;
  return made;
}

std::shared_ptr<DnnDescriptor> find(void* handle) {
  const std::scoped_lock lock(descriptors().mutex);
  const auto found = descriptors().all.find(handle);
  require_dnn(found != descriptors().all.end());
  return found->second;
}

std::string& last_words() {
  static thread_local std::string text;
  return text;
}

template <class Body>
cudnnStatus_t answer(const char* call, Body body) noexcept {
  try {
    body();
    return CUDNN_STATUS_SUCCESS;
  } catch (const Refusal& refusal) {
    last_words() = std::string("fake ") + call + " refuses";
    return refusal.code;
  } catch (const Failure&) {
    last_words() = std::string("fake ") + call + ": a CUDA call failed";
    return CUDNN_STATUS_EXECUTION_FAILED_CUDART;
  } catch (const std::bad_alloc&) {
    return CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
  }
}

bool of_norm(const DnnDescriptor& graph) {
  const auto& operations = graph.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).of;
  return std::ranges::any_of(operations, [](const auto& operation) {
    return operation->type == CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR ||
           operation->type == CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR;
  });
}

/// \throws Refusal where no engine computes it.
void require_known(const DnnDescriptor& graph) {
  if (of_norm(graph))
    static_cast<void>(norm_program_of(graph));
  else
    static_cast<void>(convolution_of(graph));
}

/// Engines in the order of a heuristic's advice.
std::vector<std::int64_t> advised(const DnnDescriptor& heuristic) {
  const auto mode = heuristic.one<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE);
  if (mode == CUDNN_HEUR_MODE_FALLBACK) return {working_engine};
  return {refusing_engine, working_engine};
}

void finalise(DnnDescriptor& d) {
  check(d);
  if (d.type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR) require_known(d.child(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH));
  if (d.type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
    require_dnn(d.child(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).engine == working_engine, CUDNN_STATUS_NOT_SUPPORTED);
  d.finalised = true;
}

void set(DnnDescriptor& d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
         const void* values) {
  require_dnn(!d.finalised && count > 0 && values != nullptr);
  require_dnn(belongs(d.type, name, type), CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE);
  DnnDescriptor::Attribute a{.type = type, .count = count, .bytes = {}, .of = {}};
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    for (std::int64_t i = 0; i < count; ++i) a.of.push_back(find(static_cast<void* const*>(values)[i]));
  } else {
    a.bytes.resize(static_cast<std::size_t>(count) * size_of(type));
    std::memcpy(a.bytes.data(), values, a.bytes.size());
  }
  d.attributes[name] = std::move(a);
}

/// Values that only the library knows; empty: this is none of them.
std::vector<std::int64_t> told(const DnnDescriptor& d, cudnnBackendAttributeName_t name) {
  if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) return {workspace_bytes};
  if (name == CUDNN_ATTR_ENGINE_GLOBAL_INDEX) return {d.engine};
  if (name == CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE) return {d.engine + 7};
  return {};
}

/// Descriptors that the library fills: engines with their configuration.
std::vector<std::int64_t> engines_of(const DnnDescriptor& d, cudnnBackendAttributeName_t name) {
  if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) return advised(d);
  require_dnn(name == CUDNN_ATTR_ENGINECFG_ENGINE || name == CUDNN_ATTR_ENGINECFG_KNOB_CHOICES);
  return {d.engine};
}

void get_descriptors(const DnnDescriptor& d, cudnnBackendAttributeName_t name, std::int64_t wanted, std::int64_t* held,
                     void* to) {
  const auto engines = engines_of(d, name);
  *held = static_cast<std::int64_t>(engines.size());
  if (wanted == 0) return;
  require_dnn(to != nullptr);
  *held = std::min(wanted, *held);
  for (std::int64_t i = 0; i < *held; ++i) {
    const auto filled = find(static_cast<void* const*>(to)[i]);
    filled->engine = engines[static_cast<std::size_t>(i)];
    filled->finalised = true;
    if (d.has(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH)) filled->attributes = d.attributes;
  }
}

void get(const DnnDescriptor& d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
         std::int64_t wanted, std::int64_t* held, void* to) {
  require_dnn(d.finalised && held != nullptr, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) return get_descriptors(d, name, wanted, held, to);
  require_dnn(wanted >= 1 && to != nullptr);
  *held = 1;
  if (type == CUDNN_TYPE_KNOB_TYPE) {
    require_dnn(name == CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE);
    const cudnnBackendKnobType_t knob = CUDNN_KNOB_TYPE_TILE_SIZE;
    std::memcpy(to, &knob, sizeof knob);
    return;
  }
  const auto values = told(d, name);
  require_dnn(type == CUDNN_TYPE_INT64 && values.size() == 1);
  std::memcpy(to, values.data(), sizeof(std::int64_t));
}

/// The pointer to a tensor; it has to lie on the device, whole, or on the host where it is given by value.
void* pointer_to(const TensorView& tensor, const DnnDescriptor& pack) {
  const auto ids = pack.all<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = pack.all<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  require_dnn(ids.size() == pointers.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != tensor.id) continue;
    require_dnn(pointers[i] != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER);
    require_dnn(reinterpret_cast<std::uintptr_t>(pointers[i]) % static_cast<std::uintptr_t>(tensor.alignment) == 0,
                CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER);
    require_dnn((memory_of(pointers[i], tensor.bytes()) == Memory::device) != tensor.by_value);
    return pointers[i];
  }
  throw Refusal{CUDNN_STATUS_BAD_PARAM};
}

/// The workspace must be zero, to detect plans that need zeroing but got none.
void execute_norm(cudnnHandle_t handle, const DnnDescriptor& graph, const DnnDescriptor& pack, void* workspace) {
  const NormProgram program = norm_program_of(graph);
  const auto pointers = pointers_of(program, [&](const TensorView& t) { return pointer_to(t, pack); });
  require_dnn(pack.at(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).count == static_cast<std::int64_t>(pointers.size()));
  submit(handle->stream, [=] {
    return [=] {
      const auto* const bytes = static_cast<const unsigned char*>(workspace);
      if (std::all_of(bytes, bytes + workspace_bytes, [](unsigned char b) { return b == 0; }))
        run_norm(program, pointers);
    };
  });
}

void execute(cudnnHandle_t handle, const DnnDescriptor& plan, const DnnDescriptor& pack) {
  require_dnn(handle != nullptr && plan.finalised && pack.finalised, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
  const DnnDescriptor& configuration = plan.child(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  const DnnDescriptor& graph = configuration.child(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
  auto* const workspace = pack.one<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  require_dnn(memory_of(workspace, workspace_bytes) == Memory::device);
  if (of_norm(graph)) return execute_norm(handle, graph, pack, workspace);
  const ConvolutionCall call = convolution_of(graph);
  void *const x = pointer_to(call.input, pack), *const w = pointer_to(call.weights, pack),
              *const y = pointer_to(call.output, pack);
  const auto pointer_if_any = [&](const auto& tensor) { return tensor ? pointer_to(*tensor, pack) : nullptr; };
  void *const sum = pointer_if_any(call.sum), *const squares = pointer_if_any(call.squares);
  submit(handle->stream, [=] {
    return [=] {
      std::memset(workspace, 0xAB, workspace_bytes);
      convolve(call, x, w, y, sum, squares);
    };
  });
}

}  // namespace
}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

size_t cudnnGetVersion() { return CUDNN_VERSION; }

const char* cudnnGetErrorString(cudnnStatus_t status) {
  static thread_local char text[64];
  std::snprintf(text, sizeof text, "cuDNN status %d", static_cast<int>(status));
  return text;
}

void cudnnGetLastErrorString(char* message, size_t most) {
  if (most == 0) return;
  std::strncpy(message, last_words().c_str(), most - 1);
  message[most - 1] = '\0';
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return answer("cudnnCreate", [&] { *handle = new cudnnContext; });
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  return answer("cudnnSetStream", [&] {
    require_dnn(handle != nullptr);
    handle->stream = stream;
  });
}
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  return answer("cudnnGetStream", [&] {
    require_dnn(handle != nullptr && stream != nullptr);
    *stream = handle->stream;
  });
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
  return answer("cudnnBackendCreateDescriptor", [&] {
    require_dnn(descriptor != nullptr);
    auto made = std::make_shared<DnnDescriptor>();
    made->type = type;
    *descriptor = made.get();
    const std::scoped_lock lock(descriptors().mutex);
    descriptors().all[made.get()] = made;
  });
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return answer("cudnnBackendDestroyDescriptor", [&] {
    const std::scoped_lock lock(descriptors().mutex);
    require_dnn(descriptors().all.erase(descriptor) == 1);
  });
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  return answer("cudnnBackendFinalize", [&] { finalise(*fake_gpu::find(descriptor)); });
}
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count, const void* values) {
  return answer("cudnnBackendSetAttribute", [&] { set(*fake_gpu::find(descriptor), name, type, count, values); });
}
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t wanted, int64_t* held, void* values) {
  return answer("cudnnBackendGetAttribute",
                [&] { get(*fake_gpu::find(descriptor), name, type, wanted, held, values); });
}
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack) {
  return answer("cudnnBackendExecute", [&] { execute(handle, *fake_gpu::find(plan), *fake_gpu::find(pack)); });
}

}  // extern "C"
