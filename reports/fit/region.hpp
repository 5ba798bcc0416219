// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/fit/least_squares.hpp"
#include "reports/fit/sweep.hpp"

namespace busbar::fit {

/// How far launches differ as a whole: standard deviation of the logarithm of their times.
struct LaunchSpread {
  double value = 0.1;
  double degrees = 0;  ///< of freedom that it was estimated with; 0: it is assumed
};

/// One algorithm's curve through the times of a region:
/// time = coefficients[0] + coefficients[1] x steps + coefficients[2] x volume x bytes.
struct Curve {
  std::string algorithm;    ///< name in the table; "as told" where the library said it and it changes with the scale
  bool told = false;        ///< by the library, not found by the fit
  bool step_known = false;  ///< several numbers of places were measured, so that steps are told from the rest
  Terms coefficients{};     ///< s, s a step, s a byte
  Matrix covariance{};      ///< of the coefficients
  double scatter = 0;       ///< of sizes: scale of Student's t with tail_degrees, of the logarithm
  double degrees = 0;       ///< of freedom
  double weight = 1;        ///< among the curves of its region, by BIC; they add up to 1
};

/// Sizes in which one algorithm (and protocol) is in use, as far as times tell.
struct Region {
  std::uint64_t first = 0, last = 0;  ///< bytes, both measured
  std::vector<Curve> curves;          ///< that the times do not refute, the best first; never empty
  LaunchSpread launches;
  std::size_t points = 0;
  double rms = 0;    ///< of the residuals of the best curve, of the logarithm: 0.02 is 2 %
  double worst = 0;  ///< the one that is farthest off, with its sign
  std::uint64_t worst_bytes = 0;
  std::vector<std::string> choices;  ///< the library's own words in this region

  [[nodiscard]] const Curve& best() const { return curves.front(); }
};

/// The fewest sizes of a region: two say nothing about whether a curve holds.
inline constexpr std::size_t fewest_sizes = 3;
/// A curve below this weight is refuted.
inline constexpr double least_weight = 0.01;

/// The regions of a sweep, sizes ascending: of all ways to cut the sizes the one with the least sum of BICs, by dynamic
/// programming. Empty below `fewest_sizes` sizes. `assumed_spread` of launches holds where fewer than three degrees of
/// freedom tell it.
/// Sources: G. Schwarz: Estimating the Dimension of a Model, 1978 (BIC); N. Zhang, D. Siegmund: A Modified Bayes
/// Information Criterion with Applications to the Analysis of Comparative Genomic Hybridization Data, 2007 (a cut
/// counts as three parameters, since it is looked for); R. Bellman, R. Roth: Curve Fitting by Segmented Straight Lines,
/// 1969; R. Kass, A. Raftery: Bayes Factors, 1995 (weights).
[[nodiscard]] std::vector<Region> regions(const Sweep&, double assumed_spread);

/// The curves of an algorithm by the length of its messages: more ranks cut a size finer, and what a step of a ring
/// takes follows from what it carries, however large the whole is. `first` and `last` of these regions are lengths.
struct ByMessage {
  std::string algorithm;
  std::vector<Region> regions;  ///< lengths ascending
};

/// Of the algorithms that cut a size into as many messages as there are ranks or places, and that `found` does not
/// refute everywhere; only of sweeps over several numbers of places. All times of the sweep are taken to be theirs:
/// where it was another algorithm, a library that takes the faster one says that theirs are no shorter.
[[nodiscard]] std::vector<ByMessage> by_message(const Sweep&, const std::vector<Region>& found, double assumed_spread);

/// Length of the messages of an algorithm, in bytes, 1 at least.
[[nodiscard]] std::uint64_t message_bytes(std::string_view collective, std::string_view algorithm, const Scale&,
                                          std::uint64_t bytes);

/// What the terms of a curve of this name are multiplied by for a call; empty: the collective has no such algorithm.
[[nodiscard]] std::optional<Terms> terms_of(std::string_view collective, std::string_view algorithm, const Scale&,
                                            double bytes);
}  // namespace busbar::fit
