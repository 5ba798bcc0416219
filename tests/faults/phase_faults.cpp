// SPDX-License-Identifier: Apache-2.0
// A library to preload into a rank. It fails as BUSBAR_TEST_FAULT says: "KIND RANK PHASE", such as "alloc 1 timed".
//   alloc      no memory, once: operator new throws std::bad_alloc, or the data plane's MPI reports it
//   throw      operator new throws another exception, once, or the data plane's MPI fails
//   wrong      the data plane's allreduce gives one wrong byte, once
//   slow_sync  fdatasync() takes 0.5 s, so that somebody can come between
// PHASE: start-up, warm-up, timed, verification, writing. A rank publishes its phase for its guard
// (core/job/guard/progress.hpp).
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include "core/job/guard/progress.hpp"
#include "core/machine/local_clock.hpp"
#include "core/ranks/launcher.hpp"
#include "tests/mpi/data_plane.hpp"

namespace {

using busbar::Phase;
using busbar::Position;
using busbar::Progress;
using busbar::test::is_data_plane;

struct Fault {
  std::string_view kind, phase;
};

/// Needs no memory, as a std::runtime_error does for its text.
class Thrown final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "thrown on purpose"; }
};

const pid_t rank_itself = ::getpid();  // its guard, which is forked, is another

/// This rank's; empty: none.
Fault fault() {
  if (::getpid() != rank_itself) return {};
  const char* words = std::getenv("BUSBAR_TEST_FAULT");
  if (words == nullptr) return {};
  const std::string_view text(words);
  const auto first = text.find(' '), second = text.rfind(' ');
  if (text.substr(first + 1, second - first - 1) != std::to_string(busbar::launch_rank())) return {};
  return {.kind = text.substr(0, first), .phase = text.substr(second + 1)};
}

/// The rank's own, by its name among the mappings of the process; null: it has none yet.
const Progress* progress() {
  static const Progress* found = nullptr;
  if (found != nullptr) return found;
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  std::array<char, 512> line{};
  while (maps != nullptr && std::fgets(line.data(), line.size(), maps) != nullptr)
    if (std::string_view(line.data()).find("busbar-progress") != std::string_view::npos)
      found = reinterpret_cast<const Progress*>(std::strtoull(line.data(), nullptr, 16));
  if (maps != nullptr) std::fclose(maps);
  return found;
}

/// "start-up: clocks" is the last step in which all ranks take part.
std::string_view phase_of(const Progress& p) {
  const Position at = p.position();
  if (p.turn() == 1) return p.what() == "start-up: clocks" ? "start-up" : "";
  if (p.turn() < 4) return "";  // some cases are done first
  if (at.phase == Phase::writing) return "writing";
  if (at.checking) return "verification";
  if (at.phase == Phase::warm_up) return "warm-up";
  return at.phase == Phase::timed ? "timed" : "";
}

bool is_time(std::string_view kind) {
  static thread_local bool asking = false;
  if (asking) return false;  // what follows allocates
  asking = true;
  const Fault f = fault();
  bool yes = false;
  if (f.kind == kind) {
    const Progress* p = progress();
    yes = p != nullptr && phase_of(*p) == f.phase;
  }
  asking = false;
  return yes;
}

/// Is it time, for the first time? Says which of the rank's turns it is, and when, by the monotonic clock.
bool is_now(std::string_view kind) {
  static std::atomic<bool> done = false;
  if (done || !is_time(kind) || done.exchange(true)) return false;
  ::dprintf(STDERR_FILENO, "phase_faults: turn %llu at %.3f s\n", static_cast<unsigned long long>(progress()->turn()),
            static_cast<double>(busbar::steady_ns()) * 1e-9);
  return true;
}

}  // namespace

void* operator new(std::size_t size) {
  if (is_now("alloc")) throw std::bad_alloc();
  if (is_now("throw")) throw Thrown();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

extern "C" {

int MPI_Allreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  if (is_data_plane(c) && is_now("alloc")) return MPI_ERR_NO_MEM;
  if (is_data_plane(c) && is_now("throw")) return MPI_ERR_OTHER;
  const int code = PMPI_Allreduce(s, r, n, t, op, c);
  if (is_data_plane(c) && n > 0 && is_now("wrong")) *static_cast<unsigned char*>(r) ^= 1U;
  return code;
}

int fdatasync(int file) {
  static const auto real = reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "fdatasync"));
  if (is_time("slow_sync")) ::usleep(500'000);
  return real(file);
}

}  // extern "C"
