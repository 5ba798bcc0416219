// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/nccl_parts.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_nccl_allreduce(const Facts& f) {
  if (auto without = without_nccl(f)) return {*std::move(without)};
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks)
    judgements.push_back(r.nccl_problem ? Judgement{.state = State::failed, .read = *r.nccl_problem}
                                        : Judgement{.state = State::ok, .read = "its sums are right"});
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check nccl_allreduce{
    .name = "nccl_allreduce",
    .stage = preflight::Stage::all,
    .about = "a sum over all ranks by NCCL, of 8 B and of 1 MiB",
    .expected = "every rank gets the same, right sum",
    .why = "pairs may be well where rings and trees over all ranks are not",
    .advice = "NCCL_DEBUG=INFO; other algorithms (NCCL_ALGO=Ring, Tree), without NVLS (NCCL_NVLS_ENABLE=0).",
    .judge = preflight::check_nccl_allreduce,
};

}  // namespace busbar
