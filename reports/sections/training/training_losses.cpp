// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/losses.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report {
namespace {

std::vector<Block> training_losses_blocks(const Material& material) {
  return losses::blocks_of(losses::losses_of(material.runs()));
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section training_losses{
    .name = "losses", .title = "Where the efficiency went", .blocks = report::training_losses_blocks};

}  // namespace busbar
