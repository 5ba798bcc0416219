// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"
#include "runtime.hpp"
#include "streams.hpp"

using namespace fake_gpu;

namespace {

// Call with the registry's lock held.
std::shared_ptr<CUevent_st> find_event(cudaEvent_t event) {
  const auto found = registry().events.find(event);
  require(found != registry().events.end(), cudaErrorInvalidResourceHandle);
  return found->second;
}

// The mark of the last record; null before the first.
std::shared_ptr<Mark> mark_of(cudaEvent_t event) {
  const std::scoped_lock lock(registry().mutex);
  const auto found = find_event(event);
  if (found->capture) {
    found->capture->broken = true;
    throw Failure{cudaErrorCapturedEvent};
  }
  return found->mark;
}

void record(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  require((flags & ~static_cast<unsigned int>(cudaEventRecordExternal)) == 0);
  const std::scoped_lock lock(registry().mutex);
  const auto found = find_event(event);
  auto& on = find(stream);
  if (on.capture && flags != cudaEventRecordExternal) {
    found->capture = on.capture;
    found->frontier = on.frontier;
    return;
  }
  found->capture.reset();
  // In a graph, each launch makes a mark of its own.
  place(on, [found] {
    const auto mark = std::make_shared<Mark>();
    found->mark = mark;
    return [mark] { mark->set(); };
  });
}

void wait(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  require((flags & ~static_cast<unsigned int>(cudaEventWaitExternal)) == 0);
  const std::scoped_lock lock(registry().mutex);
  const auto found = find_event(event);
  auto& on = find(stream);
  if (found->capture && flags != cudaEventWaitExternal) {
    require(!on.capture || on.capture == found->capture, cudaErrorStreamCaptureIsolation);
    on.capture = found->capture;
    on.frontier.insert(on.frontier.end(), found->frontier.begin(), found->frontier.end());
    return;
  }
  if (on.capture && flags != cudaEventWaitExternal) {
    on.capture->broken = true;
    throw Failure{cudaErrorStreamCaptureIsolation};
  }
  if (!on.capture && (!found->mark || found->mark->done)) return;
  place(on, [found] {
    return [mark = found->mark] {
      if (mark) mark->wait();
    };
  });
}

void elapsed(float* ms, cudaEvent_t start, cudaEvent_t end) {
  require(ms != nullptr);
  const auto from = mark_of(start);
  const auto to = mark_of(end);
  {
    const std::scoped_lock lock(registry().mutex);
    const auto flags = find_event(start)->flags | find_event(end)->flags;
    require(from && to && (flags & cudaEventDisableTiming) == 0, cudaErrorInvalidResourceHandle);
  }
  require(from->done && to->done, cudaErrorNotReady);
  const auto* const wrong = fault("event_scale");
  const auto real = std::chrono::duration<double, std::milli>(to->at - from->at).count();
  *ms = static_cast<float>(wrong == nullptr ? real : real * wrong->scale);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return entry([&] {
    constexpr unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    require(event != nullptr && (flags & ~known) == 0);
    current_device();
    auto made = std::make_shared<CUevent_st>(CUevent_st{.flags = flags});
    *event = made.get();
    const std::scoped_lock lock(registry().mutex);
    registry().events[*event] = std::move(made);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return entry([&] {
    const std::scoped_lock lock(registry().mutex);
    require(registry().events.erase(event) == 1, cudaErrorInvalidResourceHandle);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return entry([&] { record(event, stream, cudaEventRecordDefault); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return entry([&] { record(event, stream, flags); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return entry([&] { wait(stream, event, flags); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return entry([&] {
    const auto mark = mark_of(event);
    const bool passed = !mark || mark->done;
    require_yields(passed);
    require(passed, cudaErrorNotReady);
    require(stuck() == cudaSuccess, stuck());
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return entry([&] {
    if (const auto mark = mark_of(event)) mark->wait();
    require(stuck() == cudaSuccess, stuck());
  });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return entry([&] { elapsed(ms, start, end); });
}

}  // extern "C"
