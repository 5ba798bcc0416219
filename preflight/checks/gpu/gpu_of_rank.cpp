// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

void add_shared(const Facts& f, std::vector<CheckResult>& findings) {
  std::map<std::pair<int, std::string>, std::vector<int>> owners;
  for (std::size_t r = 0; r < f.ranks.size(); ++r)
    if (f.ranks[r].gpu.uuid) owners[{f.ranks[r].host, *f.ranks[r].gpu.uuid}].push_back(static_cast<int>(r));
  for (const auto& [gpu, ranks] : owners)
    if (ranks.size() > 1)
      findings.push_back(about_ranks(State::failed, f, ranks,
                                     fmt::format("{} share one GPU: {} (source: {})", name_ranks(f, ranks), gpu.second,
                                                 f.ranks[static_cast<std::size_t>(ranks[0])].gpu.how.value_or("?"))));
}

std::vector<CheckResult> check_gpu_of_rank(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<CheckResult> findings;
  add_shared(f, findings);
  for (std::size_t r = 0; r < f.ranks.size(); ++r)
    if (!f.ranks[r].gpu.uuid)
      findings.push_back(about_ranks(State::failed, f, {static_cast<int>(r)},
                                     fmt::format("{} has no GPU: {}", name_ranks(f, {static_cast<int>(r)}),
                                                 f.ranks[r].gpu.problem.value_or("its UUID cannot be read"))));
  if (findings.empty()) findings.push_back(all_well(fmt::format("{} ranks, each with its own GPU", f.ranks.size())));
  return findings;
}

}  // namespace

extern const Check gpu_of_rank{
    .name = "gpu_of_rank",
    .stage = Stage::gpu,
    .about = "a separate GPU for each rank",
    .expected = "each rank on a host with GPUs has one; no two ranks share one (by UUID)",
    .why = "NCCL refuses two ranks on one GPU (\"Duplicate GPU detected\"); if it allows them, they share its speed",
    .advice =
        "Start one rank per GPU. Let each rank see all GPUs or only its own: CUDA_VISIBLE_DEVICES by local rank; "
        "Slurm: --gpus-per-task=1 --gpu-bind=none.",
    .find = check_gpu_of_rank,
};

}  // namespace busbar::preflight
