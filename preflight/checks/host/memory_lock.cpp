// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_memory_lock(const Facts& f) {
  constexpr std::uint64_t least = 64 << 10;
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    const bool rdma = !f.hosts[static_cast<std::size_t>(r.host)].host.rdma.empty();
    const auto limit = r.limits.memlock_bytes;
    if (!limit)
      judgements.push_back({.state = State::ok, .read = "unlimited"});
    else
      judgements.push_back({.state = rdma             ? State::failed
                                     : *limit < least ? State::warning
                                                      : State::ok,
                            .read = fmt::format("{}; {}", format_size(*limit),
                                                rdma ? "its host has RDMA devices" : "no RDMA device here")});
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check memory_lock{
    .name = "memory_lock",
    .stage = preflight::Stage::host,
    .about = "locked memory limit of each rank (ulimit -l)",
    .expected = "unlimited with RDMA devices; at least 64 KiB without",
    .why =
        "RDMA locks the memory that it registers: with a low limit MPI falls back to TCP, or ends with \"cannot "
        "register\" or \"ibv_reg_mr failed\"",
    .advice =
        "Set memlock to unlimited in /etc/security/limits.conf and for the launching daemon (systemd: "
        "LimitMEMLOCK=infinity of sshd, slurmd); containers: --ulimit memlock=-1.",
    .find = preflight::check_memory_lock,
};

}  // namespace busbar
