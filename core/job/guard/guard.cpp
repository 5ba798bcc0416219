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
#include <random>
#include <span>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/files/kernel_files.hpp"
#include "core/job/guard/channel.hpp"
#include "core/job/guard/sentry.hpp"
#include "core/ranks/launcher.hpp"

namespace busbar {
namespace {

using guarding::Channel;
using guarding::Post;
using std::chrono::milliseconds;

constexpr auto flag_of_start = "--startup-timeout";

/// The memory has a name in /proc/PID/maps, so that a running rank can be inspected from outside.
Progress* shared_progress(int ranks) {
  const std::size_t bytes = static_cast<std::size_t>(ranks) * sizeof(Progress);
  const int memory = ::memfd_create("busbar-progress", MFD_CLOEXEC);
  const bool sized = memory >= 0 && ::ftruncate(memory, static_cast<off_t>(bytes)) == 0;
  void* page = sized ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) : MAP_FAILED;
  ::close(memory);
  if (page == MAP_FAILED) throw Error(fmt::format("no memory to share with the guard: {}", std::strerror(errno)));
  auto* const first = static_cast<Progress*>(page);
  std::uninitialized_default_construct_n(first, ranks);
  return first;
}

/// SIGALRM handler: ends the rank. Sent by its guard, or by its timer if the guard is gone.
void leave(int /*signal*/, siginfo_t* from, void* /*context*/) {
  constexpr std::string_view words = "a rank whose guard was killed took longer than its limit; the rank is ended\n";
  if (from->si_code == SI_KERNEL) [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(static_cast<int>(Exit::aborted));
}

void leave_on_alarm() {
  struct sigaction action{};
  action.sa_sigaction = leave;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGALRM, &action, nullptr);
}

/// Detaches the guard from the rank: from the signals of the terminal and of a launcher that kills process groups, and
/// from the rank's standard output, whose end others wait for. If stopped, it is resumed when its rank ends, and ends.
void stand_apart() {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
  ::prctl(PR_SET_NAME, "busbar-guard");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
}

/// Closes descriptors inherited from the launcher: hydra waits until no process holds a rank's connection (PMI_FD).
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

Guard::Guard(const std::string& program, double limit_s, int ranks)
    : ranks_(ranks), progress_(shared_progress(ranks)), program_(program) {
  progress_->enter("start-up: MPI_Init", "", flag_of_start, limit_s);
  const Channel channel = guarding::open_channel();
  const Post post;
  address_ = to_text(post.address(random_token()));
  std::fflush(nullptr);
  leave_on_alarm();  // before the guard exists, which may send SIGALRM
  const pid_t rank = ::getpid();
  const guarding::LauncherProcess launcher;
  guard_ = ::fork();
  if (guard_ < 0) throw Error(fmt::format("a rank cannot start its guard: fork: {}", std::strerror(errno)));
  if (guard_ == 0) {
    stand_apart();
    close_all_but({channel.guard, post.descriptor()});
    const std::span all(progress_, static_cast<std::size_t>(ranks));
    guarding::Sentry(program, launch_rank() * ranks, rank, launcher, all, channel.guard, post).watch();
  }
  ::close(channel.guard);
  channel_ = channel.rank;
}

Guard::Guard(Guard& first, int number)
    : ranks_(0), progress_(first.progress_ + number), channel_(first.channel_), program_(first.program_) {
  progress_->enter("start-up", "", flag_of_start, 0);  // the first one's limit is the process's
}

Guard::~Guard() {
  progress_->end();
  if (ranks_ == 0) return;
  ::close(channel_);
  set_timer(0);
  if (guard_ > 0) ::kill(guard_, SIGCONT);
  for (int i = 0; i < 1000 && guard_ > 0; ++i) {
    if (::waitpid(guard_, nullptr, WNOHANG) != 0) guard_ = -1;
    std::this_thread::sleep_for(milliseconds(1));
  }
  if (guard_ > 0) {
    ::kill(guard_, SIGKILL);
    ::waitpid(guard_, nullptr, 0);
  }
  ::munmap(progress_, static_cast<std::size_t>(ranks_) * sizeof(Progress));
}

void Guard::join(Group& processes) {
  progress_->step("start-up");
  const std::string first = processes.broadcast(address_, 0);
  guarding::send(
      channel_,
      nlohmann::json{{"rank", processes.rank() * ranks_}, {"ranks", processes.size() * ranks_}, {"first", first}}
          .dump());
}

/// Runs between turns: resumes a stopped guard and reports a lost one. Nothing else would notice.
void Guard::look_after_guard() {
  int status = 0;
  if (ranks_ == 0 || !protects() || ::waitpid(guard_, &status, WNOHANG | WUNTRACED) <= 0) return;
  if (WIFSTOPPED(status)) {
    ::kill(guard_, SIGCONT);
    return;
  }
  guard_ = -1;
  lost_ = true;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status)) : "has ended";
  print_message(program_, fmt::format("rank {}: its guard {}; the run goes on unprotected, and the record says so",
                                      launch_rank(), how));
}

/// If the guard is gone: ends this rank after `limit_s`; 0 cancels.
void Guard::set_timer(double limit_s) const {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(limit_s);
  timer.it_value.tv_usec = static_cast<suseconds_t>((limit_s - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  if (!protects()) ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void Guard::enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s) {
  look_after_guard();
  set_timer(limit_s);
  const std::int64_t before = progress_->deadline_ns();
  progress_->enter(what, where, flag, limit_s);
  const std::int64_t now = progress_->deadline_ns();
  if (now != 0 && (before == 0 || now < before)) guarding::send(channel_, "look");
}

void Guard::rest() {
  set_timer(0);
  progress_->rest();
}

void Guard::name_host(const std::string& name) { guarding::send(channel_, nlohmann::json{{"host", name}}.dump()); }

void Guard::keep_record(int file) { guarding::send(channel_, "record", file); }

void Guard::abort(std::string_view why) noexcept {
  const auto say = [&] {
    std::fprintf(stderr, "%s: rank %d: %.*s\n", program_.c_str(), launch_rank(), static_cast<int>(why.size()),
                 why.data());
  };
  if (!protects()) return say();
  progress_->abort(why);
  guarding::send(channel_, "look");
  constexpr auto most = std::chrono::duration<double>(guarding::Sentry::word_s + 1);
  const auto begin = std::chrono::steady_clock::now();
  while (!progress_->acknowledged() && std::chrono::steady_clock::now() - begin < most)
    std::this_thread::sleep_for(milliseconds(1));
  if (!progress_->acknowledged()) say();  // a busy machine may delay the guards: better twice than never
}

}  // namespace busbar
