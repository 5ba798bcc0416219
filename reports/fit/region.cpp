// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace busbar::fit {
namespace {

using Points = std::span<const Observation>;

/// Model of an unknown algorithm: a call is one step that sends its size once.
constexpr Algorithm unknown_algorithm{.name = "one step",
                                      .of_nccl = true,
                                      .steps = [](const Scale&) { return 1.0; },
                                      .volume = [](const Scale&) { return 1.0; },
                                      .pieces = [](const Scale&) { return 1.0; }};

Terms terms_of(const Algorithm& a, const Scale& scale, double bytes) {
  return {1, a.steps(scale), a.volume(scale) * bytes};
}

/// Of an algorithm among others on one curve, which share what a step costs. `at_once`: as of Curve.
Terms terms_by_rules(const Algorithm& a, bool at_once, const Scale& scale, double bytes) {
  Terms x = terms_of(a, scale, bytes);
  if (at_once && sends_at_once(a)) x[1] = std::min(x[1], 1.0);
  return x;
}

std::size_t count_places(Points points) {
  std::set<int> all;
  for (const Observation& o : points) all.insert(o.scale.places());
  return all.size();
}

/// Launch-to-launch variation: one value per launch and scale, its mean deviation from the others at each size.
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

/// Candidate algorithms, and what a fit assumes.
struct Search {
  std::vector<const Algorithm*> algorithms;
  double assumed_spread = 0;
  double log_count = 0;                ///< logarithm of the number of points to split
  std::vector<NcclSetup> setups = {};  ///< of NCCL that may have chosen; empty: nothing is known of choices
  const Sweep* by_rules = nullptr;     ///< an MPI library's own rules chose; null: nothing is known of choices
  std::optional<Prior> call = {};      ///< what is known of a call's cost, which the times of one scale do not show
  /// Coordinate of a point for splitting, ascending over the points: its size, or its message length.
  std::uint64_t (*place)(const Algorithm&, const Observation&) = [](const Algorithm&, const Observation& o) {
    return o.bytes;
  };

  [[nodiscard]] std::uint64_t at(const Observation& o) const { return place(*algorithms.front(), o); }
  /// By the rules; null: unknown.
  [[nodiscard]] const Algorithm* ruled(const Observation& o) const {
    return by_rules == nullptr ? nullptr : by_rules->row_by_rules(o.scale, o.bytes);
  }
};

struct Candidate {
  Curve curve;
  LogFit fit;
  double bic = 0;
};

/// How the algorithms of points are known.
enum class Known { assumed, told, by_rules, by_rules_at_once };

bool is_by_rules(Known known) { return known == Known::by_rules || known == Known::by_rules_at_once; }

Terms terms_of(const Search& search, const Observation& o, const Algorithm& assumed, Known known) {
  const auto bytes = static_cast<double>(o.bytes);
  const Algorithm* ruled = is_by_rules(known) && o.told == nullptr ? search.ruled(o) : nullptr;
  if (ruled != nullptr) return terms_by_rules(*ruled, known == Known::by_rules_at_once, o.scale, bytes);
  return terms_of(o.told != nullptr ? *o.told : assumed, o.scale, bytes);
}

std::optional<Candidate> candidate(const Search& search, Points points, const Algorithm& assumed, Known known,
                                   const LaunchSpread& spread) {
  std::vector<Row> rows;
  for (const Observation& o : points)
    rows.push_back({.x = terms_of(search, o, assumed, known), .time_s = o.time_s, .launch = o.launch});
  const std::optional<Prior> prior = count_places(points) > 1 ? std::nullopt : search.call;
  auto fit = count_places(points) > 1 || prior ? fit_logs(rows, {true, true, true}, spread.value, prior) : std::nullopt;
  const bool step_known = fit.has_value();
  if (!fit) fit = fit_logs(rows, {true, false, true}, spread.value);
  if (!fit) return std::nullopt;
  constexpr double of_a_region = 4;  // the scatter, and three for the cut before it
  const double bic = -2 * fit->log_likelihood + (static_cast<double>(fit->wanted) + of_a_region) * search.log_count;
  Curve curve{.algorithm = std::string(assumed.name),
              .told = known == Known::told,
              .by_rules = is_by_rules(known),
              .at_once = known == Known::by_rules_at_once,
              .step_known = step_known,
              .coefficients = fit->coefficients,
              .covariance = fit->covariance,
              .scatter = fit->scatter,
              .degrees = fit->degrees};
  return Candidate{.curve = std::move(curve), .fit = *std::move(fit), .bic = bic};
}

/// Of what a model says of choices: it may be wrong about what it does not know, so never 0.
constexpr double least_chance = 0.02;

/// How likely the library chose this algorithm for the points of a region by its rules: the mean over the points, since
/// they stand for one choice. A point whose algorithm is unknown speaks against none.
double chance_by_rules(const Search& search, Points points, const Algorithm& a) {
  double sum = 0;
  for (const Observation& o : points) {
    const Algorithm* ruled = search.ruled(o);
    sum += ruled == nullptr || ruled == &a ? 1 : 0;
  }
  return std::max(least_chance, sum / static_cast<double>(points.size()));
}

/// True if the rules name an algorithm for every point, and not the same for all.
bool rules_differ(const Search& search, Points points) {
  const Algorithm* first = search.ruled(points.front());
  bool differ = false;
  for (const Observation& o : points) {
    const Algorithm* ruled = search.ruled(o);
    if (ruled == nullptr) return false;
    differ = differ || ruled != first;
  }
  return differ;
}

/// Curves of all candidate algorithms, best first. If the library reported an algorithm for every point, only that is
/// fitted; the last point's names the curve. So it does of a curve by the rules of a library.
std::vector<Candidate> candidates(const Search& search, Points points, const LaunchSpread& spread) {
  std::vector<Candidate> all;
  const auto add = [&](const Algorithm& a, Known known, double chance) {
    auto c = candidate(search, points, a, known, spread);
    if (!c) return;
    c->bic -= 2 * std::log(chance);
    all.push_back(*std::move(c));
  };
  if (std::ranges::all_of(points, [](const Observation& o) { return o.told != nullptr; })) {
    add(*points.back().told, Known::told, 1);
    return all;
  }
  const Algorithm* last = rules_differ(search, points) ? search.ruled(points.back()) : nullptr;
  if (last != nullptr) {
    for (const Known known : {Known::by_rules, Known::by_rules_at_once}) add(*last, known, 1);
    std::ranges::stable_sort(all, {}, &Candidate::bic);
    if (all.size() > 1) all.pop_back();
  }
  for (const Algorithm* a : search.algorithms)
    if (a != last) add(*a, Known::assumed, chance_by_rules(search, points, *a));
  std::ranges::stable_sort(all, {}, &Candidate::bic);
  return all;
}

/// How likely the library chose this algorithm for the points of a region, as far as its own model tells: the mean over
/// the points, since they stand for one choice.
double chance_of_choice(const Search& search, Points points, const Curve& c) {
  if (search.setups.empty() || c.told) return 1;
  double sum = 0, share = 0;
  const Observation* last = nullptr;
  for (const Observation& o : points) {  // launches of one size and scale follow each other
    if (last == nullptr || last->bytes != o.bytes || last->scale != o.scale)
      share = share_of_choice(search.setups, c.algorithm, o.scale, o.bytes);
    sum += share;
    last = &o;
  }
  return std::max(least_chance, sum / static_cast<double>(points.size()));
}

/// Sets the weights, by BIC and by what is known of choices; the greatest first.
std::vector<Candidate> weighed(const Search& search, Points points, std::vector<Candidate> all) {
  double sum = 0;
  const double least_bic = all.front().bic;
  for (Candidate& c : all)
    sum += c.curve.weight = std::exp((least_bic - c.bic) / 2) * chance_of_choice(search, points, c.curve);
  for (Candidate& c : all) c.curve.weight /= sum;
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Candidate& c) { return c.curve.weight; });
  return all;
}

Region region_of(const Search& search, Points points) {
  const LaunchSpread spread = spread_of(points, search.assumed_spread);
  const std::vector<Candidate> all = weighed(search, points, candidates(search, points, spread));
  Region region{.first = search.at(points.front()),
                .last = search.at(points.back()),
                .launches = spread,
                .points = points.size()};
  for (const Candidate& c : all)
    if (c.curve.weight >= least_weight) region.curves.push_back(c.curve);
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

/// Index of the first point of each place, and the end.
std::vector<std::size_t> starts(const Search& search, Points points) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i == 0 || search.at(points[i]) != search.at(points[i - 1])) all.push_back(i);
  all.push_back(points.size());
  return all;
}

/// Splits points into regions.
std::vector<Region> cut(const Search& search, Points points) {
  const auto at = starts(search, points);
  const std::size_t places = at.size() - 1;
  if (places < fewest_sizes) return {};
  const auto between = [&](std::size_t from, std::size_t to) { return points.subspan(at[from], at[to] - at[from]); };
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> least(places + 1, none);  // BIC of the best cut of the first places
  std::vector<std::size_t> from(places + 1, 0);
  least[0] = 0;
  for (std::size_t to = fewest_sizes; to <= places; ++to) {
    for (std::size_t first = 0; first + fewest_sizes <= to; ++first) {
      if (least[first] == none) continue;
      const auto all = candidates(search, between(first, to), spread_of(between(first, to), search.assumed_spread));
      if (all.empty() || least[first] + all.front().bic >= least[to]) continue;
      least[to] = least[first] + all.front().bic;
      from[to] = first;
    }
  }
  std::vector<Region> found;
  if (least[places] == none) return found;
  for (std::size_t to = places; to > 0; to = from[to])
    found.insert(found.begin(), region_of(search, between(from[to], to)));
  return found;
}

double log_of_count(Points points) { return std::log(static_cast<double>(points.size())); }

std::uint64_t message_of(const Algorithm& a, const Scale& scale, std::uint64_t bytes) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(static_cast<double>(bytes) / a.pieces(scale))));
}

std::vector<Observation> by_message_of(const Algorithm& a, std::vector<Observation> points) {
  std::ranges::stable_sort(
      points, {}, [&](const Observation& o) { return std::tuple(message_of(a, o.scale, o.bytes), o.scale, o.bytes); });
  return points;
}

/// Those that the library may use, and those that its rules name beside them.
std::vector<const Algorithm*> algorithms_to_try(const Sweep& sweep) {
  auto all = algorithms_of(sweep.kind == CaseKind::collective ? sweep.collective : "", sweep.backend);
  for (const Observation& o : sweep.points) {
    const Algorithm* ruled = sweep.row_by_rules(o.scale, o.bytes);
    if (ruled != nullptr && std::ranges::find(all, ruled) == all.end()) all.push_back(ruled);
  }
  if (all.empty()) all = {&unknown_algorithm};
  return all;
}

/// True if times of a size are of this algorithm by themselves, whatever rules say.
bool shown_by_times(const Algorithm& a, const std::vector<Region>& found, std::uint64_t bytes) {
  return std::ranges::any_of(found, [&](const Region& r) {
    return r.first <= bytes && bytes <= r.last && r.best().algorithm == a.name && !r.best().by_rules;
  });
}

/// The times that may be of this algorithm: those where the library's rules choose no other one, or times show it.
std::vector<Observation> points_of(const Algorithm& a, const Sweep& sweep, const std::vector<Region>& found) {
  std::vector<Observation> some;
  for (const Observation& o : sweep.points) {
    const Algorithm* ruled = sweep.row_by_rules(o.scale, o.bytes);
    if (ruled == nullptr || ruled == &a || shown_by_times(a, found, o.bytes)) some.push_back(o);
  }
  return some;
}

}  // namespace

std::optional<Terms> terms_of(std::string_view collective, std::string_view algorithm, const Scale& scale,
                              double bytes) {
  if (algorithm == unknown_algorithm.name) return terms_of(unknown_algorithm, scale, bytes);
  const Algorithm* a = algorithm_named(collective, algorithm);
  return a == nullptr ? std::nullopt : std::optional(terms_of(*a, scale, bytes));
}

std::optional<Prior> prior_of_call(const Sweep& sweep) {
  if (sweep.backend != "nccl" || sweep.library == no_library) return std::nullopt;
  return Prior{.term = 0, .value = 8e-6, .spread = 0.2};
}

std::vector<Region> regions(const Sweep& sweep, const std::vector<NcclSetup>& setups, double assumed_spread) {
  return cut({.algorithms = algorithms_to_try(sweep),
              .assumed_spread = assumed_spread,
              .log_count = log_of_count(sweep.points),
              .setups = setups,
              .by_rules = sweep.rules.empty() ? nullptr : &sweep,
              .call = prior_of_call(sweep)},
             sweep.points);
}

std::vector<ByMessage> by_message(const Sweep& sweep, const std::vector<Region>& found, double assumed_spread) {
  std::vector<ByMessage> all;
  if (count_places(sweep.points) < 2 && !prior_of_call(sweep)) return all;
  for (const Algorithm* a : algorithms_of(sweep.collective, sweep.backend)) {
    if (sweep.kind != CaseKind::collective || a->pieces({.ranks = 2, .nodes = 2}) < 2) continue;
    if (std::ranges::none_of(found, [a](const Region& r) { return has_curve(r, a->name); })) continue;
    const std::vector<Observation> points = by_message_of(*a, points_of(*a, sweep, found));
    if (points.empty()) continue;
    const Search search{
        .algorithms = {a},
        .assumed_spread = assumed_spread,
        .log_count = log_of_count(points),
        .call = prior_of_call(sweep),
        .place = [](const Algorithm& of, const Observation& o) { return message_of(of, o.scale, o.bytes); }};
    if (auto cuts = cut(search, points); !cuts.empty())
      all.push_back({.algorithm = std::string(a->name), .regions = std::move(cuts)});
  }
  return all;
}

std::string_view algorithm_at(const Sweep& sweep, const Curve& c, const Scale& scale, std::uint64_t bytes) {
  const Algorithm* ruled = c.by_rules ? sweep.row_by_rules(scale, bytes) : nullptr;
  return ruled != nullptr ? ruled->name : std::string_view(c.algorithm);
}

std::optional<Terms> terms_at(const Sweep& sweep, const Curve& c, const Scale& scale, std::uint64_t bytes) {
  const Algorithm* ruled = c.by_rules ? sweep.row_by_rules(scale, bytes) : nullptr;
  const auto size = static_cast<double>(bytes);
  return ruled != nullptr ? terms_by_rules(*ruled, c.at_once, scale, size)
                          : terms_of(sweep.collective, c.algorithm, scale, size);
}

bool has_curve(const Region& region, std::string_view algorithm) {
  return std::ranges::find(region.curves, algorithm, &Curve::algorithm) != region.curves.end();
}

double pieces_of(std::string_view collective, std::string_view algorithm, const Scale& scale) {
  const Algorithm* a = algorithm_named(collective, algorithm);
  return a == nullptr ? 1 : a->pieces(scale);
}

std::uint64_t message_bytes(std::string_view collective, std::string_view algorithm, const Scale& scale,
                            std::uint64_t bytes) {
  const Algorithm* a = algorithm_named(collective, algorithm);
  return a == nullptr ? bytes : message_of(*a, scale, bytes);
}

}  // namespace busbar::fit
