// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_gpu_clocks(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    std::vector<std::string> odd = r.gpu.throttled_by;
    if (r.gpu.ecc_uncorrected.value_or(0) > 0)
      odd.push_back(fmt::format("{} uncorrected memory errors", *r.gpu.ecc_uncorrected));
    judgements.push_back({.state = odd.empty() ? State::ok : State::warning,
                          .read = odd.empty() ? "nothing throttles its GPU" : list(odd)});
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check gpu_clocks{
    .name = "gpu_clocks",
    .stage = preflight::Stage::gpu,
    .about = "what holds the clocks of GPUs down now, and memory errors",
    .expected =
        "nothing throttles an idle GPU, and it has had no uncorrected memory error since its driver was "
        "loaded",
    .why =
        "a GPU that throttles sets the pace of all ranks; an uncorrected error ends the next job that touches "
        "that memory",
    .advice =
        "nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER,ECC on that host: cooling, power limit, supply; a GPU "
        "with uncorrected errors wants a reset, or replacing.",
    .judge = preflight::check_gpu_clocks,
};

}  // namespace busbar
