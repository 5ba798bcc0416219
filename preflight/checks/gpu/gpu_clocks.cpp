// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_gpu_clocks(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  return by_rank(f, [](const RankFacts& r) -> Judgement {
    std::vector<std::string> odd = r.gpu.throttled_by;
    if (r.gpu.ecc_uncorrected.value_or(0) > 0)
      odd.push_back(fmt::format("{} uncorrected memory errors", *r.gpu.ecc_uncorrected));
    if (odd.empty()) return {.state = State::ok, .read = "GPU not throttled"};
    return {.state = State::warning, .read = list(odd)};
  });
}

}  // namespace

extern const Check gpu_clocks{
    .name = "gpu_clocks",
    .stage = Stage::gpu,
    .about = "current GPU clock throttling, and memory errors",
    .expected = "no throttling of idle GPUs; no uncorrected memory error since the driver was loaded",
    .why = "one throttled GPU slows down all ranks; an uncorrected error ends the next job that touches that memory",
    .advice =
        "Run nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER,ECC on that host. Check cooling, power limit and supply. "
        "Reset or replace a GPU with uncorrected errors.",
    .find = check_gpu_clocks,
};

}  // namespace busbar::preflight
