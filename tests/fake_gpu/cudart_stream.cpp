// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <thread>

#include <cuda.h>

#include "runtime.hpp"
#include "streams.hpp"

namespace fake_gpu {
namespace {

constexpr int lowest_priority = 0;
constexpr int greatest_priority = -5;

CUstream_st& default_stream(int device) {
  auto& stream = registry().default_streams[device];
  if (!stream) stream = std::make_unique<CUstream_st>(CUstream_st{.device = device});
  return *stream;
}

void wait_for_all_of(CUstream_st& later, const CUstream_st& earlier) {
  if (earlier.queue->idle()) return;
  later.queue->push([queue = earlier.queue, count = earlier.queue->pushed()] { queue->wait_for(count); });
}

// The default stream waits for all streams that heed it, and they for it.
void heed_default_stream(CUstream_st& stream) {
  if (!stream.blocking()) return;
  auto& first = default_stream(stream.device);
  if (&stream != &first) return wait_for_all_of(stream, first);
  for (const auto& [handle, other] : registry().streams)
    if (other->blocking() && other->device == stream.device) {
      if (other->capture) {
        other->capture->broken = true;
        throw Failure{cudaErrorStreamCaptureImplicit};
      }
      wait_for_all_of(stream, *other);
    }
}

void create(cudaStream_t* stream, unsigned int flags, int priority) {
  require(stream != nullptr && (flags & ~static_cast<unsigned int>(cudaStreamNonBlocking)) == 0);
  auto made =
      std::make_unique<CUstream_st>(CUstream_st{.device = current_device(),
                                                .flags = flags,
                                                .priority = std::clamp(priority, greatest_priority, lowest_priority)});
  *stream = made.get();
  const std::scoped_lock lock(registry().mutex);
  registry().streams[*stream] = std::move(made);
}

}  // namespace

Registry& registry() {
  static auto* const all = new Registry;  // never ended: stream threads outlive main
  return *all;
}

CUstream_st& find(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return default_stream(current_device());
  const auto found = registry().streams.find(stream);
  require(found != registry().streams.end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

void place(CUstream_st& stream, Node node) {
  if (!stream.capture) {
    heed_default_stream(stream);
    stream.queue->push(node());
    return;
  }
  require(!stream.capture->broken, cudaErrorStreamCaptureInvalidated);
  auto& steps = stream.capture->steps;
  steps.push_back({.node = std::move(node), .after = stream.frontier});
  stream.frontier = {steps.size() - 1};
}

void submit(cudaStream_t stream, Node node) {
  const std::scoped_lock lock(registry().mutex);
  place(find(stream), std::move(node));
}

void synchronize(cudaStream_t stream) {
  std::shared_ptr<Queue> queue;
  {
    const std::scoped_lock lock(registry().mutex);
    auto& found = find(stream);
    if (found.capture) {
      found.capture->broken = true;
      throw Failure{cudaErrorStreamCaptureUnsupported};
    }
    if (&found == &default_stream(found.device)) heed_default_stream(found);
    queue = found.queue;
  }
  queue->wait_for(queue->pushed());
  require(stuck() == cudaSuccess, stuck());
}

void synchronize_device(int device) {
  std::vector<std::shared_ptr<Queue>> queues;
  {
    const std::scoped_lock lock(registry().mutex);
    queues.push_back(default_stream(device).queue);
    for (const auto& [handle, stream] : registry().streams)
      if (stream->device == device) queues.push_back(stream->queue);
    for (const auto& [owner, queue] : registry().destroyed)
      if (owner == device) queues.push_back(queue);
  }
  for (const auto& queue : queues) queue->wait_for(queue->pushed());
  require(stuck() == cudaSuccess, stuck());
}

void check(cudaStream_t stream) {
  const std::scoped_lock lock(registry().mutex);
  find(stream);
}

void order(cudaStream_t earlier, cudaStream_t later) {
  const std::scoped_lock lock(registry().mutex);
  auto& before = find(earlier);
  auto& after = find(later);
  if (&before == &after) return;
  require(before.capture == after.capture || !after.capture, cudaErrorStreamCaptureIsolation);
  if (!before.capture) {
    const auto mark = std::make_shared<Mark>();
    place(before, [mark] { return [mark] { mark->set(); }; });
    place(after, [mark] { return [mark] { mark->wait(); }; });
    return;
  }
  after.capture = before.capture;
  after.frontier.insert(after.frontier.end(), before.frontier.begin(), before.frontier.end());
}

}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return entry([&] { create(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return entry([&] { create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return entry([&] { create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return entry([&] {
    const std::scoped_lock lock(registry().mutex);
    require(stream != nullptr, cudaErrorInvalidResourceHandle);
    const auto& found = find(stream);
    found.queue->close();
    std::erase_if(registry().destroyed, [](const auto& each) { return each.second->idle(); });
    registry().destroyed.emplace_back(found.device, found.queue);
    registry().streams.erase(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return entry([&] { synchronize(stream); });
}

cudaError_t cudaDeviceSynchronize() {
  return entry([&] {
    forbid_while_capturing();
    synchronize_device(current_device());
  });
}

// Work of the driver's: the stream waits until the value in memory is at least `value`.
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  const auto code = entry([&] {
    require(flags == CU_STREAM_WAIT_VALUE_GEQ);
    auto* const at = reinterpret_cast<std::uint32_t*>(address);  // NOLINT(performance-no-int-to-ptr)
    require(memory_of(at, sizeof *at) != Memory::pageable);
    submit(stream, [at, value] {
      return [at, value] {
        while (std::atomic_ref(*at).load() < value) std::this_thread::yield();
      };
    });
  });
  return code == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return entry([&] {
    const std::scoped_lock lock(registry().mutex);
    auto& found = find(stream);
    if (found.capture) {
      found.capture->broken = true;
      throw Failure{cudaErrorStreamCaptureUnsupported};
    }
    const bool idle = found.queue->idle();
    require_yields(idle);
    require(idle, cudaErrorNotReady);
    require(stuck() == cudaSuccess, stuck());
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return entry([&] {
    require(priority != nullptr);
    const std::scoped_lock lock(registry().mutex);
    *priority = find(stream).priority;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return entry([&] {
    require(flags != nullptr);
    const std::scoped_lock lock(registry().mutex);
    *flags = find(stream).flags;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return entry([&] {
    require(device != nullptr);
    const std::scoped_lock lock(registry().mutex);
    *device = find(stream).device;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* greatest) {
  return entry([&] {
    if (lowest != nullptr) *lowest = lowest_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return entry([&] {
    require(function != nullptr);
    submit(stream, [=] { return [=] { function(data); }; });
  });
}

}  // extern "C"
