// SPDX-License-Identifier: Apache-2.0
// NCCL's profiler plug-in interface, versions 2 to 5, declared as in NCCL's sources (src/include/plugin/profiler/
// profiler_v2.h to profiler_v5.h, Apache-2.0; described in ext-profiler/README.md). NCCL looks for the newest
// ncclProfiler_vN that it knows: 2.24 and 2.25 use v2, 2.26 v3, 2.27 v4, 2.28 and newer v5. 2.23 knows only v1, which
// has numbers instead of names; it finds no plug-in here and continues without.
//
// Of an event's descriptor only the part for collectives is declared. In NCCL it is a member of a union, with the
// alignment of a pointer in each version. Results are ncclResult_t, where 0 is success. Functions always return
// success: an error here must not become an error of NCCL.
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <dlfcn.h>

#include "core/nccl/choice_listener.hpp"

namespace busbar::nccl_choice {

using Result = int;
using Logger = void (*)(int level, unsigned long flags, const char* file, int line, const char* format, ...);

struct CollectiveV2 {
  const char* communicator;
  std::uint64_t communicator_hash, sequence;
  const char* function;
  const void* send;
  void* recv;
  std::size_t count;
  int root;
  const char* type;
  std::size_t traffic_bytes;
  std::uint8_t most_channels, warps;
  const char *algorithm, *protocol;
};

struct CollectiveV3 {
  const char* communicator;
  std::uint64_t communicator_hash, sequence;
  const char* function;
  const void* send;
  void* recv;
  std::size_t count;
  int root;
  const char* type;
  std::uint8_t most_channels, warps;
  const char *algorithm, *protocol;
};

struct CollectiveV4 {
  std::uint64_t sequence;
  const char* function;
  const void* send;
  void* recv;
  std::size_t count;
  int root;
  const char* type;
  std::uint8_t channels, warps;
  const char *algorithm, *protocol;
};

/// `Type`: 8 bits up to v4, 64 bits from v5 on. Collectives of v5 start like those of v4.
template <class Type, class Collective>
struct Event {
  Type type;
  void* parent;
  int rank;
  Collective collective;
};

using EventV2 = Event<std::uint8_t, CollectiveV2>;
using EventV3 = Event<std::uint8_t, CollectiveV3>;
using EventV4 = Event<std::uint8_t, CollectiveV4>;
using EventV5 = Event<std::uint64_t, CollectiveV4>;
static_assert(sizeof(void*) == 8 && offsetof(EventV2, collective) == 24 && offsetof(EventV5, collective) == 24);
static_assert(offsetof(CollectiveV2, algorithm) == 88 && offsetof(CollectiveV3, algorithm) == 80 &&
              offsetof(CollectiveV4, algorithm) == 64);

/// NCCL's ncclProfiler_vN_t.
template <class E, class Open>
struct Profiler {
  const char* name;
  Open* open;
  Result (*start)(void* context, void** handle, E* event);
  Result (*stop)(void* handle);
  Result (*record)(void* handle, int state, void* arguments);
  Result (*close)(void* context);
};

namespace {

constexpr Result success = 0;
constexpr std::uint64_t collective_event = 1 << 1;  ///< ncclProfileColl

/// Versions 2 and 3 report only the maximum number of channels of a call.
template <class Collective>
int channels(const Collective& c) {
  if constexpr (requires { c.channels; }) return c.channels;
  return 0;
}

/// No exception may reach NCCL; after one, the report is lost.
template <class F>
Result quietly(F&& f) noexcept {
  try {
    f();
  } catch (...) {
  }
  return success;
}

/// A non-null context makes NCCL call finalize().
Result open(void** context, int* mask) {
  return quietly([&] {
    *context = &listener();
    listener().opened(mask);
  });
}

Result open_v2(void** context, int* mask) { return open(context, mask); }

Result open_v4(void** context, int* mask, const char* /*name*/, std::uint64_t /*id*/, int /*nodes*/, int /*ranks*/,
               int /*rank*/, Logger) {
  return open(context, mask);
}

Result open_v5(void** context, std::uint64_t /*id*/, int* mask, const char* /*name*/, int /*nodes*/, int /*ranks*/,
               int /*rank*/, Logger) {
  return open(context, mask);
}

/// With a null handle NCCL reports no more about this event.
template <class E>
Result start(void* /*context*/, void** handle, E* event) {
  if (handle != nullptr) *handle = nullptr;
  if (event == nullptr || event->type != collective_event) return success;
  const auto& c = event->collective;
  return quietly([&] { listener().hear(c.function, c.algorithm, c.protocol, channels(c)); });
}

Result stop(void* /*handle*/) { return success; }

Result record(void* /*handle*/, int /*state*/, void* /*arguments*/) { return success; }

Result close(void* /*context*/) {
  return quietly([] { listener().closed(); });
}

}  // namespace

template <class E, class Open>
constexpr Profiler<E, Open> profiler(Open* open) {
  return {.name = "busbar", .open = open, .start = start<E>, .stop = stop, .record = record, .close = close};
}

}  // namespace busbar::nccl_choice

// Symbols that NCCL looks up by name; exported whatever the default visibility.
extern "C" {
[[gnu::visibility("default")]] extern const auto ncclProfiler_v2 =
    busbar::nccl_choice::profiler<busbar::nccl_choice::EventV2>(busbar::nccl_choice::open_v2);
[[gnu::visibility("default")]] extern const auto ncclProfiler_v3 =
    busbar::nccl_choice::profiler<busbar::nccl_choice::EventV3>(busbar::nccl_choice::open_v2);
[[gnu::visibility("default")]] extern const auto ncclProfiler_v4 =
    busbar::nccl_choice::profiler<busbar::nccl_choice::EventV4>(busbar::nccl_choice::open_v4);
[[gnu::visibility("default")]] extern const auto ncclProfiler_v5 =
    busbar::nccl_choice::profiler<busbar::nccl_choice::EventV5>(busbar::nccl_choice::open_v5);
}

namespace busbar::nccl_choice {

std::string plugin_path() {
  Dl_info info{};
  // Use a function of this file: an exported name could resolve to another library.
  if (dladdr(reinterpret_cast<const void*>(&stop), &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const auto path = std::filesystem::canonical(info.dli_fname, error);
  return error ? "" : path.string();
}

}  // namespace busbar::nccl_choice
