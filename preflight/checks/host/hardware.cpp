// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_hardware(const Facts& f) {
  std::vector<std::string> models, kernels, drivers;
  for (const HostFacts& h : f.hosts) {
    models.push_back(h.host.cpu_model.value_or("unknown"));
    kernels.push_back(h.host.kernel.value_or("unknown"));
    drivers.push_back(h.host.gpu_driver.value_or("none"));
  }
  return {same_on_hosts(State::warning, f, "CPU model", models), same_on_hosts(State::warning, f, "kernel", kernels),
          same_on_hosts(State::failed, f, "NVIDIA driver", drivers)};
}

}  // namespace

extern const Check hardware{
    .name = "hardware",
    .stage = Stage::host,
    .about = "same CPU model, kernel and NVIDIA driver on all hosts",
    .expected = "same CPU model, Linux kernel and NVIDIA driver on all hosts",
    .why = "the slowest host sets the pace of every collective: one odd host determines all results",
    .advice = "Exclude the odd host, or measure it separately.",
    .find = check_hardware,
};

}  // namespace busbar::preflight
