// SPDX-License-Identifier: Apache-2.0
// Kills a program that writes a record at every call that changes a file: before, within and after the call. The
// functions below replace those of the C library.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"

namespace {

/// Where in a call the process dies.
enum class Moment { before, within, after };
constexpr int moments = 3;

/// Of this process: which call it dies at; -1: at none.
std::atomic<int> dies_at = -1;
std::atomic<Moment> moment = Moment::before;
std::atomic<int> calls = 0;

/// The exit code of a process that died as planned.
constexpr int died = 77;

/// A call that changes a file. `part`: does some of it, for a call that can be cut in two.
long change(const std::function<long()>& whole, const std::function<void()>& part = [] {}) {
  if (calls++ != dies_at) return whole();
  if (moment == Moment::within) part();
  if (moment == Moment::after) whole();
  ::_exit(died);
}

}  // namespace

extern "C" {
ssize_t write(int file, const void* data, size_t size) {
  const auto some = [=](size_t n) { return ::syscall(SYS_write, file, data, n); };
  return file <= STDERR_FILENO ? some(size) : change([=] { return some(size); }, [=] { some(size / 2); });
}
int fdatasync(int file) {
  return static_cast<int>(change([=] { return ::syscall(SYS_fdatasync, file); }));
}
int fsync(int file) {
  return static_cast<int>(change([=] { return ::syscall(SYS_fsync, file); }));
}
int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(change([=] { return ::syscall(SYS_ftruncate, file, size); }));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(change([=] { return ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0); }));
}
int unlink(const char* name) noexcept {
  return static_cast<int>(change([=] { return ::syscall(SYS_unlinkat, AT_FDCWD, name, 0); }));
}
}

namespace busbar::test {
namespace {

namespace fs = std::filesystem;

constexpr int cases = 4;

/// Progress of the program, in memory that outlives it.
struct Done {
  std::atomic<bool> begun = false, ended = false;
  std::atomic<int> written = 0;  ///< cases
  std::atomic<int> kept = 0;     ///< cases, at least unfinished
};

CaseRecord numbered(int index, double time_s) {
  CaseRecord c{
      .index = index, .key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2}, .time_s = time_s};
  c.check.state = CheckState::passed;
  return c;
}

/// Cases are kept while they go on, and end one after the other.
void measure(JournalWriter out, const RunRecord& run, Done& done) {
  out.write(run);
  done.begun = true;
  for (int i = 0; i < cases; ++i) {
    std::vector<CaseRecord> going_on;
    for (int k = i; k < std::min(i + 2, cases); ++k) going_on.push_back(numbered(k, 0.5));
    out.write_unfinished(going_on);
    done.kept = std::min(i + 2, cases);
    out.write(numbered(i, 1));
    done.written = i + 1;
  }
  out.write(EndRecord{.status = EndStatus::ok});
  done.ended = true;
}

class CrashPoints : public testing::Test {
 protected:
  CrashPoints()
      : done_(new(::mmap(nullptr, sizeof(Done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Done) {
    fs::create_directories(folder_);
  }
  ~CrashPoints() override {
    fs::remove_all(folder_);
    ::munmap(done_, sizeof(Done));
  }

  static RunRecord run(const std::string& id) { return {.id = id, .tool = {.name = "test"}, .ranks = 2, .method = {}}; }

  /// True where the program died, at call `at`; else it came to its end.
  bool run_until(int at, Moment when, const std::function<void()>& program) {
    new (done_) Done;
    const pid_t child = ::fork();
    if (child == 0) {
      calls = 0;
      moment = when;
      dies_at = at;
      program();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "at call " << at;
    return WEXITSTATUS(status) == died;
  }

  /// Every case that was written is there, and every one that was kept.
  void expect_nothing_lost(const std::string& where) const {
    if (!done_->begun) return;  // nothing was measured; the run's own line may be cut
    const busbar::Run run = read_journal(file_);
    for (int i = 0; i < done_->kept; ++i) {
      const auto found = std::ranges::find(run.cases, i, &CaseRecord::index);
      ASSERT_NE(found, run.cases.end()) << where << ": case " << i << " is lost";
      if (i < done_->written) {
        EXPECT_EQ(found->time_s, 1) << where << ": case " << i;
      }
    }
    EXPECT_LE(run.cases.size(), static_cast<std::size_t>(std::min(done_->kept + 2, cases))) << where;
    EXPECT_TRUE(run.end || !done_->ended) << where;
  }

  const fs::path folder_ = fs::temp_directory_path() / ("crash_points_test." + std::to_string(::getpid()));
  const std::string file_ = folder_ / "run.jsonl";
  Done* done_;
};

TEST_F(CrashPoints, LoseAtMostTheCaseInFlight) {
  int points = 0;
  for (bool goes_on = true; goes_on; ++points) {
    const int at = points / moments;
    const auto when = static_cast<Moment>(points % moments);
    for (const auto& file : fs::directory_iterator(folder_)) fs::remove(file);
    goes_on = run_until(at, when, [&] { measure(JournalWriter(file_), run("a"), *done_); });
    expect_nothing_lost("call " + std::to_string(at) + ", moment " + std::to_string(points % moments));
  }
  std::printf("%d points\n", points);
  EXPECT_GT(points, 60);
}

TEST_F(CrashPoints, LoseAtMostTheCaseInFlightAfterResuming) {
  RunRecord resumed = run("b");
  resumed.resumes = "a";
  int points = 0;
  for (bool goes_on = true; goes_on; ++points) {
    const int at = points / moments;
    for (const auto& file : fs::directory_iterator(folder_)) fs::remove(file);
    ASSERT_TRUE(run_until(12, Moment::within, [&] { measure(JournalWriter(file_), run("a"), *done_); }));
    const int before = done_->kept;
    goes_on = run_until(at, static_cast<Moment>(points % moments),
                        [&] { measure(JournalWriter::resume(file_), resumed, *done_); });
    done_->kept = std::max(before, done_->kept.load());
    done_->begun = true;
    expect_nothing_lost("call " + std::to_string(at) + ", moment " + std::to_string(points % moments));
  }
  std::printf("%d points\n", points);
  EXPECT_GT(points, 60);
}

}  // namespace
}  // namespace busbar::test
