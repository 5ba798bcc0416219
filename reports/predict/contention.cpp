// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/contention.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::predict {
namespace {

double share_of_links(Topology topology) {
  constexpr double collisions_of_fixed_routes = 0.5;
  switch (topology) {
    case Topology::single_switch:
      return 0;
    case Topology::fat_tree:
      return collisions_of_fixed_routes;
    case Topology::unknown:
    case Topology::tapered_fat_tree:
    case Topology::dragonfly:
    case Topology::torus:
      break;
  }
  return 1;
}

bool between_all(std::string_view collective, std::string_view algorithm) {
  return collective == "alltoall" || algorithm == "pairwise";
}

}  // namespace

Topology parse_topology(std::string_view text) {
  if (const auto topology = enum_named<Topology>(text.substr(0, text.find(':')))) return *topology;
  throw UsageError(fmt::format("--topology: no '{}'; there is: {}", text, words_list<Topology>()));
}

double share_of_slowdown(const Contention& c, std::string_view collective, std::string_view algorithm) {
  if (c.traffic == Traffic::alone && !between_all(collective, algorithm)) return 0;
  return share_of_links(c.topology);
}

}  // namespace busbar::predict
