// SPDX-License-Identifier: Apache-2.0
// Coverage of the 95 % interval of a case. Samples of known distributions pass through the whole procedure (batches ->
// medians of rounds -> interval), with fixed numbers of rounds and with the stopping rule. Also the coverage of the
// median over few launches. With --check the exit status is 1 if a claimed coverage is outside 93 to 97 % (over
// launches: 93 to 99 %). Same numbers on every run.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/micro/random.hpp"
#include "core/sampling/stop_rules.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/stepped_median.hpp"

namespace busbar {
namespace {

constexpr double confidence = 0.95, least_coverage = 0.93, most_coverage = 0.97;
constexpr std::array<std::size_t, 3> fixed_rounds{10, 20, 50};
constexpr std::size_t most_rounds = 200;
constexpr Converged converged{.confidence = confidence, .relative_half_width = 0.02, .min_span_s = 0};

double below_by_normal(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Solves f(x) = `value` for increasing f by bisection.
double solve(const std::function<double(double)>& f, double value, double low, double high) {
  for (int i = 0; i < 100; ++i) (f(0.5 * (low + high)) < value ? low : high) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

/// Probability that the median of an odd number of independent samples is below x; p: that of a single sample.
double median_below(double p, std::size_t samples) { return binomial_at_least(samples / 2 + 1, samples, p); }

/// Fills the batch of the next round.
using Rounds = std::function<void(Random&, std::span<double>)>;

/// Which coverages are claimed, in the order of fixed_rounds; the last is with the stopping rule.
using Claims = std::array<bool, fixed_rounds.size() + 1>;
constexpr Claims all{true, true, true, true}, none{};

struct Scenario {
  std::string_view name;
  std::function<Rounds(Random&)> begin;            ///< starts a new case
  std::function<double(std::size_t)> true_median;  ///< of round medians, by samples per round
  Claims claims;
  std::string_view why = "";                     ///< why some are not claimed
  std::vector<std::size_t> batches{1, 11, 101};  ///< samples per round
  double drift = 0;  ///< of the logarithm per round; "true" is then the value at the middle round
};

double one(std::size_t /*samples*/) { return 1; }

/// Independent samples; all rounds have the same distribution.
Scenario independent(std::string_view name, double median, const std::function<double(Random&)>& draw) {
  return {.name = name,
          .begin =
              [draw](Random&) {
                return [draw](Random& r, std::span<double> batch) {
                  for (double& s : batch) s = draw(r);
                };
              },
          .true_median = [median](std::size_t) { return median; },
          .claims = all};
}

/// Whole rounds in one of two states; the slow one is 2.2 times slower, sigma is 3 % within each. `memory` is the
/// correlation of successive rounds' states. The true median solves P(fast) * P(median of a fast round < x) = 1/2; slow
/// rounds never reach it (26 standard deviations).
Scenario states(std::string_view name, double slow_share, double memory, Claims claims, std::string_view why,
                std::vector<std::size_t> batches = {11}) {
  constexpr double sigma = 0.03, slow = 2.2;
  const auto begin = [=](Random& random) -> Rounds {
    bool is_slow = random.uniform() < slow_share;
    return [=](Random& r, std::span<double> batch) mutable {
      for (double& s : batch) s = (is_slow ? slow : 1) * r.lognormal(sigma);
      if (r.uniform() >= memory) is_slow = r.uniform() < slow_share;
    };
  };
  const auto true_median = [=](std::size_t samples) {
    const auto below = [=](double z) { return (1 - slow_share) * median_below(below_by_normal(z), samples); };
    return std::exp(sigma * solve(below, 0.5, -8, 8));
  };
  return {.name = name, .begin = begin, .true_median = true_median, .claims = claims, .why = why, .batches = batches};
}

/// Round levels are AR(1) in the logarithm (sigma 5 %); samples vary by 1 % around them. Symmetric in the logarithm, so
/// the true median is 1.
Scenario correlated_rounds(std::string_view name, double rho, Claims claims, std::string_view why) {
  const auto begin = [rho](Random& random) -> Rounds {
    return [rho, level = random.normal()](Random& r, std::span<double> batch) mutable {
      for (double& s : batch) s = std::exp(0.05 * level + 0.01 * r.normal());
      level = rho * level + std::sqrt(1 - rho * rho) * r.normal();
    };
  };
  return {.name = name, .begin = begin, .true_median = one, .claims = claims, .why = why, .batches = {11}};
}

/// Samples within a round are AR(1) in the logarithm (rho 0.9). Symmetric there, so the true median is 1.
void correlated_samples(Random& random, std::span<double> batch) {
  constexpr double rho = 0.9;
  double level = random.normal();
  for (double& s : batch) {
    s = std::exp(0.1 * level);
    level = rho * level + std::sqrt(1 - rho * rho) * random.normal();
  }
}

/// Each round is 0.2 % slower than the previous one.
Scenario drifting() {
  constexpr double drift = 0.002;
  const auto begin = [](Random&) -> Rounds {
    return [round = 0](Random& r, std::span<double> batch) mutable {
      for (double& s : batch) s = std::exp(drift * round) * r.lognormal(0.03);
      ++round;
    };
  };
  return {.name = "drift of 0.2 % a round",
          .begin = begin,
          .true_median = one,
          .claims = none,
          .why = "no one median; remarks() says so",
          .batches = {11},
          .drift = drift};
}

std::vector<Scenario> scenarios() {
  constexpr std::string_view wide_gap = "stopping waits until no end lies in the gap: conservative";
  const double seldom_slow = std::exp(0.1 * solve(below_by_normal, 0.5 / 0.98, -8, 8));
  return {independent("log-normal, sigma 0.1", 1, [](Random& r) { return r.lognormal(0.1); }),
          independent("log-normal, sigma 0.5", 1, [](Random& r) { return r.lognormal(0.5); }),
          independent("2 % of samples 100x", seldom_slow,
                      [](Random& r) { return (r.uniform() < 0.02 ? 100 : 1) * r.lognormal(0.1); }),
          independent("Pareto, exponent 1.5", std::pow(2, 1 / 1.5),
                      [](Random& r) { return std::pow(r.uniform(), -1 / 1.5); }),
          {.name = "AR(1) 0.9 of samples",
           .begin = [](Random&) { return correlated_samples; },
           .true_median = one,
           .claims = all},
          states("two states 70:30", 0.3, 0, {true, true, true, false}, wide_gap, {1, 11, 101}),
          states("two states 85:15", 0.15, 0, {true, true, true, false}, wide_gap, {1, 11, 101}),
          states("two states 52:48", 0.48, 0, none, "median near the gap; remarks() says so"),
          states("memory 0.5, 85:15", 0.15, 0.5, {false, true, true, false}, "fast state lasts 13 rounds, slow one 2"),
          states("memory 0.5, 70:30", 0.3, 0.5, {false, false, true, false}, "fast state lasts 7 rounds, slow one 3"),
          states("memory 0.8, 85:15", 0.15, 0.8, none, "fast state lasts 33 rounds, slow one 6"),
          states("memory 0.8, 70:30", 0.3, 0.8, none, "fast state lasts 17 rounds, slow one 7"),
          correlated_rounds("AR(1) 0.3 of rounds", 0.3, {false, true, true, false},
                            "10 rounds cannot show it; stopping costs 2 to 3"),
          correlated_rounds("AR(1) 0.6 of rounds", 0.6, {false, false, true, false}, "rounds are worth a third"),
          correlated_rounds("AR(1) 0.9 of rounds", 0.9, none, "rounds are worth a tenth"),
          drifting()};
}

struct Tally {
  std::size_t cases = 0, covered = 0, intervals = 0, rounds = 0;
  void add(const std::optional<Interval>& interval, double truth, std::size_t taken) {
    ++cases;
    rounds += taken;
    if (!interval) return;
    ++intervals;
    if (interval->low <= truth && truth <= interval->high) ++covered;
  }
  [[nodiscard]] double coverage() const { return static_cast<double>(covered) / static_cast<double>(intervals); }
};
using Tallies = std::array<Tally, fixed_rounds.size() + 1>;

/// Measures one case until the stopping rule has ended it and the largest fixed number of rounds is reached.
void measure(const Scenario& scenario, double true_median, std::vector<double>& batch, Random& random,
             Tallies& tallies) {
  const std::array<StopRule, 2> rules{converged, MaxSamples{.samples = most_rounds * batch.size()}};
  const Rounds next = scenario.begin(random);
  std::vector<double> medians;
  for (bool stopped = false; !stopped || medians.size() < fixed_rounds.back();) {
    next(random, batch);
    medians.push_back(stepped_median(batch, 0));
    const std::size_t n = medians.size();
    const double truth = true_median * std::exp(0.5 * scenario.drift * static_cast<double>(n - 1));
    for (std::size_t i = 0; i < fixed_rounds.size(); ++i)
      if (n == fixed_rounds[i]) tallies[i].add(series_median_interval(medians, confidence), truth, n);
    if (!stopped && ended_by(rules, {.round_medians_s = medians, .samples = n * batch.size()})) {
      stopped = true;
      tallies.back().add(stated_interval(rules, medians, confidence), truth, n);
    }
  }
}

/// "95.1"; "(95.1)" if not claimed; "-" if there was no interval.
std::string percent(const Tally& tally, bool claimed) {
  if (tally.intervals == 0) return "-";
  const double share = 100 * tally.coverage();
  return claimed ? fmt::format("{:.1f}", share) : fmt::format("({:.1f})", share);
}

/// Prints a line. Returns the number of claims that fail in it.
int report(const Scenario& scenario, std::size_t samples, const Tallies& tallies) {
  int wrong = 0;
  fmt::print("{:<26} {:>4}", scenario.name, samples);
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const double coverage = tallies[i].coverage();
    const bool holds = coverage >= least_coverage && coverage <= most_coverage;
    const bool fails = scenario.claims[i] && !holds;
    if (fails) ++wrong;
    fmt::print("  {:>7}{}", percent(tallies[i], scenario.claims[i]), fails ? "!" : " ");
  }
  const Tally& last = tallies.back();
  fmt::print("  {:>4.0f}  {}\n", static_cast<double>(last.rounds) / static_cast<double>(last.cases), scenario.why);
  return wrong;
}

/// True median of figures of launches: sigma is 3 % in the logarithm, and some launches are 2.2 times slower.
double true_median_of_launches(double slow_share) {
  return std::exp(0.03 * solve(below_by_normal, 0.5 / (1 - slow_share), -8, 8));
}

/// Prints a line. Returns the number of claims that fail in it. 93 to 99 % is claimed: the interval allows for slow
/// launches, and is too wide without them.
int report_launches(double slow_share, std::size_t trials) {
  constexpr std::array<std::size_t, 5> launches{3, 4, 5, 10, 20};
  constexpr double most = 0.99;
  const double truth = true_median_of_launches(slow_share);
  Random random(launches.size());
  int wrong = 0;
  fmt::print("{:<26}     ", fmt::format("{:.0f} % of launches 2.2x", 100 * slow_share));
  for (const std::size_t n : launches) {
    Tally tally;
    std::vector<double> figures(n);
    for (std::size_t t = 0; t < trials; ++t) {
      for (double& f : figures) f = (random.uniform() < slow_share ? 2.2 : 1) * random.lognormal(0.03);
      tally.add(median_of_figures_interval(figures, confidence), truth, n);
    }
    const bool fails = tally.coverage() < least_coverage || tally.coverage() > most;
    if (fails) ++wrong;
    fmt::print("  {:>7}{}", percent(tally, true), fails ? "!" : " ");
  }
  fmt::print("\n");
  return wrong;
}

int run_launches(std::size_t trials) {
  fmt::print("\nThe same of the median over launches\n{:<26}      {:>7}   {:>7}   {:>7}   {:>7}   {:>7}\n", "launches",
             3, 4, 5, 10, 20);
  int wrong = 0;
  for (const double slow_share : {0.0, 0.05, 0.1}) wrong += report_launches(slow_share, trials);
  return wrong;
}

int run(std::size_t trials, bool only_claimed) {
  int wrong = 0;
  fmt::print(
      "Share of {} intervals at 95 % that hold the true median (cases without one left out), in %; not claimed in "
      "brackets\n",
      trials);
  fmt::print("{:<26} {:>4}  {:>7}   {:>7}   {:>7}   {:>7}   {}\n", "samples", "each", "10", "20", "50", "to 2 %",
             "rounds");
  for (const Scenario& scenario : scenarios()) {
    if (only_claimed && scenario.claims == none) continue;
    for (const std::size_t samples : scenario.batches) {
      const double true_median = scenario.true_median(samples);
      Random random(samples);
      std::vector<double> batch(samples);
      Tallies tallies;
      for (std::size_t t = 0; t < trials; ++t) measure(scenario, true_median, batch, random, tallies);
      wrong += report(scenario, samples, tallies);
    }
  }
  return wrong;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  std::size_t trials = 2000;
  bool check = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--check") {
      check = true;
    } else if (word == "--trials" &&
               std::from_chars(value.data(), value.data() + value.size(), trials).ec == std::errc{} && trials > 0) {
      ++i;
    } else {
      fmt::print(stderr, "usage: interval_coverage [--trials N] [--check]\n");
      return 2;
    }
  }
  const int wrong = busbar::run(trials, check) + busbar::run_launches(trials);
  if (check && wrong > 0) fmt::print(stderr, "{} claims do not hold (marked !)\n", wrong);
  return check && wrong > 0 ? 1 : 0;
}
