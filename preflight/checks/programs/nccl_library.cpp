// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_nccl_library(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.nccl.value_or("none"));
  if (std::ranges::count(values, "none") == std::ssize(values))
    return {not_applicable("libnccl.so.2 not found on any host")};
  return {same_on_ranks(State::failed, f, "NCCL", values)};
}

}  // namespace

extern const Check nccl_library{
    .name = "nccl_library",
    .stage = Stage::same,
    .about = "same NCCL version on all ranks",
    .expected = "the loader finds the same version of libnccl.so.2 on all ranks",
    .why = "NCCL fails or hangs between ranks with different versions",
    .advice = "Install one NCCL version on all hosts; check LD_LIBRARY_PATH for another one on some of them.",
    .find = check_nccl_library,
};

}  // namespace busbar::preflight
