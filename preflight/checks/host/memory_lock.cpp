// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_memory_lock(const Facts& f) {
  return by_rank(f, [&](const RankFacts& r) -> Judgement {
    constexpr std::uint64_t least = 64 << 10;
    const auto limit = r.limits.memlock_bytes;
    if (!limit) return {.state = State::ok, .read = "unlimited"};
    const std::string size = format_size(*limit);
    if (!f.hosts[static_cast<std::size_t>(r.host)].host.rdma.empty())
      return {.state = State::failed, .read = size + "; its host has RDMA devices"};
    return {.state = *limit < least ? State::warning : State::ok, .read = size + "; no RDMA device here"};
  });
}

}  // namespace

extern const Check memory_lock{
    .name = "memory_lock",
    .stage = Stage::host,
    .about = "locked memory limit of each rank (ulimit -l)",
    .expected = "unlimited with RDMA devices; at least 64 KiB without",
    .why =
        "RDMA locks the memory that it registers: with a low limit MPI falls back to TCP, or ends with \"cannot "
        "register\" or \"ibv_reg_mr failed\"",
    .advice =
        "Set memlock to unlimited in /etc/security/limits.conf and for the launching daemon (systemd: "
        "LimitMEMLOCK=infinity of sshd, slurmd); containers: --ulimit memlock=-1.",
    .find = check_memory_lock,
};

}  // namespace busbar::preflight
