// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement judge_gpu(const Gpu& g) {
  std::vector<std::string> odd;
  if (g.ecc == false) odd.emplace_back("ECC off");
  if (g.mig == true) odd.emplace_back("MIG on");
  if (g.persistence == false) odd.emplace_back("persistence off");
  if (g.compute_mode && *g.compute_mode != "default") odd.push_back("compute mode " + *g.compute_mode);
  if (odd.empty()) return {.state = State::ok, .read = {}};
  return {.state = g.compute_mode == "prohibited" ? State::failed : State::warning, .read = list(odd)};
}

std::vector<CheckResult> check_gpu_modes(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<CheckResult> findings;
  std::vector<std::string> models;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    std::vector<std::string> names;
    for (const Gpu& g : f.hosts[h].host.gpus) {
      names.push_back(g.name);
      if (const Judgement j = judge_gpu(g); j.state != State::ok)
        findings.push_back(
            about_hosts(j.state, f, {static_cast<int>(h)},
                        fmt::format("{}, GPU {}: {}", f.hosts[h].host.name, g.bus.value_or("?"), j.read)));
    }
    models.push_back(fmt::format("{} ({})", names.size(), list(names, 1)));
  }
  findings.push_back(same_on_hosts(State::warning, f, "GPU set", models));
  return findings;
}

}  // namespace

extern const Check gpu_modes{
    .name = "gpu_modes",
    .stage = Stage::gpu,
    .about = "ECC, MIG, persistence and compute mode of GPUs",
    .expected = "ECC on, MIG off, persistence on, compute mode default; the same model and memory on all hosts",
    .why =
        "without persistence mode, a job's first call waits seconds for the driver; MIG instances have no NVLink and "
        "no peer access; an exclusive compute mode blocks other tools",
    .advice =
        "Run nvidia-smi -pm 1 (or nvidia-persistenced), nvidia-smi -e 1, nvidia-smi -mig 0, nvidia-smi -c DEFAULT. "
        "The last three need root, and some need a reset.",
    .find = check_gpu_modes,
};

}  // namespace busbar::preflight
