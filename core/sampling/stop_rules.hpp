// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/record/status.hpp"
#include "core/statistics/interval.hpp"

namespace busbar {

/// How far the sampling of one case is. All that a stop rule is told: it knows no clock and no ranks.
struct Sampling {
  std::span<const double> round_medians_s;  ///< in the order of the rounds
  std::uint64_t samples = 0;
  double spent_s = 0;                                       ///< wall time given to this case
  double span_s = 0;                                        ///< from the start of its first round to now
  double left_s = std::numeric_limits<double>::infinity();  ///< until sampling has to end; below 0: it is over
};

/// Rounds that a case needs for an interval at 95 % (median_interval()).
inline constexpr std::uint64_t least_rounds = 6;

/// A fixed number of samples.
struct FixedCount {
  static constexpr EndedBy reason = EndedBy::count;
  std::uint64_t samples = 0;
  [[nodiscard]] bool done(const Sampling& s) const { return s.samples >= samples; }
};

/// The interval of the median is narrow enough.
///
/// Looking after every round and stopping when the interval happens to be narrow makes stated intervals hold too
/// seldom: at 95 %, 92 to 93 % do for spreads that need 70 to 140 rounds. So the rule looks, and the interval is to be
/// stated (stated_interval()), at a level with 0.85 of the chance of error: 95.75 % for 95 %. Then 94 to 97 % hold, at
/// a cost of 4 % more rounds (bench/micro/interval_coverage). Looking only at growing numbers of rounds, or wanting two
/// narrow looks in a row, was tried and does not do instead. With 20 rounds at least, 92 to 93 % hold where neighbours
/// correlate by 0.3; with 10, that few rounds showing it too seldom, 90 to 91 %. Round medians that vary by 2 % stop at
/// about 20 rounds, by 3 % at 23, by 5 % at 42.
struct Converged {
  static constexpr EndedBy reason = EndedBy::converged;
  double confidence = 0.95;
  double relative_half_width = 0.02;
  std::uint64_t min_rounds = 20;
  double min_span_s = 5;  ///< states of a machine last 0.2 to 3 s: what is narrow may have seen only one
  [[nodiscard]] bool done(const Sampling& s) const;
};

/// This case has used up its time.
struct CaseBudget {
  static constexpr EndedBy reason = EndedBy::time_budget;
  double seconds = 0;
  std::uint64_t min_rounds = least_rounds;
  [[nodiscard]] bool done(const Sampling& s) const {
    return s.spent_s >= seconds && s.round_medians_s.size() >= min_rounds;
  }
};

/// The launch has used up its time, whatever its cases have by then.
struct RunBudget {
  static constexpr EndedBy reason = EndedBy::run_budget;
  [[nodiscard]] bool done(const Sampling& s) const { return s.left_s <= 0; }
};

/// More samples are not wanted of any case.
struct MaxSamples {
  static constexpr EndedBy reason = EndedBy::max_samples;
  std::uint64_t samples = 0;
  [[nodiscard]] bool done(const Sampling& s) const { return s.samples >= samples; }
};

using StopRule = std::variant<FixedCount, Converged, CaseBudget, RunBudget, MaxSamples>;

/// The rules that `stop` speaks of; with a fixed count only that and the limit of the run.
[[nodiscard]] std::vector<StopRule> rules_of(const StopAt& stop, std::optional<int> fixed_count);

/// The reason of the first rule that is done; empty if none is, and sampling continues.
[[nodiscard]] std::optional<EndedBy> ended_by(std::span<const StopRule> rules, const Sampling& sampling);

/// The interval of the median over rounds that holds with `confidence` after sampling under these rules: where one of
/// them is Converged it is a little wider, see there. Empty: too few rounds.
[[nodiscard]] std::optional<Interval> stated_interval(std::span<const StopRule> rules,
                                                      std::span<const double> round_medians_s, double confidence);

}  // namespace busbar
