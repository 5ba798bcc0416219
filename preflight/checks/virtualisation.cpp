// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> judge(const Facts& f) {
  std::vector<std::string> kinds;
  for (const HostFacts& h : f.hosts) kinds.push_back(h.host.virtualisation);
  return {same_on_hosts(State::warning, f, "virtualisation", kinds)};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check virtualisation{
    .name = "virtualisation",
    .stage = preflight::Stage::host,
    .about = "whether hosts are virtual machines, all of one kind",
    .expected = "all hosts are of one kind",
    .why =
        "one virtual machine among metal sets the pace of all; on virtual machines, devices that are not "
        "passed through are slow",
    .advice = "Compare runs on hosts of one kind; docs/method.md says what virtual CPUs do to figures.",
    .judge = preflight::judge,
};

}  // namespace busbar
