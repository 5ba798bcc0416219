// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/contention.hpp"

namespace busbar::predict {

/// Prior weight of a switch to another algorithm where that becomes faster: even odds.
inline constexpr double chance_of_change = 0.5;

/// What predictions from a fit assume, one or two sentences each; first what the library's own model says of the
/// measured numbers of nodes and those to be predicted. The other arguments as in FromFitOptions.
[[nodiscard]] std::vector<std::string> assumptions_of_fit(const fit::Fit&, const std::vector<int>& nodes,
                                                          double confidence, double allowance, Topology);

}  // namespace busbar::predict
