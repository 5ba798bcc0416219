// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

/// "KVM", "KVM; GPUs: passthrough".
std::string kind_of(const Host& host) {
  std::vector<std::string> gpus;
  for (const Gpu& gpu : host.gpus)
    if (gpu.virtualisation && std::ranges::find(gpus, *gpu.virtualisation) == gpus.end())
      gpus.push_back(*gpu.virtualisation);
  return gpus.empty() ? host.virtualisation : fmt::format("{}; GPUs: {}", host.virtualisation, list(gpus));
}

std::vector<CheckResult> check_virtualisation(const Facts& f) {
  std::vector<std::string> kinds;
  for (const HostFacts& h : f.hosts) kinds.push_back(kind_of(h.host));
  return {same_on_hosts(State::warning, f, "virtualisation", kinds)};
}

}  // namespace

extern const Check virtualisation{
    .name = "virtualisation",
    .stage = Stage::host,
    .about = "same virtualisation and GPU passthrough on all hosts",
    .expected = "all hosts have the same kind of virtualisation",
    .why = "one virtual machine among bare-metal hosts slows down all; devices that are not passed through are slow",
    .advice = "Compare runs on hosts of one kind; docs/method.md explains the effects of virtual CPUs.",
    .find = check_virtualisation,
};

}  // namespace busbar::preflight
