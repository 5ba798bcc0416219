// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "faults.hpp"
#include "runtime.hpp"
#include "streams.hpp"

namespace fake_gpu {
namespace {

thread_local std::shared_ptr<Capture> begun_here;
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

// Whether each step comes before what `frontier` holds: whether all streams that took part were joined.
bool joined(const Capture& capture, const std::vector<std::size_t>& frontier) {
  std::vector<bool> seen(capture.steps.size(), false);
  for (const auto index : frontier) seen[index] = true;
  for (std::size_t i = capture.steps.size(); i-- > 0;)
    if (seen[i])
      for (const auto index : capture.steps[i].after) seen[index] = true;
  return std::ranges::all_of(seen, [](bool each) { return each; });
}

void begin(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const std::scoped_lock lock(registry().mutex);
  auto& found = find(stream);
  require(stream != nullptr && stream != cudaStreamLegacy, cudaErrorStreamCaptureUnsupported);
  require(!found.capture, cudaErrorIllegalState);
  found.capture = std::make_shared<Capture>(Capture{.id = ++registry().captures, .origin = &found, .mode = mode});
  found.frontier.clear();
  begun_here = found.capture;
}

void end(cudaStream_t stream, cudaGraph_t* graph) {
  require(graph != nullptr);
  *graph = nullptr;
  const std::scoped_lock lock(registry().mutex);
  auto& found = find(stream);
  const auto capture = found.capture;
  require(capture != nullptr, cudaErrorIllegalState);
  require(capture->origin == &found, cudaErrorStreamCaptureUnmatched);
  require(capture->mode == cudaStreamCaptureModeRelaxed || begun_here == capture, cudaErrorStreamCaptureWrongThread);
  if (begun_here == capture) begun_here.reset();
  const bool whole = joined(*capture, found.frontier);
  for (const auto& [handle, each] : registry().streams)
    if (each->capture == capture) {
      each->capture.reset();
      each->frontier.clear();
    }
  require(!capture->broken && fault("no_capture") == nullptr, cudaErrorStreamCaptureInvalidated);
  require(whole, cudaErrorStreamCaptureUnjoined);
  *graph = new CUgraph_st;
  for (auto& step : capture->steps) (*graph)->nodes.push_back(std::move(step.node));
}

// One after another, in the order of capture, which is one of the orders the graph allows.
void launch(cudaGraphExec_t graph, cudaStream_t stream) {
  require(graph != nullptr);
  for (const auto& node : graph->nodes) submit(stream, node);
}

}  // namespace

bool capturing(cudaStream_t stream) {
  const std::scoped_lock lock(registry().mutex);
  return find(stream).capture != nullptr;
}

void forbid_while_capturing() {
  const std::scoped_lock lock(registry().mutex);
  if (begun_here == nullptr || mode_of_thread == cudaStreamCaptureModeRelaxed) return;
  if (begun_here->mode == cudaStreamCaptureModeRelaxed) return;
  begun_here->broken = true;
  throw Failure{cudaErrorStreamCaptureUnsupported};
}

}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return entry([&] { begin(stream, mode); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return entry([&] { end(stream, graph); });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return entry([&] {
    require(mode != nullptr);
    std::swap(*mode, mode_of_thread);
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return entry([&] {
    require(status != nullptr);
    require(graph == nullptr && dependencies == nullptr && edges == nullptr, cudaErrorNotSupported);
    const std::scoped_lock lock(registry().mutex);
    const auto& found = find(stream);
    *status = cudaStreamCaptureStatusNone;
    if (!found.capture) return;
    *status = found.capture->broken ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    if (id != nullptr) *id = found.capture->id;
    if (count != nullptr) *count = found.frontier.size();
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return entry([&] {
    require(graph != nullptr && count != nullptr);
    require(nodes == nullptr, cudaErrorNotSupported);
    *count = graph->nodes.size();
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  return entry([&] {
    require(made != nullptr && graph != nullptr);
    *made = new CUgraphExec_st{graph->nodes};
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(made, graph, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) {
  return entry([&] {
    require(graph != nullptr);
    check(stream);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return entry([&] { launch(graph, stream); });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return entry([&] {
    require(graph != nullptr);
    delete graph;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  return entry([&] {
    require(graph != nullptr);
    delete graph;
  });
}

}  // extern "C"
