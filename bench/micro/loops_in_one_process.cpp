// SPDX-License-Identifier: Apache-2.0
// busbar-bench's loop and a bare loop of MPI_Barrier; t0; MPI_Allreduce; t1 in one process, for
// scripts/compare-bare-loop --one-process. Both visit each size in turn, in random order and with the same buffers,
// until the time is over: what differs between launches is the same for both. Ranks settle first. Prints a line per
// pair of visits: bytes, median of the samples of busbar's loop, of the bare loop's, pace of the slowest CPU, and
// barrier time before the round, all times in seconds. A sample is the slowest rank's time of one call: fp32, sum, out
// of place.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <mpi.h>

#include "bench/backends/mpi/backend.hpp"
#include "bench/engine/sampler.hpp"
#include "bench/engine/settler.hpp"
#include "core/machine/host_memory.hpp"
#include "core/machine/pace.hpp"
#include "core/mpi/group.hpp"
#include "stepped.hpp"

namespace {

constexpr double visit_seconds = 0.003;
constexpr int fewest = 5, most = 100'000, warm_up = 5;

struct Pair {
  double busbar_s = 0, bare_s = 0, pace_s = 0, barrier_s = 0;
};

/// One size as busbar-bench prepares it.
struct Size {
  Size(std::size_t bytes, const busbar::Group& group, busbar::MpiBackend& backend)
      : spec{.collective = busbar::try_find<busbar::Collective>("allreduce"),
             .op = busbar::Op::sum,
             .count = bytes / sizeof(float),
             .bytes = bytes},
        layout(spec.collective->layout(spec.geometry(group.rank(), group.size()))),
        pattern(spec.type, spec.op, group.rank(), group.size()),
        checker(backend.memory(), spec, pattern) {}

  busbar::Case spec;
  busbar::Layout layout;
  busbar::Pattern pattern;
  busbar::Checker checker;
  int calls = fewest;  ///< in the next visit
  std::vector<Pair> pairs;
};

class Loops {
 public:
  Loops(busbar::Group& group, std::span<char* const> sizes)
      : group_(group), backend_(group, std::make_unique<busbar::HostMemory>(), {}, nullptr) {
    for (const char* bytes : sizes) {
      const Size& size = sizes_.emplace_back(std::strtoul(bytes, nullptr, 10), group, backend_);
      buffers_.reserve(size.layout, size.spec);
    }
    MPI_Bcast(&step_, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // medians, and so the number of calls, must be equal
    settler_.begin(1e9);
  }

  void run(double seconds) {
    const auto start = micro::Clock::now();
    double elapsed = 0;
    for (int round = 0; round < 2 || elapsed < seconds; ++round) {
      settler_.watch_barrier(elapsed, 1e9);
      for (Size& size : sizes_) {
        Pair pair = visit(size);
        pair.barrier_s = settler_.last_barrier_s();
        if (round > 0) size.pairs.push_back(pair);  // the first round tells how many calls a visit has
      }
      elapsed = micro::seconds(micro::Clock::now() - start);
      MPI_Bcast(&elapsed, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  }

  void print() const {
    for (const Size& size : sizes_)
      for (const Pair& p : size.pairs)
        std::printf("%zu %.9g %.9g %.9g %.9g\n", static_cast<std::size_t>(size.spec.bytes), p.busbar_s, p.bare_s,
                    p.pace_s, p.barrier_s);
  }
  [[nodiscard]] bool wrong() const {
    return std::ranges::any_of(sizes_, [](const Size& size) { return size.checker.wrong(); });
  }

 private:
  /// Both loops, either first.
  Pair visit(Size& size) {
    busbar::Prepared p = buffers_.view(size.spec, size.layout, group_.rank(), group_.size());
    p.backend = &backend_;
    backend_.prepare(*size.spec.collective, p.call);
    p.make = backend_.find_call(size.spec.collective->call, size.spec.form);
    size.checker.prepare(p);
    Pair pair;
    const bool busbar_first = (random_() & 1U) != 0;
    for (const bool busbar : {busbar_first, !busbar_first}) {
      const double pace_before_s = pace_.measure();
      std::vector<double> times = busbar ? with_busbar(size, p) : with_bare_loop(size, p);
      times.push_back(0.5 * (pace_before_s + pace_.measure()));
      MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      pair.pace_s = std::max(pair.pace_s, times.back());
      times.pop_back();
      (busbar ? pair.busbar_s : pair.bare_s) = micro::stepped_median(times, step_);
    }
    size.calls = std::clamp(static_cast<int>(visit_seconds / pair.bare_s), fewest, most) | 1;
    return pair;
  }

  std::vector<double> with_busbar(Size& size, const busbar::Prepared& p) {
    (void)sampler_.sample_batch(size.spec, p, size.checker, warm_up, {}, true);
    const busbar::Batch batch = sampler_.sample_batch(size.spec, p, size.checker, size.calls, {}, false);
    std::vector<double> times;
    for (const busbar::Stretch& sample : batch.samples) times.push_back(sample.seconds());
    return times;
  }

  static std::vector<double> with_bare_loop(const Size& size, const busbar::Prepared& p) {
    const void* const send = p.call.send.data();
    void* const recv = p.call.recv.data();
    const int count = static_cast<int>(size.spec.count);
    std::vector<double> times(static_cast<std::size_t>(size.calls));
    for (int i = 0; i < warm_up; ++i) MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (double& time : times) {
      MPI_Barrier(MPI_COMM_WORLD);
      const auto t0 = micro::Clock::now();
      MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      const auto t1 = micro::Clock::now();
      time = micro::seconds(t1 - t0);
    }
    return times;
  }

  busbar::Group& group_;
  std::vector<int> hosts_ = std::vector<int>(static_cast<std::size_t>(group_.size()));
  busbar::MpiBackend backend_;
  busbar::Buffers buffers_{backend_.memory(), {}};
  busbar::ClockSync clock_{group_, hosts_};
  busbar::Progress progress_;
  busbar::Sampler sampler_{group_, clock_, progress_, {}};
  busbar::Settler settler_{group_, hosts_};
  busbar::Pace pace_;
  double step_ = micro::clock_step();
  std::mt19937 random_{1};  // the same on all ranks
  std::list<Size> sizes_;   // checkers refer to their neighbours
};

}  // namespace

int main(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: loops_in_one_process SECONDS BYTES... (one host)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Loops loops(*group, std::span(argv + 2, argv + argc));
  loops.run(std::strtod(argv[1], nullptr));
  if (group->rank() == 0) loops.print();
  if (!loops.wrong()) return 0;
  std::fprintf(stderr, "rank %d: wrong data\n", group->rank());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
