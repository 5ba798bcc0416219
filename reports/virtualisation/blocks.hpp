// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/virtualisation/study.hpp"

namespace busbar::virtualisation {

/// For each study: the verdict in a sentence, all workloads, the cost over size, where it lies and what to change. The
/// first block says which sides are emulated; each study has tables and charts of its own. Empty without studies.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<Study>&, const std::vector<Run>&);

/// Additional time over message size, a line per collective; several figures if there are more lines than colours.
[[nodiscard]] std::vector<report::Figure> cost_figures(const Study&);

}  // namespace busbar::virtualisation
