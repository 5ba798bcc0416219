// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Fits times as sums of a few terms.
namespace busbar::fit {

/// Terms of a time: seconds per call, per step, per byte. See Algorithm for steps and volumes.
inline constexpr std::size_t terms = 3;
inline constexpr std::size_t call_term = 0, step_term = 1, byte_term = 2;
using Terms = std::array<double, terms>;
using Matrix = std::array<Terms, terms>;  ///< symmetric

/// Scalar product; for a row and coefficients, the fitted time.
[[nodiscard]] double dot(const Terms&, const Terms&);
/// x' M x.
[[nodiscard]] double quadratic(const Matrix&, const Terms&);

/// One time, with the factor of each coefficient.
struct Row {
  Terms x{};
  double time_s = 0;       ///< > 0
  std::size_t launch = 0;  ///< rows of one launch share an offset
};

/// What is known of a coefficient beside the times. Its ratio to `value` follows a Cauchy distribution around 1, so
/// that times that clearly say something else count more than the prior.
struct Prior {
  std::size_t term = 0;
  double value = 0;   ///< > 0
  double spread = 0;  ///< scale of the ratio, > 0
};

/// Non-negative coefficients and their precision. Residuals are ln(measured / fitted).
struct LogFit {
  Terms coefficients{};
  Matrix covariance{};  ///< of the coefficients; as if unconstrained, even at the bound 0
  double scatter = 0;   ///< scale of Student's t with `tail_degrees`, over sizes of a launch
  double degrees = 0;   ///< of freedom: rows minus coefficients
  double log_likelihood = 0;
  std::size_t wanted = 0;         ///< number of fitted coefficients
  std::vector<double> residuals;  ///< one per row, including the launch's offset
};

/// Residuals follow Student's t with this many degrees of freedom, so that disturbed sizes do not distort the curve.
inline constexpr double tail_degrees = 4;
/// Lower limit of the scatter: printed times have three to four digits.
inline constexpr double least_scatter = 0.005;

/// Maximum likelihood over non-negative coefficients, by iteratively reweighted least squares. Terms with `wanted`
/// false stay 0. Each launch has an offset whose logarithm has standard deviation `launch_spread`, so more sizes do not
/// count as more launches. Empty if there are no more rows than wanted terms, a term is 0 in all rows, two terms cannot
/// be separated, or the best curve is off by more than 10x somewhere. Sources: K. Lange, R. Little, J. Taylor: Robust
/// Statistical Modeling Using the t Distribution, 1989 (weights and their covariance); N. Laird, J. Ware:
/// Random-Effects Models for Longitudinal Data, 1982 (launches). All of the at most 7 sets of positive terms are tried,
/// which is exact, unlike the search of C. Lawson, R. Hanson: Solving Least Squares Problems, 1974.
[[nodiscard]] std::optional<LogFit> fit_logs(std::span<const Row>, const std::array<bool, terms>& wanted,
                                             double launch_spread, const std::optional<Prior>& = {});

}  // namespace busbar::fit
