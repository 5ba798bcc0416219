// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/graph_api.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::cudnn {
namespace {

constexpr std::int64_t alignment = 16;  ///< minimum alignment of tensors in bytes: 8 channels of 16 bits

bool out_of_memory(cudnnStatus_t code) {
  return code == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
         code == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
}

std::string knobs_of(const Descriptor& configuration) {
  std::string text;
  for (const Descriptor& choice : configuration.ask_all(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                                        CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
    const auto type = choice.ask<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE);
    const auto value = choice.ask<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE);
    if (type && value) text += fmt::format("{}{}={}", text.empty() ? "" : ",", static_cast<int>(*type), *value);
  }
  return text;
}

std::vector<Descriptor> advised(const Target& target, const OperationGraph& graph, cudnnBackendHeurMode_t mode) {
  Descriptor heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.descriptor()).set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
  target.set_in_heuristic(heuristic);
  if (!heuristic.offered()) return {};
  return heuristic.ask_all(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                           heuristic.count(CUDNN_ATTR_ENGINEHEUR_RESULTS));
}

}  // namespace

std::string last_words() {
  std::array<char, 1024> text{};
  cudnnGetLastErrorString(text.data(), text.size() - 1);
  std::string line = text.data();
  std::ranges::replace(line, '\n', ' ');
  return line;
}

void throw_error(cudnnStatus_t code, std::string_view what) {
  if (out_of_memory(code)) throw std::bad_alloc();
  const std::string last = last_words();
  throw Error(fmt::format("{}: {}{}{}", what, cudnnGetErrorString(code), last.empty() ? "" : ": ", last));
}

Handle::Handle(const cuda::Stream& on) {
  cudnnHandle_t made = nullptr;
  check(cudnnCreate(&made), "cudnnCreate");
  handle_.reset(made);
  check(cudnnSetStream(made, on.handle()), "cudnnSetStream");
}

void Handle::set_in_graph(Descriptor& graph) const { graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, get()); }
void Handle::set_in_plan(Descriptor& plan) const { plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, get()); }

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t made = nullptr;
  check(cudnnBackendCreateDescriptor(type, &made), "cudnnBackendCreateDescriptor");
  descriptor_.reset(made);
}

void Descriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count,
                     const void* values) {
  if (const auto code = cudnnBackendSetAttribute(get(), name, type, static_cast<std::int64_t>(count), values);
      code != CUDNN_STATUS_SUCCESS)
    throw_error(code, fmt::format("cudnnBackendSetAttribute {}", static_cast<int>(name)));
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
  const std::array<const Descriptor*, 1> one{&value};
  return set_all(name, one);
}

Descriptor& Descriptor::set_all(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values) {
  std::vector<cudnnBackendDescriptor_t> all;
  for (const Descriptor* d : values) all.push_back(d->get());
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, all.size(), all.data());
  return *this;
}

Descriptor& Descriptor::finalize(std::string_view what) {
  if (const auto code = cudnnBackendFinalize(get()); code != CUDNN_STATUS_SUCCESS)
    throw_error(code, fmt::format("cuDNN does not take {}", what));
  return *this;
}

bool Descriptor::offered() {
  const cudnnStatus_t code = cudnnBackendFinalize(get());
  if (code == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED) throw std::bad_alloc();
  return code == CUDNN_STATUS_SUCCESS;
}

std::int64_t Descriptor::count(cudnnBackendAttributeName_t name) const {
  std::int64_t held = 0;
  check(cudnnBackendGetAttribute(get(), name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &held, nullptr),
        "cudnnBackendGetAttribute");
  return held;
}

std::vector<Descriptor> Descriptor::ask_all(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                            std::int64_t most) const {
  std::vector<Descriptor> made;
  std::vector<cudnnBackendDescriptor_t> to;
  for (std::int64_t i = 0; i < most; ++i) to.push_back(made.emplace_back(type).get());
  std::int64_t held = 0;
  const cudnnStatus_t code =
      cudnnBackendGetAttribute(get(), name, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, &held, to.data());
  if (code != CUDNN_STATUS_SUCCESS) held = 0;
  while (static_cast<std::int64_t>(made.size()) > held) made.pop_back();
  return made;
}

Descriptor descriptor_of(const Tensor& t) {
  const auto [n, c, h, w] = t.dims;
  const std::array<std::int64_t, 4> strides{h * w * c, 1, w * c, c};
  Descriptor d(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  d.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, t.id)
      .set(CUDNN_ATTR_TENSOR_DATA_TYPE, t.type)
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(t.dims))
      .set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(strides));
  if (t.is_virtual) d.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, true);
  if (t.by_value) d.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, true);
  d.finalize(fmt::format("a tensor of {} x {} x {} x {}", n, c, h, w));
  return d;
}

OperationGraph::OperationGraph(const Target& target, std::vector<Descriptor> parts, std::vector<Descriptor> operations)
    : parts_(std::move(parts)), operations_(std::move(operations)) {
  std::vector<const Descriptor*> all;
  for (const Descriptor& d : operations_) all.push_back(&d);
  target.set_in_graph(graph_);
  graph_.set_all(CUDNN_ATTR_OPERATIONGRAPH_OPS, all).finalize("a graph of operations");
}

std::vector<Descriptor> configurations(const Target& target, const OperationGraph& graph) {
  std::vector<Descriptor> all = advised(target, graph, CUDNN_HEUR_MODE_A);
  for (Descriptor& d : advised(target, graph, CUDNN_HEUR_MODE_FALLBACK)) all.push_back(std::move(d));
  return all;
}

Plan::Plan(Descriptor configuration, Descriptor plan)
    : configuration_(std::move(configuration)), plan_(std::move(plan)) {
  workspace_bytes_ =
      static_cast<std::uint64_t>(plan_.ask<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE).value_or(0));
  const auto engines = configuration_.ask_all(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
  if (!engines.empty()) engine_ = engines.front().ask<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX).value_or(-1);
  knobs_ = knobs_of(configuration_);
}

std::optional<Plan> Plan::make(const Target& target, Descriptor configuration, std::uint64_t most_workspace) {
  Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  target.set_in_plan(plan);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  if (!plan.offered()) return std::nullopt;
  Plan made(std::move(configuration), std::move(plan));
  if (made.workspace_bytes() > most_workspace) return std::nullopt;
  return made;
}

Execution::Execution(const Plan& plan, std::span<const Place> places, void* workspace) : plan_(&plan) {
  std::vector<std::int64_t> ids;
  std::vector<void*> pointers;
  for (const Place& p : places) {
    ids.push_back(p.id);
    pointers.push_back(const_cast<void*>(p.at));  // cuDNN knows from the operations which ones it writes
  }
  pack_.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<const std::int64_t>(ids))
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::span<void* const>(pointers))
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace)
      .finalize("pointers to tensors");
}

}  // namespace busbar::cudnn
