// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/statistics/interval.hpp"

/// Ratios of the figures of two sides, with launch-to-launch variation as the error. The figure of a launch is one
/// value, because samples and rounds of a launch do not predict the next launch (T. Hoefler, R. Belli, SC 2015;
/// docs/comparing.md has our measurements).
namespace busbar {

/// A launch's figure together with the pace of its slowest CPU.
struct PacedFigure {
  double value = 0;   ///< in the unit of LaunchFigure::value, positive; a more robust estimate, so it may differ
                      ///< slightly
  double pace_s = 0;  ///< seconds for a fixed amount of work, positive
};

/// One launch's figure.
struct LaunchFigure {
  double value = 0;                  ///< positive, in any unit
  std::optional<Interval> interval;  ///< of `value` within the launch; empty if unknown
  std::optional<PacedFigure> paced;  ///< empty if the pace is unknown
};

/// Effect of CPU pace on the figures of two sides.
struct PaceEffect {
  double ratio = 1;     ///< geometric mean of pace_s, B over A; above 1 if the CPUs of B were slower
  double exponent = 0;  ///< a CPU that is x times slower multiplies a figure by x to this power
};

/// A ratio of two figures as its natural logarithm: times vary by factors, so its interval is symmetric on this scale.
struct LogRatio {
  double value = 0;                ///< ln(B / A)
  double standard_error = 0;       ///< of `value`
  double degrees = 0;              ///< degrees of freedom of the error; infinite if it is assumed
  std::optional<PaceEffect> pace;  ///< set if the ratio is adjusted to equal pace; empty: as measured
  /// Set if it is not adjusted because the paces of the sides do not overlap: their ratio, B over A.
  std::optional<double> pace_apart;

  [[nodiscard]] double ratio() const;  ///< B / A
  /// Confidence interval of the ratio by Student's t, 0 < `confidence` < 1.
  [[nodiscard]] Interval interval(double confidence) const;
  /// One-sided p-value: probability of a ratio at least this large if the true one is `limit`.
  [[nodiscard]] double p_above(double limit) const;
  /// The same for a ratio at least this small.
  [[nodiscard]] double p_below(double limit) const;
};

/// Natural logarithms of the values of launches, in order.
[[nodiscard]] std::vector<double> logs_of_values(std::span<const LaunchFigure> side);

/// Those of the ratios b[i] / a[i]. Both sides must have the same length.
[[nodiscard]] std::vector<double> logs_of_ratios(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b);

/// Unpaired launches. The ratio is that of the geometric means. Its error uses the pooled variance of the logarithms,
/// so a single launch of one side is assumed to vary like those of the other. Empty if there are fewer than 3 launches
/// in total. Neither side may be empty.
/// Source: two-sample t-test of Student, on logarithms.
[[nodiscard]] std::optional<LogRatio> independent_ratio(std::span<const LaunchFigure> a,
                                                        std::span<const LaunchFigure> b);

/// Paired launches: a[i] and b[i] ran in alternation, so slow changes affect both. The error is that of the mean of
/// ln(b[i] / a[i]). Empty below 2 pairs. Both sides must have the same length.
/// Source: paired t-test of Student, on logarithms.
[[nodiscard]] std::optional<LogRatio> paired_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b);

/// Ratios at equal pace. The dependence of PacedFigure::value on pace_s is estimated from launch-to-launch (or
/// pair-to-pair) variation within the sides, and removed. Neighbours that share the cores cause most such variation.
/// As measured, with LogRatio::pace_apart, if the mean paces of the sides differ by more than three standard deviations
/// within the sides: the dependence would be extrapolated to paces that no launch had. Another build of the program has
/// that effect, and a CPU that is slow during all launches of one side.
/// Empty if a launch has no pace, all paces are equal, or there are too few launches for one more parameter. The pace
/// must belong to the machine, and both sides to the same machine.
/// Source: analysis of covariance, R. A. Fisher, Statistical Methods for Research Workers, 1932.
[[nodiscard]] std::optional<LogRatio> independent_ratio_at_equal_pace(std::span<const LaunchFigure> a,
                                                                      std::span<const LaunchFigure> b);
[[nodiscard]] std::optional<LogRatio> paired_ratio_at_equal_pace(std::span<const LaunchFigure> a,
                                                                 std::span<const LaunchFigure> b);

/// For launches too few to estimate their variation. Assumes a coefficient of variation of `spread` per launch, plus
/// its interval within the launch if known. The result is an assumption and cannot show equality. Neither side may be
/// empty.
[[nodiscard]] LogRatio assumed_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, double spread);

/// Geometric mean. `positive` must not be empty.
[[nodiscard]] double geometric_mean(std::span<const double> positive);

/// Confidence interval of the geometric mean by Student's t on logarithms. Empty for fewer than 2 figures.
[[nodiscard]] std::optional<Interval> geometric_mean_interval(std::span<const double> positive, double confidence);

/// Robust standard deviation of the logarithms, measured from their median: a single launch on a slow machine does not
/// dominate. With 4 or more figures, deviations are clipped at 3 standard deviations, estimated from the median
/// deviation (winsorised; P. Huber, Robust Statistics, 1981). Needs at least two figures.
[[nodiscard]] double spread_of_logs(std::span<const double> positive);

/// Confidence interval of the median of `figures` figures (2 or more) whose logarithms have the standard deviation
/// `spread`: Student's t on logarithms, times sqrt(pi / 2), the ratio of the standard errors of median and mean of
/// normal values.
[[nodiscard]] Interval interval_of_median(double median, double spread, int figures, double confidence);

/// The same from the figures, with spread_of_logs(). Empty for fewer than 2 figures. Simulated in docs/method.md.
[[nodiscard]] std::optional<Interval> median_of_figures_interval(std::span<const double> positive, double confidence);

/// Launches per side needed for a half-width below `half_width` (of the logarithm, positive), if they vary as in
/// `seen`. `launches`: those per side in `seen`; `paired`: compared in pairs. Empty above 10,000.
[[nodiscard]] std::optional<int> launches_needed(const LogRatio& seen, double launches, double half_width,
                                                 double confidence, bool paired);

/// p-values after Holm's correction for multiple tests, in the same order. Those at most alpha are jointly significant
/// at alpha, under any dependence. Source: S. Holm 1979, A simple sequentially rejective multiple test procedure.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

}  // namespace busbar
