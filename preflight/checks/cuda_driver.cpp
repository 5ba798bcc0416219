// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_cuda_driver(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.cuda.value_or("none"));
  if (std::ranges::count(values, "none") == std::ssize(values))
    return {not_applicable("the loader finds no libcuda.so.1 on any host: no NVIDIA driver")};
  return {same_on_ranks(State::failed, f, "CUDA of the driver", values)};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check cuda_driver{
    .name = "cuda_driver",
    .stage = preflight::Stage::same,
    .about = "the same CUDA on all ranks",
    .expected = "the CUDA version that the driver supports is the same on all ranks",
    .why = "a program built for a newer CUDA than a host's driver supports starts on some hosts only",
    .advice = "Install one driver on all hosts; nvidia-smi shows it.",
    .judge = preflight::check_cuda_driver,
};

}  // namespace busbar
