// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_hardware(const Facts& f) {
  std::vector<std::string> models, kernels, drivers;
  for (const HostFacts& h : f.hosts) {
    models.push_back(h.host.cpu_model.value_or("unknown"));
    kernels.push_back(h.host.kernel.value_or("unknown"));
    drivers.push_back(h.host.gpu_driver.value_or("none"));
  }
  return {same_on_hosts(State::warning, f, "processor", models), same_on_hosts(State::warning, f, "kernel", kernels),
          same_on_hosts(State::failed, f, "NVIDIA driver", drivers)};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check hardware{
    .name = "hardware",
    .stage = preflight::Stage::host,
    .about = "the same processors and kernels on all hosts",
    .expected = "processor model and Linux kernel are the same on all hosts",
    .why =
        "the slowest host sets the pace of every collective, so one odd host makes all figures those of that "
        "host",
    .advice = "Leave the odd host out, or measure its kind apart.",
    .judge = preflight::check_hardware,
};

}  // namespace busbar
