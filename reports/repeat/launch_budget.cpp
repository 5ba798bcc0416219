// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/launch_budget.hpp"

#include <algorithm>
#include <cmath>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"

namespace busbar::repeat {
namespace {

constexpr double ample_s = 2, little_s = 1.25;  ///< of a first launch with ample time, and with little
constexpr double shortest_s = 0.4;              ///< about what a launch takes to start
constexpr int room_for = 5;                     ///< launches per command to make room for, by shortening them

/// A launch measures for three fifths of its time at least, whatever its start takes (end_of_launch()).
constexpr double rounds = 2, measured_share = 0.6;

}  // namespace

std::optional<double> round_s(const Run& run) {
  std::optional<double> longest;
  for (const CaseRecord& c : run.cases) {
    if (c.rounds.size() < 2) continue;
    const double span_s = c.rounds.back().at_s - c.rounds.front().at_s;
    longest = std::max(longest.value_or(0), span_s / static_cast<double>(c.rounds.size() - 1));
  }
  return longest;
}

double launch_budget_s(const Request& request, double left_s, std::optional<double> longest_round_s) {
  const auto commands = static_cast<double>(request.commands.size());
  if (!request.within_s && request.launches) return ample_s;
  if (request.launches) return std::min(*request.within_s / (*request.launches * commands), left_s);
  const double first_s =
      request.within_s ? std::clamp(*request.within_s / commands / room_for, little_s, ample_s) : ample_s;
  const double each_s =
      longest_round_s ? std::clamp(rounds / measured_share * *longest_round_s, shortest_s, first_s) : first_s;
  if (!request.within_s) return each_s;
  const double fit = std::floor(*request.within_s / (each_s * commands));
  const double number = fit < least_launches ? 1 : fit;
  return std::min(*request.within_s / (number * commands), left_s);
}

}  // namespace busbar::repeat
