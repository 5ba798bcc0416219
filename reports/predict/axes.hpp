// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/document/plot.hpp"

/// Axes of plots of predictions. Plots must have marks.
namespace busbar::predict {

/// Range of the marks and their intervals.
[[nodiscard]] report::Range extent(const report::Plot&);

/// Range of the marks along x.
[[nodiscard]] report::Range x_extent(const report::Plot&);

/// A logarithmic axis, longer than the range by the factor `margin` at both ends.
[[nodiscard]] report::PlotAxis log_axis(std::string title, report::Range, const report::Ticks&, double margin);

/// Along x: numbers of nodes or ranks.
[[nodiscard]] report::PlotAxis count_axis(const std::string& title, const report::Plot&);

/// Along x: sizes in bytes.
[[nodiscard]] report::PlotAxis size_axis(const report::Plot&);

/// Along y: times in seconds, or bandwidths in GB/s.
[[nodiscard]] report::PlotAxis value_axis(const report::Plot&, report::Quantity);

}  // namespace busbar::predict
