// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>

#include "reports/fit/scale.hpp"

namespace busbar::predict {

/// Logarithms of times at scales; of several times at one, their mean.
using LogTimes = std::map<fit::Scale, double>;

/// What measured times are of simulated ones, as logarithms: their mean, and how far one more scale may be off.
struct Ratio {
  double mean = 0, half_width = 0;
};

/// Over the scales that both have; empty where there is none. `spread`: the standard deviation of launches, by which
/// the half width is no narrower than at `confidence`; else it is by Student's t on how the ratio differs.
[[nodiscard]] std::optional<Ratio> ratio_of(const LogTimes& measured, const LogTimes& simulated, double spread,
                                            double confidence);

}  // namespace busbar::predict
