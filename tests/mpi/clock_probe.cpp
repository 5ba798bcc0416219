// SPDX-License-Identifier: Apache-2.0
// Runs ClockSync over MPI on ranks of one host, whose true time is known. Prints its facts and the error of every
// rank's global time.
//   clock_probe         all ranks on one host
//   clock_probe apart   each rank as a host of its own, its clock 5 ms and 40 ppm a rank ahead of the host's
#include <cmath>
#include <string_view>

#include <fmt/core.h>

#include "bench/engine/clock_sync.hpp"
#include "bench/engine/window.hpp"
#include "core/base/json.hpp"
#include "core/mpi/group.hpp"
#include "core/record/parts.hpp"

namespace {

using busbar::steady_ns;

/// Seconds by which rank 0's clock, as this rank tells it, is off. `clock`: this rank's, of the host's.
template <class Clock>
double error_s(const busbar::ClockSync& sync, Clock clock) {
  const std::int64_t steady = steady_ns();
  return static_cast<double>(sync.to_global(clock(steady)) - steady) * 1e-9;
}

void probe(busbar::Group& group, bool apart) {
  const int rank = group.rank();
  const std::int64_t begin = steady_ns();
  const auto clock = [=](std::int64_t steady) {
    return apart ? steady + rank * (5'000'000 + std::llround(40e-6 * static_cast<double>(steady - begin))) : steady;
  };
  std::vector<int> hosts(static_cast<std::size_t>(group.size()), 0);
  if (apart)
    for (std::size_t r = 0; r < hosts.size(); ++r) hosts[r] = static_cast<int>(r);

  busbar::ClockSync sync(group, hosts, [clock] { return clock(steady_ns()); });
  if (rank == 0) fmt::print("{}\n", nlohmann::json(sync.facts()).dump());
  for (int check = 0; check < 5; ++check) {
    const auto errors = group.all_gather(error_s(sync, clock));
    const std::int64_t before = steady_ns();
    const bool anew = sync.check(check);
    const double took_s = static_cast<double>(steady_ns() - before) * 1e-9;
    if (rank == 0) {
      fmt::print("error of rank:");
      for (std::size_t r = 0; r < errors.size(); ++r) fmt::print(" {}: {:.2f} us", r, errors[r] * 1e6);
      fmt::print("; the check saw {:.2f} us{}, {:.1f} ms\n", sync.checks().checks.back().residual_s * 1e6,
                 anew ? " and synchronised anew" : "", took_s * 1e3);
    }
    (void)busbar::wait_until(steady_ns() + 500'000'000, true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);
  busbar::or_abort(*group, [&] { probe(*group, argc > 1 && std::string_view(argv[1]) == "apart"); });
}
