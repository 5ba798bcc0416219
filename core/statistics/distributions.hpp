// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// Probability distributions, by Boost.Math.
namespace busbar {

/// P(T > t) of Student's t, `degrees` > 0. Above a million degrees of freedom, including infinity, T is normal, which
/// is the same in double precision.
[[nodiscard]] double upper_tail(double t, double degrees);

/// The t with P(T > t) = `tail`, 0 < tail < 1, `degrees` > 0.
[[nodiscard]] double upper_quantile(double tail, double degrees);

/// Degrees of freedom from which Student's t is normal.
inline constexpr double normal_degrees = 1e6;

/// Probability of at least k successes in n independent trials with success probability p, 0 < p < 1.
[[nodiscard]] double binomial_at_least(std::size_t k, std::size_t n, double p);

}  // namespace busbar
