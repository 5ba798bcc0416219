// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_build(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.build);
  return {same_on_ranks(State::failed, f, "build", values)};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check build{
    .name = "build",
    .stage = preflight::Stage::same,
    .about = "the same build of this program on all ranks",
    .expected = "version and git revision are the same on all ranks",
    .why =
        "ranks of different builds may send each other messages that the other does not expect: wrong data, "
        "or a hang",
    .advice =
        "Install one build on all hosts, or put it on a file system that they share; busbar-preflight "
        "--version says which one is there.",
    .judge = preflight::check_build,
};

}  // namespace busbar
