// SPDX-License-Identifier: Apache-2.0
// How often two sides are found to differ, with and without bad launches, by the mean of all logarithms, by busbar (bad
// launches left out), by trimmed means and by ranks: on equal sides (level) and on sides that differ so much that the
// mean finds four of five without a bad launch (power). Then how many launches inconclusive comparisons ask for. With
// --check fewer comparisons, and exit status 1 if a bound of docs/comparing.md is missed. Same numbers on every run.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/statistics/distributions.hpp"
#include "reports/compare/verdict.hpp"

namespace busbar {
namespace {

constexpr double noise = 0.05;  ///< standard deviation of the logarithm
constexpr double bad = 1.75;    ///< a bad launch takes as many times as long
constexpr double level = 0.05;

using Figures = std::vector<LaunchFigure>;
using Logs = std::vector<double>;

struct Kind {
  std::size_t launches = 10, bad_launches = 0;
  bool pairs = false;
};

struct Sides {
  Figures a, b;
};

Sides make(const Kind& kind, double effect, std::mt19937_64& random) {
  std::normal_distribution<double> launch(0, noise);
  Sides sides;
  for (std::size_t i = 0; i < kind.launches; ++i) {
    sides.a.push_back({.value = std::exp(launch(random))});
    sides.b.push_back({.value = std::exp(effect + launch(random))});
  }
  std::vector<std::size_t> places(2 * kind.launches);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::shuffle(places, random);
  for (std::size_t i = 0; i < kind.bad_launches; ++i)
    (places[i] < kind.launches ? sides.a[places[i]] : sides.b[places[i] - kind.launches]).value *= bad;
  return sides;
}

double two_sided(double t, double degrees) { return 2 * upper_tail(std::abs(t), degrees); }

/// Mean without a fifth at either end, its squared error, and how many values it holds.
struct Trimmed {
  double mean = 0, squared_error = 0, kept = 0;
};

/// Source: K. Yuen 1974, The two-sample trimmed t for unequal population variances, Biometrika 61; J. Tukey,
/// D. McLaughlin 1963 for one sample.
Trimmed trimmed(Logs values) {
  std::ranges::sort(values);
  const std::size_t n = values.size(), cut = n / 5;
  Logs winsorised = values;
  for (std::size_t i = 0; i < cut; ++i) winsorised[i] = values[cut], winsorised[n - 1 - i] = values[n - 1 - cut];
  const auto count = static_cast<double>(n), kept = static_cast<double>(n - 2 * cut);
  const double middle = std::accumulate(winsorised.begin(), winsorised.end(), 0.0) / count;
  double squares = 0;
  for (const double v : winsorised) squares += (v - middle) * (v - middle);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(cut),
             last = values.end() - static_cast<std::ptrdiff_t>(cut);
  return {
      .mean = std::accumulate(first, last, 0.0) / kept, .squared_error = squares / (kept * (kept - 1)), .kept = kept};
}

double p_trimmed(const Figures& a, const Figures& b, bool pairs) {
  if (pairs) {
    const Trimmed t = trimmed(logs_of_ratios(a, b));
    return two_sided(t.mean / std::sqrt(t.squared_error), t.kept - 1);
  }
  const Trimmed x = trimmed(logs_of_values(a)), y = trimmed(logs_of_values(b));
  const double sum = x.squared_error + y.squared_error;
  const double degrees =
      sum * sum / (x.squared_error * x.squared_error / (x.kept - 1) + y.squared_error * y.squared_error / (y.kept - 1));
  return two_sided((y.mean - x.mean) / std::sqrt(sum), degrees);
}

/// Normal approximations of Mann and Whitney's and of Wilcoxon's signed-rank test, with correction for continuity.
double p_ranks(const Figures& a, const Figures& b, bool pairs) {
  const auto n = static_cast<double>(a.size());
  double statistic = 0, middle = 0, variance = 0;
  if (pairs) {
    Logs d = logs_of_ratios(a, b);
    std::ranges::sort(d, {}, [](double v) { return std::abs(v); });
    for (std::size_t i = 0; i < d.size(); ++i) statistic += d[i] > 0 ? static_cast<double>(i + 1) : 0;
    middle = n * (n + 1) / 4;
    variance = n * (n + 1) * (2 * n + 1) / 24;
  } else {
    for (const LaunchFigure& x : a)
      statistic +=
          static_cast<double>(std::ranges::count_if(b, [&x](const LaunchFigure& y) { return y.value > x.value; }));
    middle = n * n / 2;
    variance = n * n * (2 * n + 1) / 12;
  }
  const double away = std::max(0.0, std::abs(statistic - middle) - 0.5);
  return two_sided(away / std::sqrt(variance), std::numeric_limits<double>::infinity());
}

double p_of(const LogRatio& ratio) { return 2 * std::min(ratio.p_above(1), ratio.p_below(1)); }

constexpr std::array<std::string_view, 4> methods{"mean", "busbar", "trimmed", "ranks"};

/// Share of the comparisons in which each method finds a difference.
std::array<double, methods.size()> shares_found(const Kind& kind, double effect, int comparisons) {
  std::mt19937_64 random(kind.launches * 31 + kind.bad_launches * 7 + (kind.pairs ? 1 : 0) + (effect > 0 ? 1000 : 0));
  std::array<double, methods.size()> found{};
  for (int i = 0; i < comparisons; ++i) {
    const Sides sides = make(kind, effect, random);
    const compare::Estimate e = compare::estimate(sides.a, sides.b, {.alternating = kind.pairs}, {});
    const std::array p{p_of(e.ratio_of_all), p_of(e.ratio), p_trimmed(sides.a, sides.b, kind.pairs),
                       p_ranks(sides.a, sides.b, kind.pairs)};
    for (std::size_t m = 0; m < p.size(); ++m) found[m] += p[m] <= level;
  }
  for (double& f : found) f /= comparisons;
  return found;
}

/// What the mean finds in about four of five comparisons without a bad launch.
double effect_of(const Kind& kind) {
  const auto n = static_cast<double>(kind.launches);
  const double degrees = kind.pairs ? n - 1 : 2 * n - 2;
  return (upper_quantile(level / 2, degrees) + upper_quantile(0.2, degrees)) * noise * std::sqrt(2 / n);
}

std::string per_cent(double share) { return fmt::format("{:.1f}", 100 * share); }

int report(int comparisons) {
  int misses = 0;
  fmt::print(
      "| launches a side | compared in pairs | bad launches | level: {0} | power: {0} |\n|---:|---|---:|---|---|\n",
      fmt::join(methods, ", "));
  for (const bool pairs : {false, true}) {
    for (const std::size_t launches : {5U, 10U, 20U, 40U}) {
      for (const std::size_t bad_launches : {0U, 1U, 2U}) {
        const Kind kind{.launches = launches, .bad_launches = bad_launches, .pairs = pairs};
        const auto null = shares_found(kind, 0, comparisons), power = shares_found(kind, effect_of(kind), comparisons);
        const auto list = [](const auto& shares) {
          std::vector<std::string> texts;
          std::ranges::transform(shares, std::back_inserter(texts), per_cent);
          return fmt::format("{} %", fmt::join(texts, ", "));
        };
        fmt::print("| {} | {} | {} | {} | {} |\n", launches, pairs ? "yes" : "no", bad_launches, list(null),
                   list(power));
        misses += null[1] > 0.07;
        misses += launches >= 10 && power[1] < 0.65;
      }
    }
  }
  return misses;
}

// Launches needed

/// A difference that half of the comparisons find with this many launches of each side.
double effect_found_by_half(double launches) {
  return upper_quantile(level / 2, 2 * launches - 2) * noise * std::sqrt(2 / launches);
}

/// The numbers of launches that inconclusive comparisons of `launches` a side ask for, in order.
std::vector<double> asked_for(std::size_t launches, double effect, int comparisons) {
  std::mt19937_64 random(launches);
  std::vector<double> asked;
  for (int i = 0; i < comparisons; ++i) {
    const Sides sides = make({.launches = launches}, effect, random);
    const compare::Estimate e = compare::estimate(sides.a, sides.b, {}, {});
    compare::ComparedCase point{.quantity = compare::find_quantity("time"), .basis = e.basis, .ratio = e.ratio};
    point.a.launches = sides.a;
    point.b.launches = sides.b;
    compare::set_verdicts({&point, 1}, {.margin = 0});
    if (point.verdict != compare::Verdict::inconclusive) continue;
    asked.push_back(point.launches_needed ? *point.launches_needed : std::numeric_limits<double>::infinity());
  }
  std::ranges::sort(asked);
  return asked;
}

int report_needed(int comparisons) {
  int misses = 0;
  fmt::print(
      "\n| launches a side | needed for half of the comparisons | asked for: median | quarter below | quarter above |\n"
      "|---:|---:|---:|---:|---:|\n");
  for (const auto& [launches, needed] : {std::pair{5U, 20.0}, {10U, 20.0}, {10U, 40.0}, {20U, 40.0}, {20U, 80.0}}) {
    const std::vector<double> asked = asked_for(launches, effect_found_by_half(needed), comparisons);
    const double middle = asked[asked.size() / 2];
    fmt::print("| {} | {} | {} | {} | {} |\n", launches, needed, middle, asked[asked.size() / 4],
               asked[3 * asked.size() / 4]);
    misses += std::abs(middle / needed - 1) > 0.2;
  }
  return misses;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int misses = busbar::report(check ? 1000 : 10000) + busbar::report_needed(10000);
  return check && misses > 0 ? 1 : 0;
}
