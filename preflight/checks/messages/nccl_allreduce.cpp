// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_nccl_allreduce(const Facts& f) {
  if (auto without = without_nccl(f)) return {*std::move(without)};
  return by_rank(f, [](const RankFacts& r) -> Judgement {
    if (r.nccl_problem) return {.state = State::failed, .read = *r.nccl_problem};
    return {.state = State::ok, .read = "sums correct"};
  });
}

}  // namespace

extern const Check nccl_allreduce{
    .name = "nccl_allreduce",
    .stage = Stage::all,
    .about = "NCCL allreduce over all ranks, 8 B and 1 MiB",
    .expected = "every rank gets the correct sum",
    .why = "pairs can work while rings and trees over all ranks fail",
    .advice =
        "Set NCCL_DEBUG=INFO. Try other algorithms (NCCL_ALGO=Ring, Tree), and disable NVLS (NCCL_NVLS_ENABLE=0).",
    .find = check_nccl_allreduce,
};

}  // namespace busbar::preflight
