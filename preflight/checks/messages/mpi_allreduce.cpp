// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_mpi_allreduce(const Facts& f) {
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    Judgement j{.state = State::ok, .read = "sums correct"};
    for (const SumResult& s : r.sums)
      if (s.problem && j.state == State::ok) j = {.state = State::failed, .read = "wrong data: " + *s.problem};
    judgements.push_back(j);
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check mpi_allreduce{
    .name = "allreduce",
    .stage = preflight::Stage::all,
    .about = "MPI allreduce over all ranks, 8 B and 1 MiB",
    .expected = "every rank gets the correct sum",
    .why = "wrong sums from a library or a network silently corrupt training",
    .advice = "Try other MPI algorithms (--mca coll ^tuned), another MPI version, and memory tests on the named hosts.",
    .find = preflight::check_mpi_allreduce,
};

}  // namespace busbar
