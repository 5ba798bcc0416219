// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_remote_shell(const Facts& f) {
  if (!f.unshelled) return {not_applicable("--ssh was not given")};
  if (f.hosts.size() < 2) return {not_applicable("only one host")};
  std::vector<CheckResult> findings;
  for (const Unshelled& u : *f.unshelled)
    findings.push_back({.state = State::failed,
                        .read = fmt::format("{} cannot reach {}: {}", u.from, u.to, u.problem),
                        .hosts = {u.from, u.to},
                        .ranks = {}});
  if (findings.empty())
    findings.push_back(all_well(fmt::format("{} hosts can start commands on each other", f.hosts.size())));
  return findings;
}

}  // namespace

extern const Check remote_shell{
    .name = "remote_shell",
    .stage = Stage::network,
    .about = "passwordless remote shell from each host to others (--ssh)",
    .expected = "the remote shell starts a command on every other host without a prompt",
    .why = "mpirun starts its daemons by remote shell, in a tree: any host may have to start others",
    .advice =
        "Use ssh-copy-id or host-based authentication. Accept host keys in advance (ssh-keyscan). For another shell, "
        "set OMPI_MCA_plm_rsh_agent.",
    .find = check_remote_shell,
};

}  // namespace busbar::preflight
