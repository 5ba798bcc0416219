// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>

#include "reports/platform/platform.hpp"
#include "reports/platform/told.hpp"
#include "tests/fuzz/require.hpp"

/// Reads any bytes as properties of a platform, a line NAME=VALUE each, as in the record of a simulation. They
/// describe no platform of busbar's, or one that can be described and rebuilt.
namespace busbar::fuzz {
namespace {

constexpr int most_nodes_drawn = 64;  ///< each pair of nodes has a route, which is looked at for every input

platform::Properties properties_in(std::string_view text) {
  platform::Properties all;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find('=');
    if (equals != std::string::npos) all["busbar." + line.substr(0, equals)] = line.substr(equals + 1);
  }
  return all;
}

void as_platform(std::string_view text) {
  const auto spec = platform::from_properties(properties_in(text));
  if (!spec) return;
  const auto topology = platform::topology_of(*spec);
  require(topology->nodes() >= 1 && topology->nodes() <= platform::most_nodes, "too many nodes");
  if (topology->nodes() > most_nodes_drawn) return;
  const platform::Overview all = platform::overview_of(*spec);
  require(std::isfinite(all.bisection_Bps) && all.bisection_Bps >= 0, "no bisection");
  (void)platform::facts_of(*spec, all);
  const auto said = platform::properties(*spec);
  const auto again = platform::from_properties(said);
  require(again && platform::properties(*again) == said, "what it says makes another platform");
  std::ostringstream xml;
  platform::write_xml(*spec, xml);
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_platform(text); });
}

}  // namespace busbar::fuzz
