// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/stream.hpp"

namespace busbar::cuda {

Stream::Stream(bool urgent) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t made = nullptr;
  check(cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, urgent ? greatest : least),
        "cudaStreamCreateWithPriority");
  stream_.reset(made);
}

bool Stream::passed() const {
  const cudaError_t state = cudaStreamQuery(handle());
  if (state == cudaErrorNotReady) return false;
  check(state, "cudaStreamQuery");
  return true;
}

Event::Event(Kind kind) {
  cudaEvent_t made = nullptr;
  check(cudaEventCreateWithFlags(&made, kind == Kind::timed ? cudaEventDefault : cudaEventDisableTiming),
        "cudaEventCreateWithFlags");
  event_.reset(made);
}

bool Event::passed() const {
  const cudaError_t state = cudaEventQuery(handle());
  if (state == cudaErrorNotReady) return false;
  check(state, "cudaEventQuery");
  return true;
}

double seconds_between(const Event& begin, const Event& end) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.handle(), end.handle()), "cudaEventElapsedTime");
  return static_cast<double>(ms) * 1e-3;
}

Graph::Graph(cudaGraph_t captured) {
  const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, detail::DestroyGraph> owned(captured);
  cudaGraphExec_t made = nullptr;
  check(cudaGraphInstantiate(&made, captured, 0), "cudaGraphInstantiate");
  graph_.reset(made);
}

}  // namespace busbar::cuda
