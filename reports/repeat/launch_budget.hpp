// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/record/fwd.hpp"
#include "reports/repeat/request.hpp"

namespace busbar::repeat {

/// What the launches so far tell of the next one's time.
struct LaunchTimes {
  std::optional<double> round_s;  ///< of the last launch of each command, the longest; empty: unknown
  double least_s = 0;             ///< the longest least_budget_s(); 0: no launch was too short
  double beyond_s = 0;            ///< wall time of the last launch beyond its budget: the start of MPI, at most
};

/// Time of a round over all cases of a launch, in seconds: the mean time from one visit to the next, times the number
/// of cases that have rounds. Empty if there was one visit only.
[[nodiscard]] std::optional<double> round_s(const Run&);

/// Least --run-budget after a launch with `budget_s`, in seconds: 1.5 times as long if a case had no time left for a
/// round, 4 times if nothing was measured; else 0.
[[nodiscard]] double least_budget_s(const Run&, double budget_s);

/// Time for the next launch (--run-budget), in seconds. `left_s`: of the request's time limit, which the launches to
/// come share; ignored without a limit.
/// A launch takes about three rounds, as soon as their time is known (T. Kalibera, R. Jones, ISMM 2013; figures in
/// docs/method.md, "Later launches"). If the number of launches is given, they share the time instead.
[[nodiscard]] double launch_budget_s(const Request&, double left_s, const LaunchTimes&);

}  // namespace busbar::repeat
