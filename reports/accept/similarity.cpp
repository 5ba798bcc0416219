// SPDX-License-Identifier: Apache-2.0
#include "reports/accept/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"

namespace busbar::accept {
namespace {

constexpr double least_kept = 0.95;
constexpr double slack = 1.5;
constexpr std::size_t least_launches = 3;

/// The quantile at `share` of ascending values, interpolated.
double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

struct Launch {
  const Run* run = nullptr;
  std::vector<double> times_s;
};

/// The launch with the largest sum of similarities to all.
std::size_t most_typical(const std::vector<Launch>& launches) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    double sum = 0;
    for (const Launch& other : launches) sum += similarity(launches[i].times_s, other.times_s, false);
    if (sum > most) most = sum, best = i;
  }
  return best;
}

std::string hosts_of(const Run& run) {
  std::vector<std::string> names;
  for (const Host& host : run.head.hosts) names.push_back(host.name);
  return names.empty() ? "unknown hosts" : fmt::format("{}", fmt::join(names, ", "));
}

/// Empty if the launches are too unlike one another: fewer than 3, or fewer than half, are alike.
std::optional<LearnedCase> learn_case(const std::string& id, std::vector<Launch> launches,
                                      std::vector<LeftOut>& left_out) {
  const std::size_t least = std::max(least_launches, (launches.size() + 1) / 2);
  std::vector<LeftOut> outliers;
  while (true) {
    const std::vector<double> usual = launches[most_typical(launches)].times_s;
    double least_alike = 1;
    std::vector<Launch> kept;
    for (Launch& launch : launches) {
      const double alike = similarity(usual, launch.times_s, true);
      if (alike < least_kept) {
        outliers.push_back({.run = launch.run->path, .hosts = hosts_of(*launch.run), .id = id, .similarity = alike});
        continue;
      }
      least_alike = std::min(least_alike, alike);
      kept.push_back(std::move(launch));
    }
    if (kept.size() < least) return std::nullopt;
    if (kept.size() == launches.size()) {
      left_out.insert(left_out.end(), outliers.begin(), outliers.end());
      return LearnedCase{.id = id,
                         .times_s = usual,
                         .least_similarity = std::min(least_kept, 1 - slack * (1 - least_alike)),
                         .launches = static_cast<int>(kept.size())};
    }
    launches = std::move(kept);
  }
}

}  // namespace

std::vector<double> quantiles_of(const CaseRecord& c) {
  if (!c.time_s || !(*c.time_s > 0)) return {};
  std::vector<double> medians;
  for (const Round& round : c.rounds) medians.push_back(round.median_s);
  if (medians.size() < 2) return {*c.time_s};
  std::ranges::sort(medians);
  std::vector<double> all;
  for (std::size_t i = 0; i < quantiles_kept; ++i)
    all.push_back(quantile(medians, static_cast<double>(i) / (quantiles_kept - 1)));
  return all;
}

double similarity(std::span<const double> usual, std::span<const double> times, bool one_sided) {
  constexpr std::size_t steps = 100;
  double apart = 0, all = 0;  // areas between inverse distributions are those between the distributions
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / steps;
    const double a = quantile(usual, share), b = quantile(times, share);
    apart += one_sided ? std::max(0.0, b - a) : std::abs(b - a);
    all += std::max(a, b);
  }
  return 1 - apart / all;
}

Learning learn_profile(const std::vector<Run>& runs, const std::string& name) {
  std::map<std::string, std::vector<Launch>> by_id;
  std::vector<std::string> order;
  for (const Run& run : runs) {
    const Grader grader(run);
    for (const CaseRecord& c : run.cases) {
      const auto graded = grader.grade_case(c);
      std::vector<double> times = quantiles_of(c);
      if (!is_measured(c.status) || times.empty() || !graded || graded->grade == Grade::d) continue;
      const auto [at, is_new] = by_id.try_emplace(to_string(c.key));
      if (is_new) order.push_back(at->first);
      at->second.push_back({.run = &run, .times_s = std::move(times)});
    }
  }
  Learning learning{
      .profile = {.name = name,
                  .sources = {fmt::format("learned by busbar accept --learn from {} launches", runs.size())}}};
  for (const std::string& id : order) {
    if (by_id[id].size() < least_launches)
      learning.too_few.push_back(id);
    else if (auto learned = learn_case(id, std::move(by_id[id]), learning.left_out))
      learning.profile.learned.push_back(std::move(*learned));
    else
      learning.unlike.push_back(id);
  }
  return learning;
}

}  // namespace busbar::accept
