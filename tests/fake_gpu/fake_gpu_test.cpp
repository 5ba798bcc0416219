// SPDX-License-Identifier: Apache-2.0
// Linked with the real CUDA runtime, run with the fake ahead of it.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "demo.hpp"

namespace {

using namespace std::chrono_literals;

struct Gate {
  std::atomic<bool> open = false;
};

// Holds a stream up until the gate is opened.
void close_behind(cudaStream_t stream, Gate& gate) {
  ASSERT_EQ(
      cudaLaunchHostFunc(stream, [](void* data) { static_cast<Gate*>(data)->open.wait(false); }, &gate), cudaSuccess);
}

void open(Gate& gate) {
  gate.open = true;
  gate.open.notify_all();
}

class FakeGpu : public testing::Test {
 protected:
  FakeGpu() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  ~FakeGpu() override {
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    for (void* pointer : allocated_) cudaFree(pointer);
    cudaGetLastError();
  }

  template <class T>
  T* device(std::size_t count) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(T)), cudaSuccess);
    allocated_.push_back(pointer);
    return static_cast<T*>(pointer);
  }

  template <class T>
  std::vector<T> host(const T* data, std::size_t count) {
    std::vector<T> copy(count);
    EXPECT_EQ(cudaMemcpyAsync(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    return copy;
  }

  template <class T>
  void put(T* data, const std::vector<T>& values) {
    EXPECT_EQ(cudaMemcpyAsync(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream_),
              cudaSuccess);
  }

  cudaStream_t stream_ = nullptr;
  std::vector<void*> allocated_;
};

TEST_F(FakeGpu, says_what_it_is) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "Fake GPU (host memory)");
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_STREQ(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidDevice");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  char address[32];
  EXPECT_EQ(cudaDeviceGetPCIBusId(address, sizeof address, 1), cudaSuccess);
  EXPECT_STREQ(address, "0000:02:00.0");
}

TEST_F(FakeGpu, memory_is_poisoned_counted_and_freed_once) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, 1000U);
  EXPECT_EQ(host(static_cast<unsigned char*>(data), 1000)[999], 0xCB);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, static_cast<char*>(data) + 10), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &total), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&data, total + 1), cudaErrorMemoryAllocation);
}

TEST_F(FakeGpu, copies_are_held_against_their_memory) {
  auto* data = device<char>(100);
  std::vector<char> own(101);
  EXPECT_EQ(cudaMemcpy(data, own.data(), 101, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(data, own.data(), 100, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(data, own.data(), 100, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemset(own.data(), 0, 100), cudaErrorInvalidValue);
}

TEST_F(FakeGpu, a_stream_works_later) {
  Gate gate;
  auto* data = device<unsigned char>(10);
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 10), cudaSuccess);
  close_behind(stream_, gate);
  ASSERT_EQ(cudaMemsetAsync(data, 7, 10, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned, data, 10, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorNotReady);
  EXPECT_EQ(static_cast<unsigned char*>(pinned)[0], 0xCB) << "nothing is copied before the stream gets there";
  open(gate);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(static_cast<unsigned char*>(pinned)[0], 7);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(FakeGpu, the_default_stream_waits_for_streams_that_block) {
  Gate gate;
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  auto* data = device<unsigned char>(1);
  close_behind(blocking, gate);
  ASSERT_EQ(cudaMemsetAsync(data, 1, 1, blocking), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(data, 2, 1, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(data, 3, 1, stream_), cudaSuccess);
  EXPECT_EQ(host(data, 1)[0], 3) << "a stream that does not block does not wait";
  open(gate);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(host(data, 1)[0], 2);
  EXPECT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(blocking), cudaErrorInvalidResourceHandle);
}

TEST_F(FakeGpu, events_order_streams_and_tell_time) {
  Gate gate;
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  cudaStream_t other = nullptr;
  float ms = 0;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&end, cudaEventBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess) << "nothing was recorded";
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(start, stream_), cudaSuccess);
  close_behind(stream_, gate);
  ASSERT_EQ(cudaEventRecord(end, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, end, 0), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(other), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
  const auto before = std::chrono::steady_clock::now();
  ASSERT_EQ(cudaEventSynchronize(start), cudaSuccess);
  std::this_thread::sleep_for(5ms);
  open(gate);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  const std::chrono::duration<float, std::milli> most = std::chrono::steady_clock::now() - before;
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_GE(ms, 5);
  EXPECT_GT(most.count(), 0);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaErrorInvalidResourceHandle);
}

class Graphs : public FakeGpu {
 protected:
  Graphs() {
    EXPECT_EQ(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&fork_), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&join_), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  }
  ~Graphs() override {
    EXPECT_EQ(cudaStreamDestroy(side_), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(fork_), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(join_), cudaSuccess);
  }
  void fork() {
    EXPECT_EQ(cudaEventRecord(fork_, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(side_, fork_, 0), cudaSuccess);
  }
  void join() {
    EXPECT_EQ(cudaEventRecord(join_, side_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(stream_, join_, 0), cudaSuccess);
  }

  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
  cudaGraph_t graph_ = nullptr;
};

TEST_F(Graphs, run_what_was_captured_on_all_streams_when_launched) {
  cudaEvent_t timed = nullptr;
  ASSERT_EQ(cudaEventCreate(&timed), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);  // empty
  ASSERT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  auto* data = device<float>(100);
  ASSERT_EQ(fake_gpu_demo::fill(data, 100, 1.0F, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  fork();
  ASSERT_EQ(fake_gpu_demo::fill(data, 50, 2.0F, side_), cudaSuccess);
  ASSERT_EQ(fake_gpu_demo::fill(data + 50, 50, 3.0F, stream_), cudaSuccess);
  ASSERT_EQ(cudaEventRecordWithFlags(timed, stream_, cudaEventRecordExternal), cudaSuccess);
  join();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(side_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph_, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 3U);
  cudaGraphExec_t launched = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&launched, graph_, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  EXPECT_EQ(host(data, 100), std::vector<float>(100, 1.0F)) << "captured is not launched";
  Gate gate;
  close_behind(stream_, gate);
  ASSERT_EQ(cudaGraphLaunch(launched, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(timed), cudaErrorNotReady);
  open(gate);
  EXPECT_EQ(cudaEventSynchronize(timed), cudaSuccess);
  const auto result = host(data, 100);
  EXPECT_EQ(result[0], 2.0F);
  EXPECT_EQ(result[99], 3.0F);
  EXPECT_EQ(cudaGraphExecDestroy(launched), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(timed), cudaSuccess);
}

TEST_F(Graphs, want_all_streams_joined) {
  fork();
  EXPECT_EQ(cudaLaunchHostFunc(side_, [](void*) {}, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureUnjoined);
}

TEST_F(Graphs, are_broken_by_waiting_for_a_stream_that_captures) {
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Graphs, are_broken_by_an_event_from_outside) {
  EXPECT_EQ(cudaEventRecord(fork_, side_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(fork_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, fork_, 0), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Graphs, are_broken_by_allocating) {
  void* data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, 10), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(FakeGpu, kernels_run_every_thread) {
  auto* floats = device<float>(1000);
  auto* bytes = device<unsigned char>(1000);
  auto* halves = device<__nv_bfloat16>(1000);
  ASSERT_EQ(fake_gpu_demo::fill(floats, 1000, 2.5F, stream_), cudaSuccess);
  ASSERT_EQ(fake_gpu_demo::fill(bytes, 999, static_cast<unsigned char>(9), stream_), cudaSuccess);
  ASSERT_EQ(fake_gpu_demo::fill(halves, 1000, __float2bfloat16(1.5F), stream_), cudaSuccess);
  EXPECT_EQ(host(floats, 1000), std::vector<float>(1000, 2.5F));
  EXPECT_EQ(host(bytes, 1000)[998], 9);
  EXPECT_EQ(host(bytes, 1000)[999], 0xCB);
  EXPECT_EQ(__bfloat162float(host(halves, 1000)[999]), 1.5F);
}

TEST_F(FakeGpu, kernels_exchange_data_in_warps_and_blocks) {
  for (const unsigned int threads : {32U, 96U, 1024U}) {
    auto* data = device<float>(5000);
    auto* sum = device<float>(1);
    put(sum, {0.0F});
    ASSERT_EQ(fake_gpu_demo::fill(data, 5000, 2.0F, stream_), cudaSuccess);
    ASSERT_EQ(fake_gpu_demo::add_up(data, 5000, sum, threads, stream_), cudaSuccess);
    EXPECT_EQ(host(sum, 1)[0], 10000.0F) << threads;
  }
}

TEST_F(FakeGpu, kernels_wait_for_their_block) {
  auto* data = device<float>(600);
  std::vector<float> values(600);
  for (std::size_t i = 0; i < 600; ++i) values[i] = static_cast<float>(i);
  put(data, values);
  ASSERT_EQ(fake_gpu_demo::turn_round(data, 200, 3, stream_), cudaSuccess);
  const auto result = host(data, 600);
  for (std::size_t i = 0; i < 600; ++i) EXPECT_EQ(result[i], static_cast<float>(i / 200 * 200 + 199 - i % 200));
}

// Two warps: what the CUDA C++ programming guide says of each operation.
TEST_F(FakeGpu, kernels_use_warp_operations) {
  auto* data = device<double>(8 * 64);
  ASSERT_EQ(fake_gpu_demo::exchange_in_warps(data, 64, stream_), cudaSuccess);
  const auto results = host(data, 8 * 64);
  for (int i = 0; i < 64; ++i) {
    const auto* const of_thread = &results[static_cast<std::size_t>(8 * i)];
    EXPECT_EQ(of_thread[0], i ^ 1);
    EXPECT_EQ(of_thread[1], i % 32 < 2 ? i : i - 2);
    EXPECT_EQ(of_thread[2], i % 8 < 5 ? i + 3 : i);
    EXPECT_EQ(of_thread[3], i / 16 * 16 + 5);
    EXPECT_EQ(of_thread[4], 0xAAAAAAAAU);
    EXPECT_EQ(of_thread[5], i < 32 ? 2 : 1);
    EXPECT_EQ(of_thread[6], 7);
    EXPECT_EQ(of_thread[7], i % 32 < 16 ? i / 32 * 32 : -1);
  }
}

TEST_F(FakeGpu, kernels_use_atomics) {
  std::vector<int> values(100000, 5);
  auto* a = device<int>(values.size());
  auto* b = device<int>(values.size());
  auto* index = device<unsigned long long>(1);
  put(a, values);
  values[77777] = values[99999] = 6;
  put(b, values);
  put(index, {~0ULL});
  ASSERT_EQ(fake_gpu_demo::first_difference(a, b, values.size(), index, stream_), cudaSuccess);
  EXPECT_EQ(host(index, 1)[0], 77777U);
}

TEST_F(FakeGpu, launches_are_checked) {
  auto* data = device<float>(10000);
  EXPECT_EQ(fake_gpu_demo::turn_round(data, 1025, 1, stream_), cudaErrorInvalidConfiguration);
  EXPECT_EQ(fake_gpu_demo::turn_round(data, 32, 0, stream_), cudaErrorInvalidConfiguration);
  const char no_kernel = 0;
  EXPECT_EQ(cudaLaunchKernel(&no_kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream_), cudaErrorInvalidDeviceFunction);
}

// These leave no use of the device to the process. The test's list has them run alone.
class FakeGpuFailing : public testing::Test {
 protected:
  void expect_stuck() {
    void* data = nullptr;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaMalloc(&data, 1), cudaErrorLaunchFailure) << "it lasts";
  }
  void* data_ = nullptr;
};

TEST_F(FakeGpuFailing, divergent_barriers_are_an_error) {
  ASSERT_EQ(cudaMalloc(&data_, 128), cudaSuccess);
  ASSERT_EQ(fake_gpu_demo::diverge(static_cast<int*>(data_), nullptr), cudaSuccess);
  expect_stuck();
}

// FAKE_GPU_FAULT="kind=launch_failure call=3; kind=out_of_memory bytes=1000; event_scale=1000"
TEST_F(FakeGpuFailing, faults_strike) {
  EXPECT_EQ(cudaMalloc(&data_, 1001), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&data_, 1000), cudaSuccess);
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::this_thread::sleep_for(1ms);
  ASSERT_EQ(cudaEventRecord(end), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  float ms = 0;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_GE(ms, 1000) << "a thousand times what it was";
  auto* const floats = static_cast<float*>(data_);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(fake_gpu_demo::fill(floats, 10, 1.0F, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  EXPECT_EQ(fake_gpu_demo::fill(floats, 10, 1.0F, nullptr), cudaSuccess);
  expect_stuck();
}

}  // namespace
