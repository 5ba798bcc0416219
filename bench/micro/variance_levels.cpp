// SPDX-License-Identifier: Apache-2.0
// Measures allreduce in epochs, rounds and half batches, for scripts/variance-levels, which computes the variance at
// each of these levels and between launches. Each epoch renews one thing, so that its effect can be separated from that
// of time alone:
//
//   nothing       the control: an epoch is just a stretch of time
//   communicator  MPI_Comm_dup of MPI_COMM_WORLD
//   buffers       the same offsets in other pages (mmap)
//   offsets       another offset within 64 KiB, the same on all ranks: a random multiple of 64 bytes
//   placement     ranks not bound by the launcher move to the CPU of the next rank on their host
//   settle        ranks of a host wake one another, as busbar-bench --settle does
//   all           all of these
//
// Prints one line per visit: epoch, round, bytes, median of the first and second half of the batch in seconds. A sample
// is the slowest rank's time of one call after a barrier; fp32, sum, out of place.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include <mpi.h>
#include <sched.h>
#include <sys/mman.h>

#include "bench/engine/settler.hpp"
#include "core/machine/host_name.hpp"
#include "core/mpi/group.hpp"
#include "stepped.hpp"

namespace {

constexpr double batch_seconds = 0.01;
constexpr std::size_t fewest = 6, most = 100'000;
constexpr std::size_t slack = 64 * 1024;  // range of the offsets

/// Private pages of this process, already written to.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes), begin_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (begin_ == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::fill_n(static_cast<float*>(begin_), bytes / sizeof(float), 1.0F);
  }
  ~Pages() { ::munmap(begin_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  [[nodiscard]] float* at(std::size_t offset) const {
    return reinterpret_cast<float*>(static_cast<char*>(begin_) + offset);
  }

 private:
  std::size_t bytes_;
  void* begin_;
};

struct Size {
  int count = 0;
  std::size_t calls = fewest;  // in the next batch
};

/// The things renewed between epochs.
class Surroundings {
 public:
  Surroundings(busbar::Group& group, std::size_t largest)
      : group_(group), bytes_(largest + slack), settler_(group, hosts(group)) {
    ::sched_getaffinity(0, sizeof cpus_, &cpus_);
    settler_.begin(1e9);
    make_buffers();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }

  void renew(std::string_view what) {
    const bool all = what == "all";
    if (all || what == "communicator") {
      MPI_Comm_free(&comm);
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }
    if (all || what == "buffers") make_buffers();
    if (all || what == "offsets") offset_ = 64 * (random_() % (slack / 64));
    if (all || what == "placement") move_on();
    if (all || what == "settle") settler_.begin(1e9);
  }

  [[nodiscard]] float* send() const { return send_->at(offset_); }
  [[nodiscard]] float* recv() const { return recv_->at(offset_); }

  MPI_Comm comm = MPI_COMM_NULL;

 private:
  static std::vector<int> hosts(busbar::Group& group) {
    const auto names = group.all_gather(busbar::host_name());
    std::vector<int> all;
    for (const auto& name : names) all.push_back(static_cast<int>(std::ranges::find(names, name) - names.begin()));
    return all;
  }

  void make_buffers() {
    // Free the old pages only after allocating new ones, or the kernel may return the same pages.
    auto send = std::make_unique<Pages>(bytes_), recv = std::make_unique<Pages>(bytes_);
    send_ = std::move(send);
    recv_ = std::move(recv);
  }

  /// Binds each rank to a single CPU: rank r of a host to its (r + number of moves)-th allowed CPU, modulo the ranks.
  void move_on() {
    const auto of_all = hosts(group_);
    const int mine = of_all[static_cast<std::size_t>(group_.rank())];
    int local = 0, ranks = 0;
    for (int r = 0; r < group_.size(); ++r)
      if (of_all[static_cast<std::size_t>(r)] == mine) {
        if (r < group_.rank()) ++local;
        ++ranks;
      }
    ++moves_;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus_)) cpus.push_back(cpu);
    if (static_cast<int>(cpus.size()) < ranks) return;  // bound by the launcher: do not move
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>((local + moves_) % ranks)]), &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }

  busbar::Group& group_;
  std::size_t bytes_, offset_ = 0;
  busbar::Settler settler_;
  std::unique_ptr<Pages> send_, recv_;
  std::mt19937 random_{7};
  cpu_set_t cpus_{};
  int moves_ = 0;
};

/// Samples of one batch, by the slowest rank of each call. Sets the number of calls for the next batch.
std::vector<double> batch(const Surroundings& with, Size& size) {
  const auto call = [&] { MPI_Allreduce(with.send(), with.recv(), size.count, MPI_FLOAT, MPI_SUM, with.comm); };
  for (std::size_t i = 0; i < std::max<std::size_t>(1, size.calls / 2); ++i) call();
  std::vector<double> times(size.calls + 1);
  const auto begin = micro::Clock::now();
  for (std::size_t i = 0; i < size.calls; ++i) {
    MPI_Barrier(with.comm);
    const auto t0 = micro::Clock::now();
    call();
    times[i] = micro::seconds(micro::Clock::now() - t0);
  }
  times.back() = micro::seconds(micro::Clock::now() - begin);
  MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  size.calls = static_cast<std::size_t>(
      std::clamp(static_cast<double>(size.calls) * batch_seconds / times.back(), double{fewest}, double{most}));
  times.pop_back();
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);  // MPI_Init
  if (argc < 5) {
    std::fprintf(
        stderr,
        "usage: variance_levels EPOCHS ROUNDS nothing|communicator|buffers|offsets|placement|settle|all BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int epochs = std::atoi(argv[1]), rounds = std::atoi(argv[2]);
  const std::string_view what = argv[3];
  std::vector<Size> sizes;
  for (int i = 4; i < argc; ++i)
    sizes.push_back({.count = static_cast<int>(std::strtoul(argv[i], nullptr, 10) / sizeof(float))});
  const auto largest = std::ranges::max(sizes, {}, &Size::count).count;
  Surroundings surroundings(*group, static_cast<std::size_t>(largest) * sizeof(float));
  const double step = micro::clock_step();
  std::vector<std::size_t> order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(1);

  for (int epoch = 0; epoch < epochs; ++epoch) {
    if (epoch > 0) surroundings.renew(what);
    for (int round = epoch == 0 ? -2 : 0; round < rounds; ++round) {  // the first two only determine how many calls fit
      std::ranges::shuffle(order, random);
      for (const std::size_t i : order) {
        const auto samples = batch(surroundings, sizes[i]);
        const auto half = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
        if (group->rank() != 0 || round < 0) continue;
        std::printf("%d %d %zu %.9g %.9g\n", epoch, round, static_cast<std::size_t>(sizes[i].count) * sizeof(float),
                    micro::stepped_median({samples.begin(), half}, step),
                    micro::stepped_median({half, samples.end()}, step));
      }
    }
  }
  MPI_Comm_free(&surroundings.comm);
}
