// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_mpi_allreduce(const Facts& f) {
  return by_rank(f, [](const RankFacts& r) -> Judgement {
    for (const SumResult& s : r.sums)
      if (s.problem) return {.state = State::failed, .read = "wrong data: " + *s.problem};
    return {.state = State::ok, .read = "sums correct"};
  });
}

}  // namespace

extern const Check mpi_allreduce{
    .name = "allreduce",
    .stage = Stage::all,
    .about = "MPI allreduce over all ranks, 8 B and 1 MiB",
    .expected = "every rank gets the correct sum",
    .why = "wrong sums from a library or a network silently corrupt training",
    .advice = "Try other MPI algorithms (--mca coll ^tuned), another MPI version, and memory tests on the named hosts.",
    .find = check_mpi_allreduce,
};

}  // namespace busbar::preflight
