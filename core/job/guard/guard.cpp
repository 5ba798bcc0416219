// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/guard.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <random>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/environment/files.hpp"
#include "core/error.hpp"
#include "core/job/guard/channel.hpp"
#include "core/job/guard/sentry.hpp"
#include "core/json.hpp"
#include "core/launcher.hpp"

namespace busbar {
namespace {

using guarding::Channel;
using guarding::Post;
using std::chrono::milliseconds;

constexpr auto flag_of_start = "--startup-timeout";

/// It has a name in /proc/PID/maps, for whoever looks at a running rank from outside.
Progress* shared_progress() {
  const int memory = ::memfd_create("busbar-progress", MFD_CLOEXEC);
  const bool sized = memory >= 0 && ::ftruncate(memory, sizeof(Progress)) == 0;
  void* page = sized ? ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) : MAP_FAILED;
  ::close(memory);
  if (page == MAP_FAILED) throw Error(fmt::format("no memory to share with the guard: {}", std::strerror(errno)));
  return new (page) Progress;
}

/// The guard tells the rank so, which then leaves whatever it is in.
void leave(int /*signal*/) { ::_exit(static_cast<int>(Exit::aborted)); }

/// What the guard has of its own: neither the signals of the terminal and of the launcher, who ends whole process
/// groups, nor the rank's standard output, whose end others wait for.
void stand_apart() {
  ::setsid();
  ::prctl(PR_SET_NAME, "busbar-guard");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
}

/// Whatever the launcher gave the rank: hydra waits until nobody holds its end of a rank's connection (PMI_FD) any
/// more.
void close_all_but(std::initializer_list<int> kept) {
  for (const std::string& name : facts::entries("/proc/self/fd")) {
    const int file = static_cast<int>(facts::to_number(name).value_or(-1));
    if (file > STDERR_FILENO && std::ranges::find(kept, file) == kept.end()) ::close(file);
  }
}

std::string random_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

Guard::Guard(const std::string& program, double limit_s) : progress_(shared_progress()) {
  progress_->enter("start-up: MPI_Init", "", flag_of_start, limit_s);
  const Channel channel = guarding::open_channel();
  const Post post;
  address_ = to_text(post.address(random_token()));
  std::fflush(nullptr);
  const pid_t rank = ::getpid();
  const guarding::LauncherProcess launcher;
  guard_ = ::fork();
  if (guard_ < 0) throw Error(fmt::format("a rank cannot start its guard: fork: {}", std::strerror(errno)));
  if (guard_ == 0) {
    stand_apart();
    close_all_but({channel.guard, post.descriptor()});
    guarding::Sentry(program, launch_rank(), rank, launcher, *progress_, channel.guard, post).watch();
  }
  ::close(channel.guard);
  channel_ = channel.rank;
  std::signal(SIGALRM, leave);
}

Guard::~Guard() {
  progress_->end();
  ::close(channel_);
  for (int i = 0; i < 1000 && ::waitpid(guard_, nullptr, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(milliseconds(1));
  ::munmap(progress_, sizeof(Progress));
}

void Guard::join(Group& group) {
  progress_->step("start-up");
  const std::string first = group.broadcast(address_, 0);
  guarding::send(channel_, nlohmann::json{{"rank", group.rank()}, {"ranks", group.size()}, {"first", first}}.dump());
}

void Guard::enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s) {
  const std::int64_t before = progress_->deadline_ns();
  progress_->enter(what, where, flag, limit_s);
  const std::int64_t now = progress_->deadline_ns();
  if (now != 0 && (before == 0 || now < before)) guarding::send(channel_, "look");
}

void Guard::name_host(const std::string& name) { guarding::send(channel_, nlohmann::json{{"host", name}}.dump()); }

void Guard::keep_record(int file) { guarding::send(channel_, "record", file); }

void Guard::abort(std::string_view why) noexcept {
  progress_->abort(why);
  guarding::send(channel_, "look");
  constexpr auto most = std::chrono::duration<double>(guarding::Sentry::word_s + 1);
  const auto begin = std::chrono::steady_clock::now();
  while (!progress_->acknowledged() && std::chrono::steady_clock::now() - begin < most)
    std::this_thread::sleep_for(milliseconds(1));
}

}  // namespace busbar
