// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_cuda_driver(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.cuda.value_or("none"));
  if (std::ranges::count(values, "none") == std::ssize(values))
    return {not_applicable("no NVIDIA driver: libcuda.so.1 not found on any host")};
  return {same_on_ranks(State::failed, f, "driver CUDA version", values)};
}

}  // namespace

extern const Check cuda_driver{
    .name = "cuda_driver",
    .stage = Stage::same,
    .about = "same driver CUDA version on all ranks",
    .expected = "the driver supports the same CUDA version on all ranks",
    .why = "a program built for a newer CUDA starts only on hosts whose driver supports it",
    .advice = "Install the same driver on all hosts; nvidia-smi shows the version.",
    .find = check_cuda_driver,
};

}  // namespace busbar::preflight
