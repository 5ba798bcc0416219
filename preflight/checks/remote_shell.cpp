// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_remote_shell(const Facts& f) {
  if (!f.unshelled) return {not_applicable("--ssh was not asked for")};
  if (f.hosts.size() < 2) return {not_applicable("there is one host")};
  std::vector<Finding> findings;
  for (const Unshelled& u : *f.unshelled)
    findings.push_back({.state = State::failed,
                        .read = fmt::format("{} does not get to {}: {}", u.from, u.to, u.problem),
                        .hosts = {u.from, u.to},
                        .ranks = {}});
  if (findings.empty())
    findings.push_back(all_well(fmt::format("{} hosts start commands on each other", f.hosts.size())));
  return findings;
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check remote_shell{
    .name = "remote_shell",
    .stage = preflight::Stage::network,
    .about = "the remote shell from each host to others, without a password (--ssh)",
    .expected = "it starts a command on every other host, and asks for nothing",
    .why =
        "mpirun starts its daemons by it, in a tree: a host may have to start others, not just the first one "
        "all",
    .advice =
        "ssh-copy-id, or host-based authentication; accept host keys beforehand (ssh-keyscan); another shell: "
        "OMPI_MCA_plm_rsh_agent.",
    .judge = preflight::check_remote_shell,
};

}  // namespace busbar
