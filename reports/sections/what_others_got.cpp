// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/expected/placement_blocks.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report {
namespace {

/// Empty if no run has a place among published results.
std::vector<Block> what_others_got_blocks(const Material& material) {
  const auto& places = material.places();
  const bool any = std::ranges::any_of(places, [](const auto& run) { return !run.placed.empty(); });
  return any ? expected::blocks_of(places) : std::vector<Block>{};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section what_others_got{
    .name = "others", .title = "What others got", .blocks = report::what_others_got_blocks, .folded = true};

}  // namespace busbar
