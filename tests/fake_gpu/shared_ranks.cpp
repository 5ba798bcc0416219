// SPDX-License-Identifier: Apache-2.0
#include "shared_ranks.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fake_gpu {
namespace {

constexpr std::size_t bell_bytes = 64;  // a cache line each
constexpr const char* prefix = "fake_nccl.";

// Names start with the id of their process. Those of dead processes are free.
void remove_what_the_dead_left() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto process = static_cast<pid_t>(atol(name.c_str() + std::strlen(prefix)));
    if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) shm_unlink(("/" + name).c_str());
  }
}

std::size_t capacity_for(int ranks) {
  const auto pairs = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks);
  return std::clamp((std::size_t{4} << 20U) / pairs, std::size_t{16} << 10U, std::size_t{512} << 10U);
}

}  // namespace

struct SharedRanks::Header {
  std::atomic<int> joined;
  std::atomic<int> aborted;
  std::atomic<int> refused;
  alignas(64) std::byte end;
};

std::string SharedRanks::new_name() {
  static std::atomic<int> made = 0;
  remove_what_the_dead_left();
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return prefix + std::to_string(getpid()) + "." + std::to_string(++made) + "." + std::to_string(now);
}

SharedRanks::SharedRanks(const std::string& path, int ranks, bool refuses)
    : rank_(0), ranks_(ranks), capacity_(capacity_for(ranks)) {
  const auto pairs = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks);
  size_ = sizeof(Header) + pairs * (sizeof(Channel) + capacity_) + static_cast<std::size_t>(ranks) * bell_bytes;
  const int file = shm_open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("shm_open(" + path + "): " + std::strerror(errno));
  const bool sized = ftruncate(file, static_cast<off_t>(size_)) == 0;  // the same for every rank, so any may be first
  void* const memory = sized ? mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap(" + path + "): " + std::strerror(errno));
  memory_ = static_cast<std::byte*>(memory);
  if (refuses) header().refused = 1;  // before this rank counts as one that has come
  // The last to come takes the name away: from here on nothing can be left behind.
  if (++header().joined == ranks) shm_unlink(path.c_str());
}

SharedRanks::SharedRanks(const std::string& name, int rank, int ranks, const std::function<bool()>& given_up)
    : SharedRanks("/" + name, ranks, false) {
  rank_ = rank;
  for (int tries = 0; header().joined < ranks; ++tries) {
    if (given_up()) throw std::runtime_error("given up while ranks were missing");
    relax(tries);
  }
  if (header().refused != 0) throw std::runtime_error("another rank failed");
}

void SharedRanks::refuse(const std::string& name, int ranks) { const SharedRanks gone("/" + name, ranks, true); }

SharedRanks::~SharedRanks() { munmap(memory_, size_); }

SharedRanks::Header& SharedRanks::header() const { return *reinterpret_cast<Header*>(memory_); }

Channel& SharedRanks::channel(int from, int to) const {
  auto* const first = reinterpret_cast<Channel*>(memory_ + sizeof(Header));
  return first[from * ranks_ + to];
}

std::byte* SharedRanks::bytes_of(int from, int to) const {
  const auto pairs = static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(ranks_);
  const auto index = static_cast<std::size_t>(from * ranks_ + to);
  return memory_ + sizeof(Header) + pairs * sizeof(Channel) + index * capacity_;
}

// Bells lie at the end, where they are aligned: channels and headers are multiples of 16 bytes.
std::atomic<std::uint32_t>& SharedRanks::bell(int rank) const {
  auto* const end = memory_ + size_;
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(end - static_cast<std::size_t>(ranks_ - rank) * bell_bytes);
}

void SharedRanks::ring(int rank) const {
  auto& bell_of_rank = bell(rank);
  ++bell_of_rank;
  syscall(SYS_futex, &bell_of_rank, FUTEX_WAKE, 64, nullptr, nullptr, 0);  // shared: std::atomic's own wait is private
}

std::uint32_t SharedRanks::rung() const { return bell(rank_); }

void SharedRanks::wait_for_ring(std::uint32_t seen) const {
  for (int tries = 0; tries < 20; ++tries) {
    if (rung() != seen) return;
    sched_yield();
  }
  const timespec most = {.tv_sec = 0, .tv_nsec = 5000000};
  syscall(SYS_futex, &bell(rank_), FUTEX_WAIT, seen, &most, nullptr, 0);
}

std::size_t SharedRanks::write(int to, std::span<const std::byte> data) {
  auto& way = channel(rank_, to);
  const auto written = way.written.load(std::memory_order_relaxed);
  const auto room = capacity_ - (written - way.read.load(std::memory_order_acquire));
  const auto count = std::min<std::size_t>(room, data.size());
  const auto at = written % capacity_;
  const auto before_end = std::min(count, capacity_ - at);
  if (count == 0) return 0;
  std::memcpy(bytes_of(rank_, to) + at, data.data(), before_end);
  std::memcpy(bytes_of(rank_, to), data.data() + before_end, count - before_end);
  way.written.store(written + count, std::memory_order_release);
  ring(to);
  return count;
}

std::size_t SharedRanks::read(int from, std::span<std::byte> data) {
  auto& way = channel(from, rank_);
  const auto read = way.read.load(std::memory_order_relaxed);
  const auto there = way.written.load(std::memory_order_acquire) - read;
  const auto count = std::min<std::size_t>(there, data.size());
  const auto at = read % capacity_;
  const auto before_end = std::min(count, capacity_ - at);
  if (count == 0) return 0;
  std::memcpy(data.data(), bytes_of(from, rank_) + at, before_end);
  std::memcpy(data.data() + before_end, bytes_of(from, rank_), count - before_end);
  way.read.store(read + count, std::memory_order_release);
  ring(from);
  return count;
}

bool SharedRanks::all_read(int to) const {
  const auto& way = channel(rank_, to);
  return way.read.load(std::memory_order_acquire) == way.written.load(std::memory_order_relaxed);
}

void SharedRanks::abort() { header().aborted = 1; }

bool SharedRanks::aborted() const { return header().aborted != 0; }

void relax(int tries) {
  if (tries < 200)
    sched_yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace fake_gpu
