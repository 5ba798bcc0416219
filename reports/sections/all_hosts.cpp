// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/show.hpp"
#include "reports/sections/report_document.hpp"

/// Runs on many hosts: slow hosts, links, rails and launches, and a matrix of pairs.
namespace busbar::report {
namespace {

std::vector<Block> fleet_blocks(const Material& material) {
  const auto& fleet = material.fleet();
  if (!fleet) return {};
  std::vector<Block> all = fleet::blocks_of(*fleet);
  Figure map = fleet::heat_map(*fleet);
  for (Plot& plot : map.plots) {
    all.emplace_back(Figure{.title = map.title, .caption = map.caption, .plots = {std::move(plot)}});
  }
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section all_hosts{.name = "all_hosts", .title = "All hosts", .blocks = report::fleet_blocks};

}  // namespace busbar
