// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace busbar::fit {
namespace {

using Points = std::span<const Observation>;

/// An algorithm that is not in the table: a call is one step and sends its size once.
constexpr Algorithm unknown_algorithm{.collective = "",
                                      .name = "unknown",
                                      .of_nccl = true,
                                      .steps = [](const Scale&) { return 1.0; },
                                      .volume = [](const Scale&) { return 1.0; },
                                      .pieces = [](const Scale&) { return 1.0; }};

Terms terms_of(const Algorithm& a, const Scale& scale, double bytes) {
  return {1, a.steps(scale), a.volume(scale) * bytes};
}

std::size_t count_places(Points points) {
  std::set<int> all;
  for (const Observation& o : points) all.insert(o.scale.places());
  return all.size();
}

/// One value for each launch and scale: how far it is from the others of its scale, size by size, on average.
LaunchSpread spread_of(Points points, double assumed) {
  std::map<std::pair<Scale, std::uint64_t>, std::pair<double, int>> means;
  for (const Observation& o : points) {
    auto& [sum, n] = means[{o.scale, o.bytes}];
    sum += std::log(o.time_s), ++n;
  }
  std::map<std::pair<Scale, std::size_t>, std::pair<double, int>> off;
  for (const Observation& o : points) {
    const auto& [all, of] = means[{o.scale, o.bytes}];
    auto& [sum, n] = off[{o.scale, o.launch}];
    sum += std::log(o.time_s) - all / of, ++n;
  }
  std::map<Scale, int> launches;
  double squares = 0, degrees = 0;
  for (const auto& [key, value] : off) {
    ++launches[key.first];
    squares += std::pow(value.first / value.second, 2);
  }
  for (const auto& [scale, n] : launches) degrees += n - 1;
  if (degrees < 3) return {.value = assumed, .degrees = 0};
  return {.value = std::max(std::sqrt(squares / degrees), least_scatter), .degrees = degrees};
}

struct Candidate {
  Curve curve;
  LogFit fit;
  double bic = 0;
};

std::optional<Candidate> candidate(Points points, const Algorithm& assumed, bool told, const LaunchSpread& spread,
                                   double log_count) {
  std::vector<Row> rows;
  for (const Observation& o : points)
    rows.push_back({.x = terms_of(o.told != nullptr ? *o.told : assumed, o.scale, static_cast<double>(o.bytes)),
                    .time_s = o.time_s,
                    .launch = o.launch});
  const bool several = count_places(points) > 1;
  auto fit = several ? fit_logs(rows, {true, true, true}, spread.value) : std::nullopt;
  const bool step_known = fit.has_value();
  if (!fit) fit = fit_logs(rows, {true, false, true}, spread.value);
  if (!fit) return std::nullopt;
  const double bic = -2 * fit->log_likelihood + (static_cast<double>(fit->wanted) + 2) * log_count;
  Curve curve{.algorithm = std::string(assumed.name),
              .told = told,
              .step_known = step_known,
              .coefficients = fit->coefficients,
              .covariance = fit->covariance,
              .scatter = fit->scatter,
              .degrees = fit->degrees};
  return Candidate{.curve = std::move(curve), .fit = *std::move(fit), .bic = bic};
}

/// The curves of all algorithms that may be behind these times, the best first.
std::vector<Candidate> candidates(const Sweep& sweep, Points points, const LaunchSpread& spread, double log_count) {
  const bool told = std::ranges::all_of(points, [](const Observation& o) { return o.told != nullptr; });
  std::vector<const Algorithm*> tried;
  if (told) {
    tried = {points.back().told};  // the largest scale's
  } else {
    tried = algorithms_of(sweep.kind == "collective" ? sweep.collective : "", sweep.backend);
    if (tried.empty()) tried = {&unknown_algorithm};
  }
  std::vector<Candidate> all;
  for (const Algorithm* a : tried)
    if (auto c = candidate(points, *a, told, spread, log_count)) all.push_back(*std::move(c));
  std::ranges::stable_sort(all, {}, &Candidate::bic);
  return all;
}

Region region_of(const Sweep& sweep, Points points, double assumed_spread, double log_count) {
  const LaunchSpread spread = spread_of(points, assumed_spread);
  auto all = candidates(sweep, points, spread, log_count);
  Region region{.first = points.front().bytes,
                .last = points.back().bytes,
                .curves = {},
                .launches = spread,
                .points = points.size()};
  double sum = 0;
  for (const Candidate& c : all) sum += std::exp((all.front().bic - c.bic) / 2);
  for (Candidate& c : all) {
    c.curve.weight = std::exp((all.front().bic - c.bic) / 2) / sum;
    if (c.curve.weight >= least_weight) region.curves.push_back(c.curve);
  }
  const std::vector<double>& r = all.front().fit.residuals;
  for (std::size_t i = 0; i < r.size(); ++i) {
    region.rms += r[i] * r[i] / static_cast<double>(r.size());
    if (std::abs(r[i]) > std::abs(region.worst)) region.worst = r[i], region.worst_bytes = points[i].bytes;
  }
  region.rms = std::sqrt(region.rms);
  std::set<std::string> choices;
  for (const Observation& o : points)
    if (!o.choice.empty()) choices.insert(o.choice);
  region.choices.assign(choices.begin(), choices.end());
  return region;
}

/// Where each size begins in the points, and where the last one ends.
std::vector<std::size_t> starts(Points points) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i == 0 || points[i].bytes != points[i - 1].bytes) all.push_back(i);
  all.push_back(points.size());
  return all;
}

}  // namespace

std::optional<Terms> terms_of(std::string_view collective, std::string_view algorithm, const Scale& scale,
                              double bytes) {
  if (algorithm == unknown_algorithm.name) return terms_of(unknown_algorithm, scale, bytes);
  const Algorithm* a = algorithm_named(collective, algorithm);
  return a == nullptr ? std::nullopt : std::optional(terms_of(*a, scale, bytes));
}

double pieces_of(std::string_view collective, std::string_view algorithm, const Scale& scale) {
  const Algorithm* a = algorithm_named(collective, algorithm);
  return a == nullptr ? 1 : a->pieces(scale);
}

std::vector<Region> regions(const Sweep& sweep, double assumed_spread) {
  const Points points = sweep.points;
  const auto at = starts(points);
  const std::size_t sizes = at.size() - 1;
  if (sizes < fewest_sizes) return {};
  const double log_count = std::log(static_cast<double>(points.size()));
  const auto between = [&](std::size_t from, std::size_t to) { return points.subspan(at[from], at[to] - at[from]); };
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> least(sizes + 1, none);  // BIC of the best cut of the first sizes
  std::vector<std::size_t> from(sizes + 1, 0);
  least[0] = 0;
  for (std::size_t to = fewest_sizes; to <= sizes; ++to) {
    for (std::size_t first = 0; first + fewest_sizes <= to; ++first) {
      if (least[first] == none) continue;
      const auto all = candidates(sweep, between(first, to), spread_of(between(first, to), assumed_spread), log_count);
      if (all.empty() || least[first] + all.front().bic >= least[to]) continue;
      least[to] = least[first] + all.front().bic;
      from[to] = first;
    }
  }
  std::vector<Region> found;
  if (least[sizes] == none) return found;
  for (std::size_t to = sizes; to > 0; to = from[to])
    found.insert(found.begin(), region_of(sweep, between(from[to], to), assumed_spread, log_count));
  return found;
}

}  // namespace busbar::fit
