// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_nccl_messages(const Facts& f) {
  if (auto without = without_nccl(f)) return {*std::move(without)};
  return judge_pairs(f, &RankFacts::nccl_pairs);
}

}  // namespace

extern const Check nccl_messages{
    .name = "nccl_messages",
    .stage = Stage::pairs,
    .about = "NCCL allreduce of two ranks, 8 B and 1 MiB: neighbours on each host, then between hosts",
    .expected = "each pair gets the correct sums within the time limit",
    .why = "a hanging job over all ranks does not show which two cannot communicate; a pair does",
    .advice =
        "NCCL_DEBUG=INFO shows NCCL's transport. On one host: /dev/shm, NCCL_P2P_DISABLE=1, ACS. Between hosts: see "
        "stage network, NCCL_SOCKET_IFNAME, NCCL_IB_HCA, NCCL_IB_DISABLE=1.",
    .find = check_nccl_messages,
};

}  // namespace busbar::preflight
