// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "reports/compare/document.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report {
namespace {

/// Only with `--by`: the user decides which runs to compare.
std::vector<Block> comparison_blocks(const Material& material) {
  const compare::Told* told = material.comparison();
  if (told == nullptr) return {};
  std::vector<Block> all = compare::head_blocks(*told);
  for (const compare::Set& set : told->comparison.sets) {
    std::ranges::move(compare::set_blocks(*told, set, false), std::back_inserter(all));
    std::ranges::move(compare::figures_of(*told, set), std::back_inserter(all));
  }
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section comparison{
    .name = "comparison", .title = "Comparison", .blocks = report::comparison_blocks};

}  // namespace busbar
