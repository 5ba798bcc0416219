// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

#include "core/cuda/check.hpp"

/// Streams, events and graphs that are freed by who holds them. All belong to the device that was current when they
/// were made.
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

/// A queue of work on a device. It does not wait for the default stream.
class Stream {
 public:
  /// `urgent`: its work comes before that of other streams where the device has a choice.
  explicit Stream(bool urgent = false);
  [[nodiscard]] cudaStream_t handle() const { return stream_.get(); }
  /// True when all that was given to it is done. Throws Error for what went wrong on the device since.
  [[nodiscard]] bool passed() const;
  /// Returns when all that was given to it is done. Throws Error for what went wrong on the device since.
  void wait() const { check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize"); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, detail::DestroyStream> stream_;
};

/// A mark in a stream.
class Event {
 public:
  enum class Kind {
    order,  ///< for streams that wait for each other
    timed,  ///< for elapsed times too
  };
  explicit Event(Kind kind = Kind::order);
  [[nodiscard]] cudaEvent_t handle() const { return event_.get(); }
  void record(const Stream& on) const { check(cudaEventRecord(handle(), on.handle()), "cudaEventRecord"); }
  /// As record(), and where the stream is being captured, so that each launch of the graph sets it anew and its time
  /// can be read (cudaEventRecordExternal).
  void record_in_graph(const Stream& on) const {
    check(cudaEventRecordWithFlags(handle(), on.handle(), cudaEventRecordExternal), "cudaEventRecordWithFlags");
  }
  /// What comes later in `stream` waits for this mark.
  void hold(const Stream& stream) const {
    check(cudaStreamWaitEvent(stream.handle(), handle(), 0), "cudaStreamWaitEvent");
  }
  void wait() const { check(cudaEventSynchronize(handle()), "cudaEventSynchronize"); }
  /// True when the stream has got to it.
  [[nodiscard]] bool passed() const;

 private:
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, detail::DestroyEvent> event_;
};

/// Seconds between two timed events that have passed, to about half a microsecond (cudaEventElapsedTime).
[[nodiscard]] double seconds_between(const Event& begin, const Event& end);

/// Work that is launched as a whole.
class Graph {
 public:
  /// Makes ready on the device what the first launch would otherwise make ready.
  void upload(const Stream& on) const { check(cudaGraphUpload(graph_.get(), on.handle()), "cudaGraphUpload"); }
  void launch(const Stream& on) const { check(cudaGraphLaunch(graph_.get(), on.handle()), "cudaGraphLaunch"); }

 private:
  template <class Work>
  friend Graph capture(const Stream& on, Work&& work);
  explicit Graph(cudaGraph_t captured);
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, detail::DestroyGraphExec> graph_;
};

/// What `work` gives to `on`, and to streams that it makes wait for `on` and `on` for them, as a graph; nothing of it
/// runs now. Throws what `work` throws; the stream captures no longer then.
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
