// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

#include "core/cuda/check.hpp"

/// RAII types for streams, events and graphs. Each belongs to the device that was current at its construction.
namespace busbar::cuda {

namespace detail {
struct DestroyStream {
  void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct DestroyEvent {
  void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
struct DestroyGraph {
  void operator()(cudaGraph_t g) const { cudaGraphDestroy(g); }
};
struct DestroyGraphExec {
  void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); }
};
}  // namespace detail

/// A queue of work on a device. Does not synchronise with the default stream.
class Stream {
 public:
  /// `urgent`: highest priority; the device prefers its work to that of other streams.
  explicit Stream(bool urgent = false);
  [[nodiscard]] cudaStream_t handle() const { return stream_.get(); }
  /// True when all enqueued work is done. Throws Error for earlier failures on the device.
  [[nodiscard]] bool passed() const;
  /// Waits until all enqueued work is done. Throws Error for earlier failures on the device.
  void wait() const { check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize"); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, detail::DestroyStream> stream_;
};

/// A marker in a stream.
class Event {
 public:
  enum class Kind {
    order,  ///< for ordering streams
    timed,  ///< also for elapsed times
  };
  explicit Event(Kind kind = Kind::order);
  [[nodiscard]] cudaEvent_t handle() const { return event_.get(); }
  void record(const Stream& on) const { check(cudaEventRecord(handle(), on.handle()), "cudaEventRecord"); }
  /// As record(), but also works during capture: each launch of the graph records the event again, so its time can be
  /// read (cudaEventRecordExternal).
  void record_in_graph(const Stream& on) const {
    check(cudaEventRecordWithFlags(handle(), on.handle(), cudaEventRecordExternal), "cudaEventRecordWithFlags");
  }
  /// Later work in `stream` waits for this event.
  void hold(const Stream& stream) const {
    check(cudaStreamWaitEvent(stream.handle(), handle(), 0), "cudaStreamWaitEvent");
  }
  void wait() const { check(cudaEventSynchronize(handle()), "cudaEventSynchronize"); }
  /// True when the stream has reached it.
  [[nodiscard]] bool passed() const;

 private:
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, detail::DestroyEvent> event_;
};

/// Seconds between two timed events that have passed. Resolution: about 0.5 us (cudaEventElapsedTime).
[[nodiscard]] double seconds_between(const Event& begin, const Event& end);

/// Captured work, launched as a whole.
class Graph {
 public:
  /// Does the device setup that would otherwise delay the first launch.
  void upload(const Stream& on) const { check(cudaGraphUpload(graph_.get(), on.handle()), "cudaGraphUpload"); }
  void launch(const Stream& on) const { check(cudaGraphLaunch(graph_.get(), on.handle()), "cudaGraphLaunch"); }

 private:
  template <class Work>
  friend Graph capture(const Stream& on, Work&& work);
  explicit Graph(cudaGraph_t captured);
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, detail::DestroyGraphExec> graph_;
};

/// Captures the work that `work` enqueues on `on`, and on streams joined to it by events, as a graph; nothing runs yet.
/// Rethrows exceptions of `work` after ending the capture.
template <class Work>
Graph capture(const Stream& on, Work&& work) {
  check(cudaStreamBeginCapture(on.handle(), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  cudaGraph_t captured = nullptr;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    cudaStreamEndCapture(on.handle(), &captured);
    if (captured != nullptr) cudaGraphDestroy(captured);
    throw;
  }
  check(cudaStreamEndCapture(on.handle(), &captured), "cudaStreamEndCapture");
  return Graph(captured);
}

}  // namespace busbar::cuda
