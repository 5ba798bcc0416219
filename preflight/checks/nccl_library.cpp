// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_nccl_library(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.nccl.value_or("none"));
  if (std::ranges::count(values, "none") == std::ssize(values))
    return {not_applicable("the loader finds no libnccl.so.2 on any host")};
  return {same_on_ranks(State::failed, f, "NCCL", values)};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check nccl_library{
    .name = "nccl_library",
    .stage = preflight::Stage::same,
    .about = "the same NCCL on all ranks",
    .expected = "libnccl.so.2 as the loader finds it has the same version on all ranks",
    .why = "NCCL refuses or hangs between ranks of different versions",
    .advice = "Install one NCCL on all hosts; LD_LIBRARY_PATH may lead to another one on some of them.",
    .judge = preflight::check_nccl_library,
};

}  // namespace busbar
