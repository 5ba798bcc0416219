// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/prediction.hpp"

/// Times of fitted curves at scales that were not measured.
namespace busbar::predict {

/// The largest measured scale.
[[nodiscard]] fit::Scale largest_scale(const fit::SweepFit&);

/// The number of nodes over that of the largest measured scale.
[[nodiscard]] double nodes_over_measured(const fit::SweepFit&, const fit::Scale&);

/// The region that contains a size, else the nearest one.
[[nodiscard]] const fit::Region& region_of(const std::vector<fit::Region>&, std::uint64_t bytes);

/// The interval for a new launch around a time of a curve, whose terms are `x`. It grows with the number of nodes
/// beyond those measured, and more upwards.
[[nodiscard]] Span span_around(double time_s, const fit::Terms& x, const fit::Curve&, const fit::Region&,
                               double nodes_ratio, double confidence);

/// The time of a curve of the region that contains the size. Where an algorithm splits a size into messages, the curve
/// is that of their length; where most of the time is latency, it passes through the times that this size took at each
/// measured scale. Empty if the collective has no such algorithm, or the curve no time there.
[[nodiscard]] std::optional<Span> extrapolate(const fit::SweepFit&, const fit::Region&, const fit::Curve&,
                                              const fit::Scale&, std::uint64_t bytes, double confidence);

/// How far each time, as a logarithm, is below that of the size before it; 0 if it is not. `by_size`: of one scale, by
/// ascending size.
[[nodiscard]] std::vector<double> falls_of(const std::vector<Predicted>& by_size);

/// Makes times fall with size by no more than `falls`, one for each: neighbours that fall more are moved to their mean,
/// as logarithms (pool adjacent violators: M. Ayer et al.: An Empirical Distribution Function for Sampling with
/// Incomplete Information, 1955).
void limit_falls(std::vector<Predicted>& by_size, const std::vector<double>& falls);

}  // namespace busbar::predict
