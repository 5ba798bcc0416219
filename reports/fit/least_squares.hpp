// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Times as sums of a few terms, fitted to what was measured.
namespace busbar::fit {

/// The terms of a time: seconds once a call, seconds a step, seconds a byte. See Algorithm for steps and volumes.
inline constexpr std::size_t terms = 3;
using Terms = std::array<double, terms>;
using Matrix = std::array<Terms, terms>;  ///< symmetric

/// The sum of products: the time that coefficients lead to.
[[nodiscard]] double dot(const Terms&, const Terms&);
/// x' M x.
[[nodiscard]] double quadratic(const Matrix&, const Terms&);

/// One time, with what each coefficient is multiplied by.
struct Row {
  Terms x{};
  double time_s = 0;       ///< above 0
  std::size_t launch = 0;  ///< rows of one launch may all be off in the same direction
};

/// Coefficients, none below 0, and how far they can be trusted. Residuals are ln(measured / fitted).
struct LogFit {
  Terms coefficients{};
  Matrix covariance{};  ///< of the coefficients; a coefficient at its bound has the variance it had without the bound
  double scatter = 0;   ///< scale of Student's t with `tail_degrees` that sizes of a launch follow
  double degrees = 0;   ///< of freedom: rows less coefficients
  double log_likelihood = 0;
  std::size_t wanted = 0;         ///< how many coefficients were looked for
  std::vector<double> residuals;  ///< a row each, the launch's own among it
};

/// Residuals follow Student's t with so few degrees, so that a disturbed size does not pull the curve.
inline constexpr double tail_degrees = 4;
/// Residuals below this are not told apart from none: printed times have three to four digits.
inline constexpr double least_scatter = 0.005;

/// Largest likelihood over coefficients of at least 0, by weighted least squares that are done again with the weights
/// that their residuals have. A term whose `wanted` is false stays 0. A launch as a whole is off by a factor whose
/// logarithm has the standard deviation `launch_spread`, so that more sizes do not stand for more launches. Empty where
/// there are no more rows than wanted terms, where a term is 0 in all rows, where two cannot be told apart, and
/// where the best curve is off by a factor of more than 10 somewhere.
/// Sources: K. Lange, R. Little, J. Taylor: Robust Statistical Modeling Using the t Distribution, 1989 (weights and
/// their covariance); N. Laird, J. Ware: Random-Effects Models for Longitudinal Data, 1982 (launches); of the at most 7
/// sets of terms that may be above 0 all are tried, which is exact where C. Lawson, R. Hanson: Solving Least Squares
/// Problems, 1974, search.
[[nodiscard]] std::optional<LogFit> fit_logs(std::span<const Row>, const std::array<bool, terms>& wanted,
                                             double launch_spread);

}  // namespace busbar::fit
