// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/record/fwd.hpp"
#include "reports/repeat/launches.hpp"

namespace busbar::repeat {

/// Minimum launches per command for an interval of use: from two it is too wide.
inline constexpr int least_launches = 3;

/// Time of a round over all cases of a launch, in seconds; empty if no case has two rounds.
[[nodiscard]] std::optional<double> round_s(const Run&);

/// Time for the next launch (--run-budget), in seconds. `left_s`: of the request's time limit; ignored without one.
/// `longest_round_s`: of the last launch of each command; empty: unknown. Launches differ more than rounds of one
/// launch, so a launch takes few rounds, as soon as their time is known (T. Kalibera, R. Jones, ISMM 2013; figures in
/// docs/method.md, "Later launches"). If the number of launches is given, they share the time instead.
[[nodiscard]] double launch_budget_s(const Request&, double left_s, std::optional<double> longest_round_s);

}  // namespace busbar::repeat
