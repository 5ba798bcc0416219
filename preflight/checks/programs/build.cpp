// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_build(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.build);
  return {same_on_ranks(State::failed, f, "build", values)};
}

}  // namespace

extern const Check build{
    .name = "build",
    .stage = Stage::same,
    .about = "same build of this program on all ranks",
    .expected = "same version and git revision on all ranks",
    .why = "ranks with different builds may exchange incompatible messages: wrong data or a hang",
    .advice =
        "Install one build on all hosts or on a shared file system; busbar-preflight --version shows the installed "
        "one.",
    .find = check_build,
};

}  // namespace busbar::preflight
