// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/launch_budget.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"

namespace busbar::repeat {
namespace {

constexpr double ample_s = 2, little_s = 0.75;  ///< of a first launch with ample time, and with little
constexpr double shortest_s = 0.25;             ///< of a launch
constexpr int room_for = 8;                     ///< launches per command to make room for, by shortening them
constexpr double rounds = 3;                    ///< of a launch
constexpr double measuring_share = 0.6;         ///< of its time, at least (end_of_launch())
constexpr double rounding = 1e-9;               ///< of a quotient that is a whole number
constexpr double longer = 1.5, far_longer = 4;  ///< than a launch that was too short for some cases, and for all

/// The whole launches that fit into what is left share it.
double share_of(double left_s, double budget_s, double beyond_s) {
  const double number = std::max(1.0, std::floor(left_s / (budget_s + beyond_s) * (1 + rounding)));
  return std::max(left_s / number - beyond_s, shortest_s);
}

}  // namespace

std::optional<double> round_s(const Run& run) {
  std::vector<double> starts_s;
  for (const CaseRecord& c : run.cases)
    for (const Round& r : c.rounds) starts_s.push_back(r.at_s);
  if (starts_s.size() < 2) return std::nullopt;
  const auto [first, last] = std::ranges::minmax(starts_s);
  const double visit_s = (last - first) / static_cast<double>(starts_s.size() - 1);
  const auto cases = std::ranges::count_if(run.cases, [](const CaseRecord& c) { return !c.rounds.empty(); });
  return visit_s * static_cast<double>(cases);
}

double least_budget_s(const Run& run, double budget_s) {
  const auto lacks_time = [](const CaseRecord& c) {
    return c.status == Status::skipped && c.ended_by == EndedBy::run_budget;
  };
  if (std::ranges::none_of(run.cases, lacks_time)) return 0;
  const bool measured = std::ranges::any_of(run.cases, [](const CaseRecord& c) { return is_measured(c.status); });
  return (measured ? longer : far_longer) * budget_s;
}

double launch_budget_s(const Request& request, double left_s, const LaunchTimes& known) {
  const auto commands = static_cast<double>(request.commands.size());
  if (!request.within_s && request.launches) return ample_s;
  if (request.launches) return std::min(*request.within_s / (*request.launches * commands), left_s);
  const double first_s =
      request.within_s ? std::clamp(*request.within_s / commands / room_for, little_s, ample_s) : ample_s;
  const double short_s =
      known.round_s ? std::clamp(rounds * *known.round_s / measuring_share, shortest_s, first_s) : first_s;
  const double each_s = std::max(short_s, known.least_s);
  if (!request.within_s) return each_s;
  const double fair_s = *request.within_s / commands;
  const double share_s = share_of(left_s, std::min(each_s, fair_s), known.beyond_s);
  return std::max(share_s, std::min({known.least_s, fair_s, left_s}));  // rather a little late than without a figure
}

}  // namespace busbar::repeat
