// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/plot.hpp"

/// What a chart shows, in words, for readers who do not see it.
namespace busbar::report {

/// "busbw (GB/s) over size, allreduce. vm: at most 4.10 GB/s, at 1 MiB. metal: ..." Of time: the times of the smallest
/// and the largest size. Names at most most_shown_lines of the lines that are shown.
[[nodiscard]] std::string chart_words(const Charts&, Quantity);

/// "efficiency (%) over ranks. vm: 61 to 100." Bars, cells and spans have only their titles and captions.
[[nodiscard]] std::string plot_words(const Plot&, const std::vector<Line>&, const std::vector<LegendEntry>& legend);

}  // namespace busbar::report
