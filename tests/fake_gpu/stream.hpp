// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

/// Streams: queues, each run by a thread of its own, or recorders while they capture.
namespace fake_gpu {

/// Work of a stream's thread. It may throw: then the process is stuck (`stick`).
using Work = std::function<void()>;
/// Called when work is handed to a stream: once at the call, or at each launch of the graph that captured it.
using Node = std::function<Work()>;

/// Set when a stream gets to it.
struct Mark {
  std::atomic<bool> done = false;
  std::chrono::steady_clock::time_point at;

  void set();
  void wait() const { done.wait(false); }
};

/// Work in the order it was handed over, run by one thread, which starts with the first and ends after `close`.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  void push(Work work);
  /// The thread ends when all that was pushed is done.
  void close();
  /// Whether all that was pushed is done.
  [[nodiscard]] bool idle() const;
  /// How much was pushed so far; `wait_for` waits until so much is done.
  [[nodiscard]] std::size_t pushed() const;
  void wait_for(std::size_t count) const;

 private:
  void run();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::size_t pushed_ = 0;
  std::atomic<std::size_t> done_ = 0;
  bool started_ = false;
  bool closed_ = false;
};

/// A graph in the making. Every stream that takes part has a frontier: the nodes its next one depends on.
struct Capture {
  struct Step {
    Node node;
    std::vector<std::size_t> after;
  };
  unsigned long long id = 0;
  std::vector<Step> steps;
  CUstream_st* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool broken = false;
};

/// A thread that polls without yielding takes the CPU from those that the device waits for: ends the process at the
/// first look in vain beyond FAKE_GPU_POLLS since the thread last called sched_yield(), which the fake has too.
void require_yields(bool passed);

/// Hands work to `stream` (null: the device's default stream), or keeps it for the graph that the stream captures.
/// \throws Failure on an unknown stream, or if the use would end a capture.
void submit(cudaStream_t stream, Node node);

/// Waits until `stream` has done all it was given. \throws Failure while it captures.
void synchronize(cudaStream_t stream);
void synchronize_device(int device);

/// \throws Failure where this is no stream.
void check(cudaStream_t stream);
[[nodiscard]] bool capturing(cudaStream_t stream);
/// For calls that a thread must not make while it captures in a mode other than relaxed.
/// \throws Failure(cudaErrorStreamCaptureUnsupported); that capture is broken from then on, as with a real device.
void forbid_while_capturing();

/// Makes work of `later` wait for all previous work of `earlier`, within a capture too.
void order(cudaStream_t earlier, cudaStream_t later);

}  // namespace fake_gpu

struct CUstream_st {
  int device = 0;
  unsigned int flags = 0;
  int priority = 0;
  std::shared_ptr<fake_gpu::Queue> queue = std::make_shared<fake_gpu::Queue>();
  std::shared_ptr<fake_gpu::Capture> capture;
  std::vector<std::size_t> frontier;

  [[nodiscard]] bool blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

struct CUevent_st {
  unsigned int flags = 0;
  std::shared_ptr<fake_gpu::Mark> mark;  ///< of the last record; null before the first
  std::shared_ptr<fake_gpu::Capture> capture;
  std::vector<std::size_t> frontier;
};

struct CUgraph_st {
  std::vector<fake_gpu::Node> nodes;
};

struct CUgraphExec_st {
  std::vector<fake_gpu::Node> nodes;
};
