// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "reports/predict/prediction.hpp"

/// Intervals of figures whose inputs are uncertain.
namespace busbar::predict {

/// Standard deviations of the logarithms of both terms, which move together: less bandwidth, longer steps.
struct Doubt {
  double bandwidth = 0, step = 0;
};

/// What a change of a term of the cost is trusted to: standard deviations of logarithms. Conventions, chosen once
/// (docs/predicting.md): published rates of networks differ by 0.13 ln r in their share of line rate where these rates
/// differ by a factor of r.
inline constexpr double doubt_of_ratio = 0.15;      ///< times ln of the ratio of rates, of NICs, or of latencies
inline constexpr double doubt_of_node = 0.35;       ///< of a step, times ln of the ratio of ranks per node
inline constexpr double doubt_of_algorithm = 0.25;  ///< of steps and bytes of an algorithm that was not chosen

/// Factors of both terms.
struct Move {
  double bandwidth = 1, step = 1;
};

/// The prediction at `predict({})`, with wider intervals: the logarithm of each end is off by the root of the sum of
/// squares of (1) its own distance from the figure, or that of the same figure of `as_it_is` if that is larger, and (2)
/// for each doubt, how far the figure moves if its terms move to the ends of their range at the prediction's
/// confidence. Figures are matched by series, number of nodes, size and reading; one that `as_it_is` lacks is left out.
[[nodiscard]] Variant widened(const std::function<Prediction(const Move&)>& predict, const Prediction& as_it_is,
                              const std::vector<Doubt>&);

/// Ratio of a figure of a variant to that of the machine as it is. Its interval is what widened() added: all other
/// errors are common to both.
[[nodiscard]] Span ratio_to(const Span& as_it_is, const Span& of_variant);

}  // namespace busbar::predict
