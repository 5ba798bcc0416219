// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/statistics/interval.hpp"

/// How much greater the figures of one side are than those of another, with the spread from launch to launch as the
/// error: the figure of a launch is one value, whatever it was taken from, since samples and rounds of one launch say
/// nothing about the next one (T. Hoefler, R. Belli, SC 2015; docs/comparing.md has our own figures).
namespace busbar {

/// A launch's figure with the pace of its slowest CPU meanwhile.
struct PacedFigure {
  double value = 0;  ///< in the unit of LaunchFigure::value, positive; robust otherwise, so that it may differ a little
  double pace_s = 0;  ///< what a fixed piece of work took, positive
};

/// One launch's figure.
struct LaunchFigure {
  double value = 0;                  ///< positive, in any unit
  std::optional<Interval> interval;  ///< of `value` inside the launch; empty: not known
  std::optional<PacedFigure> paced;  ///< empty: the pace is not known
};

/// What the pace of the CPUs has to do with the figures of two sides.
struct PaceEffect {
  double ratio = 1;     ///< of pace_s, B over A, as geometric means over launches: above 1, the CPUs of B were slower
  double exponent = 0;  ///< a CPU that is x times as slow changes a figure by the factor x to this power
};

/// A ratio of two figures as its natural logarithm, since times vary by factors: an interval of it is symmetric there.
struct LogRatio {
  double value = 0;                ///< ln(B / A)
  double standard_error = 0;       ///< of it
  double degrees = 0;              ///< of freedom that the error was estimated with; infinite: it is assumed
  std::optional<PaceEffect> pace;  ///< the ratio is that at equal pace; empty: as it was measured

  [[nodiscard]] double ratio() const;  ///< B / A
  /// Interval of the ratio by Student's t, at `confidence` between 0 and 1.
  [[nodiscard]] Interval interval(double confidence) const;
  /// Chance to see such a ratio, or a greater one, where the true one is `limit`: one-sided.
  [[nodiscard]] double p_above(double limit) const;
  /// The same for such a ratio or a smaller one.
  [[nodiscard]] double p_below(double limit) const;
};

/// Launches that have nothing to do with each other. The ratio is that of the geometric means over launches; its error
/// is by the pooled variance of the logarithms, so that a single launch of one side is taken to vary like those of the
/// other. Empty where the sides have fewer than 3 launches together. Neither side is empty.
/// Source: two-sample t-test of Student, on logarithms.
[[nodiscard]] std::optional<LogRatio> independent_ratio(std::span<const LaunchFigure> a,
                                                        std::span<const LaunchFigure> b);

/// Launches in alternation: a[i] and b[i] ran next to each other, so that what changes slowly is in both. The error is
/// that of the mean of ln(b[i] / a[i]). Empty below 2 pairs. Both have the same length.
/// Source: paired t-test of Student, on logarithms.
[[nodiscard]] std::optional<LogRatio> paired_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b);

/// The same at equal pace: how far PacedFigure::value follows pace_s is estimated from how both vary from launch to
/// launch (or pair to pair) inside the sides, and taken out. Where neighbours on the cores come and go, this is most of
/// what launches differ by. Empty where a launch has no pace, all have the same, or there are too few for one more
/// parameter. The pace has to be a property of the machine, and the same machine's on both sides.
/// Source: analysis of covariance, R. A. Fisher, Statistical Methods for Research Workers, 1932.
[[nodiscard]] std::optional<LogRatio> independent_ratio_at_equal_pace(std::span<const LaunchFigure> a,
                                                                      std::span<const LaunchFigure> b);
[[nodiscard]] std::optional<LogRatio> paired_ratio_at_equal_pace(std::span<const LaunchFigure> a,
                                                                 std::span<const LaunchFigure> b);

/// Where launches cannot tell how far they vary: each is taken to vary by `spread` (standard deviation over mean), and
/// by its own interval inside the launch where that is known. What follows from this is assumed, and no equality can
/// be shown by it. Neither side is empty.
[[nodiscard]] LogRatio assumed_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, double spread);

/// Geometric mean of figures, of which there is one at least.
[[nodiscard]] double geometric_mean(std::span<const double> positive);

/// Interval of the geometric mean of figures, by Student's t on their logarithms. Empty below 2 of them.
[[nodiscard]] std::optional<Interval> geometric_mean_interval(std::span<const double> positive, double confidence);

/// Standard deviation from the median of logarithms, in which one launch of many that met a machine twice as slow does
/// not drown the others: from 4 figures on, deviations count up to 3 standard deviations as their median has them
/// (winsorised; P. Huber, Robust Statistics, 1981). There are two figures at least.
[[nodiscard]] double spread_of_logs(std::span<const double> positive);

/// Standard error of a median over that of the mean of as many figures, normally distributed: the root of pi / 2.
inline constexpr double error_of_median = 1.2533141373155003;

/// Interval of the median of figures: Student's t on their logarithms with spread_of_logs(), times error_of_median.
/// Empty below 2 of them. Simulated in docs/method.md.
[[nodiscard]] std::optional<Interval> median_of_figures_interval(std::span<const double> positive, double confidence);

/// Launches of each side that would bring the half width of the interval of a LogRatio below `half_width` (of the
/// logarithm, positive), if they vary as those of `seen` did; `launches` per side gave that. Empty above 10,000.
[[nodiscard]] std::optional<int> launches_needed(const LogRatio& seen, double launches, double half_width,
                                                 double confidence);

/// p-values after Holm's correction for their number, in the same order: those at most alpha are significant together
/// at alpha, whatever depends on what. Source: S. Holm 1979, A simple sequentially rejective multiple test procedure.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

}  // namespace busbar
