// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/expected/expected_blocks.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report {
namespace {

/// Empty if there is no ceiling.
std::vector<Block> expected_bandwidth_blocks(const Material& material) {
  const auto& all = material.expected();
  const bool any = std::ranges::any_of(all, [](const expected::ExpectedSeries& series) {
    return std::ranges::any_of(series.points, &expected::ExpectedPoint::ceiling);
  });
  return any ? expected::blocks_of(all) : std::vector<Block>{};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section expected_bandwidth{
    .name = "expected", .title = "Achieved and expected bandwidth", .blocks = report::expected_bandwidth_blocks};

}  // namespace busbar
