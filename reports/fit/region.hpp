// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/fit/least_squares.hpp"
#include "reports/fit/nccl_setups.hpp"
#include "reports/fit/sweep.hpp"

namespace busbar::fit {

/// Launch-to-launch variation: standard deviation of the logarithm of times.
struct LaunchSpread {
  double value = 0.1;
  double degrees = 0;  ///< of freedom of the estimate; 0: `value` is assumed
};

/// One algorithm's curve through the times of a region:
/// time = coefficients[0] + coefficients[1] x steps + coefficients[2] x volume x bytes.
struct Curve {
  std::string algorithm;    ///< name in the table; if reported, that of the largest size and scale
  bool told = false;        ///< reported by the library, not chosen by the fit
  bool step_known = false;  ///< separate from the call: several numbers of places were measured, or the call is known
  Terms coefficients{};     ///< s, s per step, s per byte
  Matrix covariance{};      ///< of the coefficients
  double scatter = 0;       ///< over sizes: scale of Student's t with tail_degrees, of the logarithm
  double degrees = 0;       ///< of freedom
  double weight = 1;  ///< among the curves of its region, by BIC and by what is known of choices; weights sum to 1
};

/// A range of sizes with one algorithm (and protocol), as far as times show.
struct Region {
  std::uint64_t first = 0, last = 0;  ///< bytes, both measured
  std::vector<Curve> curves;          ///< not refuted by the times, best first; never empty
  LaunchSpread launches;
  std::size_t points = 0;
  double rms = 0;    ///< of the best curve's residuals, in logarithms: 0.02 is 2 %
  double worst = 0;  ///< the largest residual, signed
  std::uint64_t worst_bytes = 0;
  std::vector<std::string> choices;  ///< algorithms as the library reports them

  [[nodiscard]] const Curve& best() const { return curves.front(); }
  /// Whether the times lie around the best curve: within a factor of 1.5, as root mean square of logarithms.
  [[nodiscard]] bool is_described() const { return rms <= 0.4; }
};

[[nodiscard]] bool has_curve(const Region&, std::string_view algorithm);

/// Minimum sizes per region: two cannot test a curve.
inline constexpr std::size_t fewest_sizes = 3;
/// Curves below this weight are refuted.
inline constexpr double least_weight = 0.01;

/// Splits a sweep into regions, by ascending size, to minimise the sum of BICs, by dynamic programming. Empty with
/// fewer than `fewest_sizes` sizes. `assumed_spread` applies if launches provide fewer than three degrees of freedom.
/// Set-ups: setups_of(sweep). Sources: G. Schwarz: Estimating the Dimension of a Model, 1978 (BIC); N. Zhang, D.
/// Siegmund: A Modified Bayes Information Criterion with Applications to the Analysis of Comparative Genomic
/// Hybridization Data, 2007 (a cut counts as three parameters, since its place is chosen); R. Bellman, R. Roth: Curve
/// Fitting by Segmented Straight Lines, 1969; R. Kass, A. Raftery: Bayes Factors, 1995 (weights).
[[nodiscard]] std::vector<Region> regions(const Sweep&, const std::vector<NcclSetup>&, double assumed_spread);

/// What a call costs before its first message, where that is known of the library; not for no_library. NCCL: 6.6 to 8.4
/// us in its own model (baseLat of src/graph/tuning.cc, versions 2.18 to 2.30); seen in calls of 0 bytes: 7.4 to 9.1 us
/// on A100.
[[nodiscard]] std::optional<Prior> prior_of_call(const Sweep&);

/// Curves of an algorithm over message length. More ranks split a size into shorter messages, and the time of a ring's
/// step depends on its message, not on the total. `first` and `last` of these regions are lengths.
struct ByMessage {
  std::string algorithm;
  std::vector<Region> regions;  ///< by ascending length
};

/// Fits algorithms that split a size into as many messages as ranks or places and have a curve in `found`; only where
/// the step is separate from the call. Treats all times of the sweep as theirs: if a library chose another algorithm as
/// the faster one, these would not have been faster.
[[nodiscard]] std::vector<ByMessage> by_message(const Sweep&, const std::vector<Region>& found, double assumed_spread);

/// Message length of an algorithm, in bytes; at least 1.
[[nodiscard]] std::uint64_t message_bytes(std::string_view collective, std::string_view algorithm, const Scale&,
                                          std::uint64_t bytes);

/// Number of messages that an algorithm splits a size into; 1 if the collective has no such algorithm.
[[nodiscard]] double pieces_of(std::string_view collective, std::string_view algorithm, const Scale&);

/// Factors of a curve's coefficients for a call; empty if the collective has no such algorithm.
[[nodiscard]] std::optional<Terms> terms_of(std::string_view collective, std::string_view algorithm, const Scale&,
                                            double bytes);
}  // namespace busbar::fit
