// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/contention.hpp"
#include "reports/predict/prediction.hpp"

/// Times at scales that were not measured: of fitted curves; and by simple rules, for sizes that no curve describes.
namespace busbar::predict {

/// The largest measured scale.
[[nodiscard]] fit::Scale largest_scale(const fit::SweepFit&);

/// How far a scale is from the largest measured one: ratios, 1 if it is not larger.
struct Distance {
  double nodes = 1;
  double messages = 1;  ///< that the algorithm splits a size into
  double shared = 1;    ///< share_of_slowdown
};

[[nodiscard]] Distance distance_of(const fit::SweepFit&, std::string_view algorithm, const fit::Scale&,
                                   const Contention&);

/// The region that contains a size, else the nearest one.
[[nodiscard]] const fit::Region& region_of(const std::vector<fit::Region>&, std::uint64_t bytes);

/// The interval for a new launch around a time of a curve, whose terms are `x`. It grows with the number of nodes
/// beyond those measured, and upwards also with that of messages, by as much as bandwidth counts in the time.
[[nodiscard]] Span span_around(double time_s, const fit::Terms& x, const fit::Curve&, const fit::Region&,
                               const Distance&, double confidence);

/// The time of a curve of the region that contains the size. Where an algorithm splits a size into messages, the curve
/// is that of their length; where most of the time is latency, it passes through the times that this size took at each
/// measured scale. Empty if the collective has no such algorithm, or the curve no time there.
[[nodiscard]] std::optional<Span> extrapolate(const fit::SweepFit&, const fit::Region&, const fit::Curve&,
                                              const fit::Scale&, std::uint64_t bytes, const Contention&,
                                              double confidence);

/// How far each time, as a logarithm, is below that of the size before it; 0 if it is not. `by_size`: of one scale, by
/// ascending size.
[[nodiscard]] std::vector<double> falls_of(const std::vector<Predicted>& by_size);

/// Makes times fall with size by no more than `falls`, one for each: neighbours that fall more are moved to their mean,
/// as logarithms (pool adjacent violators: M. Ayer et al.: An Empirical Distribution Function for Sampling with
/// Incomplete Information, 1955).
void limit_falls(std::vector<Predicted>& by_size, const std::vector<double>& falls);

/// "the model does not describe 2 KiB to 1 GiB: measured times are off by a factor of 1.57 (rms)".
[[nodiscard]] std::string not_described(const fit::Region&);

/// A line over log2(nodes) through the times of this size, or the time of the largest scale where that is longer or
/// only one scale was measured. The size must be measured.
[[nodiscard]] Naive naive_time(const fit::SweepFit&, const fit::Scale&, std::uint64_t bytes);

}  // namespace busbar::predict
