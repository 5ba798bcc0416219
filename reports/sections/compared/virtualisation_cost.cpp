// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/report_document.hpp"
#include "reports/virtualisation/blocks.hpp"

namespace busbar::report {
namespace {

std::vector<Block> virtualisation_cost_blocks(const Material& material) {
  return virtualisation::blocks_of(material.virtualisation(), material.runs());
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section virtualisation_cost{
    .name = "virtualisation", .title = "Virtualisation overhead", .blocks = report::virtualisation_cost_blocks};

}  // namespace busbar
