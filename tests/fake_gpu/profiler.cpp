// SPDX-License-Identifier: Apache-2.0
#include "profiler.hpp"

#include <cstdlib>

#include <dlfcn.h>

namespace fake_gpu {
namespace {

// ncclProfilerEventDescr_v5_t for a collective, and ncclProfiler_v5_t (NCCL,
// src/include/plugin/profiler/profiler_v5.h).
struct Event {
  std::uint64_t type;
  void* parent;
  int rank;
  struct {
    std::uint64_t sequence;
    const char* function;
    const void* send;
    void* receive;
    std::size_t count;
    int root;
    const char* type;
    std::uint8_t channels, warps;
    const char *algorithm, *protocol;
    void* parent_group;
  } collective;
};

struct Plugin {
  const char* name;
  ncclResult_t (*init)(void** context, std::uint64_t id, int* mask, const char* comm, int nodes, int ranks, int rank,
                       void* logger);
  ncclResult_t (*start)(void* context, void** handle, Event* event);
  ncclResult_t (*stop)(void* handle);
  ncclResult_t (*record)(void* handle, int state, void* arguments);
  ncclResult_t (*finalize)(void* context);
};

constexpr std::uint64_t collective_event = 1 << 1;

std::atomic<int> mask = 0;  // NCCL has one for the process, too
static_assert(sizeof mask == sizeof(int));

const Plugin* plugin() {
  static const Plugin* const loaded = []() -> const Plugin* {
    const char* path = std::getenv("NCCL_PROFILER_PLUGIN");
    void* const library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr : static_cast<const Plugin*>(dlsym(library, "ncclProfiler_v5"));
  }();
  return loaded;
}

void*& context() {
  static void* one = nullptr;  // the plug-in under test has one for all communicators
  return one;
}

const char* function(Call call) {
  switch (call) {
    case Call::all_reduce:
      return "AllReduce";
    case Call::broadcast:
      return "Broadcast";
    case Call::reduce:
      return "Reduce";
    case Call::all_gather:
      return "AllGather";
    case Call::reduce_scatter:
      return "ReduceScatter";
    case Call::all_to_all:
    case Call::gather:
    case Call::scatter:
    case Call::send:
    case Call::receive:
      break;
  }
  return nullptr;
}

}  // namespace

void profiler_opens(const ncclComm& comm) {
  if (plugin() == nullptr) return;
  plugin()->init(&context(), 1, reinterpret_cast<int*>(&mask), nullptr, 1, comm.ranks, comm.rank, nullptr);
}

void profiler_closes() {
  if (plugin() != nullptr && context() != nullptr) plugin()->finalize(context());
}

void profiler_hears(const ncclComm& comm, const Operation& operation) {
  if (plugin() == nullptr || comm.ranks < 2 || function(operation.call) == nullptr) return;
  if ((static_cast<std::uint64_t>(mask.load(std::memory_order_relaxed)) & collective_event) == 0) return;
  Event event{};
  event.type = collective_event;
  event.rank = comm.rank;
  event.collective = {.sequence = 0,
                      .function = function(operation.call),
                      .send = operation.input,
                      .receive = operation.output,
                      .count = operation.count,
                      .root = operation.root,
                      .type = "",
                      .channels = 2,
                      .warps = 4,
                      .algorithm = "RING",
                      .protocol = "SIMPLE",
                      .parent_group = nullptr};
  void* handle = nullptr;
  plugin()->start(context(), &handle, &event);
  if (handle != nullptr) plugin()->stop(handle);
}

}  // namespace fake_gpu
