// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/nccl_parts.hpp"
#include "preflight/checks/pairs.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_nccl_messages(const Facts& f) {
  if (auto without = without_nccl(f)) return {*std::move(without)};
  return judge_pairs(f, &RankFacts::nccl_pairs);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check nccl_messages{
    .name = "nccl_messages",
    .stage = preflight::Stage::pairs,
    .about = "sums of two ranks by NCCL, 8 B and 1 MiB: neighbours on each host, then from host to host",
    .expected = "each pair gets the right sums, within the time of a stage",
    .why = "a job over all ranks that hangs does not say between which two; a pair does",
    .advice =
        "NCCL_DEBUG=INFO tells which way NCCL took. Of one host: /dev/shm, NCCL_P2P_DISABLE=1, ACS; of two: see stage "
        "network, NCCL_SOCKET_IFNAME, NCCL_IB_HCA, NCCL_IB_DISABLE=1.",
    .judge = preflight::check_nccl_messages,
};

}  // namespace busbar
