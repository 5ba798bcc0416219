// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> judge(const Facts& f) {
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    Judgement j{.state = State::ok, .read = "its sums are right"};
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
    .about = "a sum over all ranks, of 8 B and of 1 MiB",
    .expected = "every rank gets the same, right sum",
    .why = "a library or a network that gives wrong sums lets training go astray without a word",
    .advice =
        "Try other algorithms of MPI (--mca coll ^tuned), another version of it, and memory tests on the "
        "hosts that are named.",
    .judge = preflight::judge,
};

}  // namespace busbar
