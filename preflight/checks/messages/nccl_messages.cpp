// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/nccl_parts.hpp"
#include "preflight/checks/pairs.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_nccl_messages(const Facts& f) {
  if (auto without = without_nccl(f)) return {*std::move(without)};
  return judge_pairs(f, &RankFacts::nccl_pairs);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check nccl_messages{
    .name = "nccl_messages",
    .stage = preflight::Stage::pairs,
    .about = "NCCL allreduce of two ranks, 8 B and 1 MiB: neighbours on each host, then between hosts",
    .expected = "each pair gets the correct sums within the time limit",
    .why = "a hanging job over all ranks does not show which two cannot communicate; a pair does",
    .advice =
        "NCCL_DEBUG=INFO shows NCCL's transport. On one host: /dev/shm, NCCL_P2P_DISABLE=1, ACS. Between hosts: see "
        "stage network, NCCL_SOCKET_IFNAME, NCCL_IB_HCA, NCCL_IB_DISABLE=1.",
    .find = preflight::check_nccl_messages,
};

}  // namespace busbar
