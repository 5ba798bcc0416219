// SPDX-License-Identifier: Apache-2.0
// What change_points() finds and what it finds wrongly, on made-up histories: nights with noise, and a step, a drift,
// single bad nights or missing nights. The noise has a part that all cases of a night share (half of its variance), as
// measured histories have. With --check fewer histories, and exit status 1 if a bound of docs/comparing.md is missed.
// Same numbers on every run.
#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/statistics/change_points.hpp"
#include "core/statistics/shifts.hpp"

namespace busbar {
namespace {

/// A kind of made-up history.
struct Kind {
  std::string_view name;
  std::size_t nights = 20, cases = 1;
  double noise = 0.03;       ///< standard deviation of the logarithm
  double step = 0;           ///< relative; on `moved` of the cases
  std::size_t behind = 5;    ///< nights after the step
  std::size_t moved = 1;     ///< cases
  double drift = 0;          ///< relative, over the whole history, of all cases
  double bad_nights = 0;     ///< probability of a night that takes 1.2 to 2 times as long
  double missing = 0;        ///< probability that a night has no values
  bool heavy_tails = false;  ///< noise with Student's t of 3 degrees instead of normal
};

class Nights {
 public:
  explicit Nights(std::uint64_t seed) : random_(seed) {}

  std::vector<std::vector<double>> history(const Kind& k) {
    std::vector<std::vector<double>> all(k.cases, std::vector<double>(k.nights));
    std::size_t good_again = 0;
    for (std::size_t n = 0; n < k.nights; ++n) {
      const double gone = k.nights > 1 ? static_cast<double>(n) / static_cast<double>(k.nights - 1) : 0;
      const bool is_bad = uniform() < k.bad_nights && n >= good_again;
      if (is_bad) good_again = n + 4;
      const double bad = is_bad ? std::log(1.2 + 0.8 * uniform()) : 0;
      const bool is_missing = uniform() < k.missing;
      const double shared = noise(k), trend = std::log1p(k.drift) * gone;
      for (std::size_t c = 0; c < k.cases; ++c) {
        const double own = k.cases == 1 ? shared : (shared + noise(k)) / std::sqrt(2.0);
        const double step = c < k.moved && n + k.behind >= k.nights ? std::log1p(k.step) : 0;
        all[c][n] = is_missing ? std::nan("") : std::exp(own + step + trend + bad);
      }
    }
    return all;
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>()(random_); }
  double noise(const Kind& k) {
    if (!k.heavy_tails) return k.noise * std::normal_distribution<double>()(random_);
    return k.noise / std::sqrt(3.0) * std::student_t_distribution<double>(3)(random_);
  }

  std::mt19937_64 random_;
};

/// Counts over the histories of one kind.
struct Counts {
  int histories = 0, found = 0, dated = 0, wrong_dates = 0, other = 0;
  int all_named = 0;  ///< of those found
  double named = 0, wrongly_named = 0, covered = 0;
};

/// The history's step, if it has one, is at most two nights from the change.
bool is_at_step(const Kind& k, const ChangePoint& change) {
  const std::size_t at = k.nights - k.behind;
  return k.step != 0 && change.at + 2 >= at && change.at <= at + 2;
}

void count_names(const Kind& k, const std::vector<std::vector<double>>& history, const ChangePoint& change,
                 Counts& counts) {
  std::size_t named = 0, wrong = 0;
  std::vector<std::size_t> moved;
  for (const SeriesShift& s : series_shifts(history, change)) {
    named += s.moved && s.series < k.moved;
    wrong += s.moved && s.series >= k.moved;
    if (s.moved) moved.push_back(s.series);
  }
  counts.all_named += named == k.moved;
  counts.named += static_cast<double>(named) / static_cast<double>(k.moved);
  if (k.cases > k.moved) counts.wrongly_named += static_cast<double>(wrong) / static_cast<double>(k.cases - k.moved);
  const auto shift = median_shift(history, moved, change);
  counts.covered += shift && shift->interval.low <= 1 + k.step && shift->interval.high >= 1 + k.step;
}

Counts try_kind(const Kind& k, int histories) {
  Counts counts{.histories = histories};
  Nights nights(k.nights * 31 + k.cases);
  for (int i = 0; i < histories; ++i) {
    const auto history = nights.history(k);
    const auto changes = change_points(history);
    const auto hit = std::ranges::find_if(changes, [&](const ChangePoint& c) { return is_at_step(k, c); });
    if (hit != changes.end()) {
      ++counts.found;
      counts.dated += hit->kind == ChangeKind::step;
      count_names(k, history, *hit, counts);
    }
    const auto is_wrong = [&](const ChangePoint& c) { return !is_at_step(k, c) && c.kind == ChangeKind::step; };
    const auto is_other = [&](const ChangePoint& c) { return !is_at_step(k, c) && c.kind != ChangeKind::step; };
    counts.wrong_dates += std::ranges::any_of(changes, is_wrong);
    counts.other += std::ranges::any_of(changes, is_other);
  }
  return counts;
}

std::string per_cent(double part, double of) { return of > 0 ? fmt::format("{:.1f} %", 100 * part / of) : ""; }

void print(const Kind& k, const Counts& c) {
  const int with_step = k.step != 0 ? c.histories : 0;
  fmt::print("| {} | {} | {} of {} | {:.0f} % | {} | {} | {} | {} | {} | {} | {} | {} |\n", k.name, k.nights,
             k.step != 0 ? k.moved : 0, k.cases, 100 * k.noise, per_cent(c.found, with_step),
             per_cent(c.dated, with_step), per_cent(c.wrong_dates, c.histories), per_cent(c.other, c.histories),
             per_cent(c.named, c.found), per_cent(c.all_named, c.found),
             per_cent(c.wrongly_named, k.cases > k.moved ? c.found : 0), per_cent(c.covered, c.found));
}

std::vector<Kind> kinds_without_step() {
  std::vector<Kind> all;
  for (const std::size_t nights : {10U, 20U, 30U, 60U}) {
    all.push_back({.name = "no change", .nights = nights});
    all.push_back({.name = "no change", .nights = nights, .cases = 12});
    all.push_back({.name = "single bad nights", .nights = nights, .bad_nights = 0.05});
    all.push_back({.name = "missing nights", .nights = nights, .missing = 0.1});
    all.push_back({.name = "drift of 5 %", .nights = nights, .drift = 0.05});
    all.push_back({.name = "drift of 10 %", .nights = nights, .drift = 0.1});
    all.push_back({.name = "drift of 30 %", .nights = nights, .drift = 0.3});
  }
  all.push_back({.name = "no change", .nights = 20, .cases = 96});
  for (const double noise : {0.01, 0.1}) all.push_back({.name = "no change", .nights = 30, .noise = noise});
  for (const std::size_t nights : {20U, 60U})
    all.push_back({.name = "no change, heavy tails", .nights = nights, .heavy_tails = true});
  return all;
}

std::vector<Kind> kinds_with_step() {
  std::vector<Kind> all;
  for (const std::size_t nights : {10U, 15U, 20U, 30U, 60U}) {
    all.push_back({.name = "step of 10 %", .nights = nights, .step = 0.1});
    for (const std::size_t moved : {1U, 6U, 12U})
      all.push_back({.name = "step of 10 %", .nights = nights, .cases = 12, .step = 0.1, .moved = moved});
  }
  for (const double noise : {0.01, 0.03, 0.1})
    for (const double step : {0.03, 0.05, 0.3})
      all.push_back({.name = step < 0.04  ? "step of 3 %"
                             : step < 0.2 ? "step of 5 %"
                                          : "step of 30 %",
                     .nights = 30,
                     .noise = noise,
                     .step = step});
  for (const std::size_t behind : {3U, 10U, 15U})
    all.push_back({.name = behind == 3    ? "step of 10 %, 3 nights"
                           : behind == 10 ? "step of 10 %, 10 nights"
                                          : "step of 10 %, 15 nights",
                   .nights = 30,
                   .step = 0.1,
                   .behind = behind});
  all.push_back({.name = "step of 10 %, bad nights", .nights = 30, .step = 0.1, .bad_nights = 0.05});
  all.push_back({.name = "step of 10 %, missing nights", .nights = 30, .step = 0.1, .missing = 0.1});
  all.push_back({.name = "step of 10 %, heavy tails", .nights = 30, .step = 0.1, .heavy_tails = true});
  return all;
}

/// Prints the table of docs/comparing.md.
void print_table(int histories) {
  fmt::print(
      "{} histories a row; a step is 5 nights before the end. Found: within 2 nights of the step, as a step or as "
      "unclear.\n\n",
      histories);
  fmt::print(
      "| history | nights | cases moved | noise | found | dated | false dates | other changes | moved cases named "
      "| all of them | others named | interval holds |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const std::vector<Kind>& kinds : {kinds_without_step(), kinds_with_step()})
    for (const Kind& k : kinds) print(k, try_kind(k, histories));
}

/// Whether few histories agree with the claims of docs/comparing.md; far enough from them that chance does not fail it.
bool holds() {
  constexpr int histories = 100, most_false = 4, least_found = 90;
  const Counts quiet = try_kind({.name = "", .nights = 30}, histories);
  const Counts several = try_kind({.name = "", .nights = 20, .cases = 12}, histories);
  const Counts step = try_kind({.name = "", .nights = 30, .step = 0.1}, histories);
  const Counts common = try_kind({.name = "", .nights = 20, .cases = 12, .step = 0.1, .moved = 12}, histories);
  fmt::print("false dates {} and {}, found {} and {}, all cases named {}, of {} each\n", quiet.wrong_dates,
             several.wrong_dates, step.found, common.found, common.all_named, histories);
  return std::max(quiet.wrong_dates, several.wrong_dates) <= most_false &&
         std::min(step.found, common.found) >= least_found && common.all_named >= least_found;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--check") return busbar::holds() ? 0 : 1;
  busbar::print_table(1000);
}
