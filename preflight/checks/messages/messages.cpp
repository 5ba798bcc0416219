// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_messages(const Facts& f) { return judge_pairs(f, &RankFacts::pairs); }

}  // namespace

extern const Check messages{
    .name = "messages",
    .stage = Stage::pairs,
    .about = "messages between two ranks, 8 B and 1 MiB: neighbours on each host, then between hosts",
    .expected = "each pair's messages arrive unchanged within the time limit",
    .why = "MPI starts even if ranks cannot reach each other; the first message then fails or hangs",
    .advice =
        "On one host: check /dev/shm, try --mca btl_vader_single_copy_mechanism none. Between hosts: see stage "
        "network, try --mca btl_tcp_if_include. UCX: UCX_NET_DEVICES, UCX_LOG_LEVEL=info.",
    .find = check_messages,
};

}  // namespace busbar::preflight
