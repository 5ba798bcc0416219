// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/files/module.hpp"
#include "reports/figure/drawer.hpp"

namespace busbar::figure {

const Drawer& open_drawer(const std::string& flag) {
  try {
    const Module module = Module::open("cairo");
    return module.symbol<Drawer>("busbar_figure_drawer");
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: PDF, SVG and PNG need Cairo, .pgf does not: {}", flag, e.what()));
  }
}

}  // namespace busbar::figure
