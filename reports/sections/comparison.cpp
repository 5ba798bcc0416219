// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "reports/compare/document.hpp"
#include "reports/compare/sides.hpp"
#include "reports/document.hpp"

namespace busbar::report {
namespace {

/// Only where `--by` asked for it: which runs are held against which is for the user to say.
std::vector<Block> blocks(const std::vector<Run>& runs, const DocumentOptions& options) {
  if (options.by.empty()) return {};
  const compare::Request request = compare::by(options.by, runs, options.pool, {});
  const compare::Comparison comparison = compare::compare(runs, request);
  const compare::Told told{.runs = runs,
                           .request = request,
                           .comparison = comparison,
                           .differences = compare::differences(runs, request)};
  std::vector<Block> all = compare::head_blocks(told);
  for (const compare::Set& set : comparison.sets)
    std::ranges::move(compare::set_blocks(told, set, false), std::back_inserter(all));
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section comparison{.name = "comparison", .title = "Comparison", .blocks = report::blocks};

}  // namespace busbar
