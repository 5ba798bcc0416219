// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/change_points.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "core/statistics/clearest_step.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/moments.hpp"

namespace busbar {
namespace {

constexpr int most_orders = 1999;
constexpr double clearly_better = 16;  // of step_against_line()

/// Logarithms of one series in one span of time; only the known ones.
struct KnownValues {
  std::vector<double> values;
  std::vector<std::size_t> places;  ///< positions in the span, ascending
  std::size_t outliers = 0;         ///< values that were replaced
  std::size_t series = 0;           ///< position in the input
  double weight = 1;                ///< of the series among all
};

/// All series in one span of time.
using Segment = std::vector<KnownValues>;

/// Logarithms of one series over the whole history, and its weight among all series.
struct History {
  std::vector<double> logs;  ///< NaN if unknown
  double weight = 1;
};

Segment cut(const std::vector<History>& histories, TimeSpan span) {
  Segment all;
  for (std::size_t at = 0; at < histories.size(); ++at) {
    const History& history = histories[at];
    KnownValues known{.series = at, .weight = history.weight};
    for (std::size_t i = span.first; i < span.last; ++i) {
      if (std::isnan(history.logs[i])) continue;
      known.values.push_back(history.logs[i]);
      known.places.push_back(i - span.first);
    }
    if (known.values.size() < 2 * least_values_per_side) continue;
    std::vector<double> usual = without_outliers(known.values);
    for (std::size_t i = 0; i < usual.size(); ++i) known.outliers += usual[i] != known.values[i];
    known.values = std::move(usual);
    all.push_back(std::move(known));
  }
  return all;
}

/// One over the variance of a series' noise, from the differences of neighbours: a few steps hardly change it.
double weight_of(std::span<const double> values) {
  constexpr double rounding = 1e-6;
  double sum = 0;
  for (std::size_t i = 1; i < values.size(); ++i) sum += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  return static_cast<double>(values.size()) / (sum + rounding * rounding);
}

ClearestStep step_in(std::span<const double> values, StepWindows kind = StepWindows::whole) {
  return clearest_step(values, windows_in(values.size(), kind));
}

/// The series taken together: at each time the weighted mean over series.
KnownValues pool(const Segment& segment, std::size_t length) {
  std::vector<double> sums(length), weights(length);
  for (const KnownValues& series : segment) {
    const double usual = mean(series.values);
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      sums[series.places[i]] += series.weight * (series.values[i] - usual);
      weights[series.places[i]] += series.weight;
    }
  }
  KnownValues pooled;
  for (std::size_t i = 0; i < length; ++i) {
    if (weights[i] <= 0) continue;
    pooled.values.push_back(sums[i] / weights[i]);
    pooled.places.push_back(i);
  }
  return pooled;
}

/// What remains of a series after its clearest step is removed.
KnownValues residuals(KnownValues series) {
  const std::size_t middle = step_in(series.values).window.middle;
  const auto centre = [](std::span<double> side) {
    const double usual = side.empty() ? 0 : mean(side);
    for (double& v : side) v -= usual;
  };
  centre(std::span(series.values).first(middle));
  centre(std::span(series.values).subspan(middle));
  return series;
}

/// The values of a series when its span is put in another order: `rank[place]` is the new position of a place.
std::vector<double> reorder(const KnownValues& series, std::span<const std::size_t> rank) {
  std::vector<double> by_rank(rank.size(), std::nan(""));
  for (std::size_t i = 0; i < series.values.size(); ++i) by_rank[rank[series.places[i]]] = series.values[i];
  std::erase_if(by_rank, [](double v) { return std::isnan(v); });
  return by_rank;
}

double clearest_of(const Segment& segment, std::span<const std::size_t> rank, StepWindows kind) {
  const std::vector<StepWindow> windows = windows_in(rank.size(), kind);
  double most = 0;
  for (const KnownValues& series : segment) {
    const std::vector<double> values = reorder(series, rank);
    const bool is_full = values.size() == rank.size();
    most = std::max(most, (is_full ? clearest_step(values, windows) : step_in(values, kind)).statistic);
  }
  return most;
}

/// The statistic of each order, computed on all processors.
std::vector<double> statistics_of(const Segment& segment, const std::vector<std::vector<std::size_t>>& ranks,
                                  StepWindows kind) {
  std::vector<double> all(ranks.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < ranks.size(); i = next++) all[i] = clearest_of(segment, ranks[i], kind);
  };
  std::vector<std::jthread> others;
  if (segment.size() * ranks.front().size() > 1'000)  // a thread costs more than a few short series
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

/// One of several searches for the clearest change in a span of time.
struct Search {
  Segment segment;
  std::size_t length = 0;  ///< of the span
  StepWindows windows = StepWindows::whole;
  double share = 1;  ///< of the false alarms allowed to all searches
};

/// p-value of a step at least so clear if the noise is normal. An outlier that was replaced takes two degrees of
/// freedom: its value and its place.
double p_by_student(const Search& search, const ClearestStep& step, std::size_t outliers) {
  constexpr std::size_t most_whole = 20;  // places are not independent: 20 of them count in a history of 60
  std::size_t looks = 0;
  for (const KnownValues& series : search.segment) {
    const std::size_t windows = windows_in(series.values.size(), search.windows).size();
    looks += search.windows == StepWindows::whole ? std::min(windows, most_whole) : windows;
  }
  const double degrees = step.degrees - 2 * static_cast<double>(outliers);
  if (degrees < 1) return 1;
  const double t = step.statistic * std::sqrt(degrees / step.degrees);
  return std::min(1.0, static_cast<double>(looks) * 2 * upper_tail(t, degrees));
}

/// p-value of a step at least so clear in a random order of what remains without it; fewer orders if it certainly
/// exceeds `alpha`.
double p_by_orders(const Search& search, const ClearestStep& step, double alpha) {
  constexpr int batch = 100;
  Segment rest;
  for (const KnownValues& series : search.segment) rest.push_back(residuals(series));
  std::vector<std::size_t> rank(search.length);
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  std::mt19937_64 random(search.length);
  int above = 0, done = 0;
  while (done < most_orders && above + 1 <= alpha * (most_orders + 1)) {
    std::vector<std::vector<std::size_t>> ranks;
    for (int i = 0; i < batch && done < most_orders; ++i, ++done) {
      std::ranges::shuffle(rank, random);
      ranks.push_back(rank);
    }
    const std::vector<double> by_chance = statistics_of(rest, ranks, search.windows);
    above += static_cast<int>(std::ranges::count_if(by_chance, [&](double s) { return s >= step.statistic; }));
  }
  return static_cast<double>(above + 1) / (done + 1);
}

/// A change in a span of time.
struct Found {
  double p = 1;
  double p_by_noise = 1;  ///< tells changes apart whose orders are all exhausted
  std::size_t at = 0;
  ChangeKind kind = ChangeKind::step;
};

ChangeKind kind_of(double step_against_line) {
  if (step_against_line > clearly_better) return ChangeKind::step;
  return step_against_line < -clearly_better ? ChangeKind::drift : ChangeKind::unclear;
}

/// The clearest change of one search; its p-value is for all searches, and exact only up to `alpha`.
Found clearest_change(const Search& search, double alpha) {
  ClearestStep best;
  const KnownValues* where = nullptr;
  for (const KnownValues& series : search.segment) {
    const ClearestStep step = step_in(series.values, search.windows);
    if (step.statistic <= best.statistic) continue;
    best = step;
    where = &series;
  }
  if (where == nullptr) return {};
  const double by_noise = p_by_student(search, best, where->outliers) / search.share;
  if (by_noise > alpha) return {};
  const double by_orders = p_by_orders(search, best, alpha * search.share) / search.share;
  return {.p = std::max(by_noise, by_orders),
          .p_by_noise = by_noise,
          .at = where->places[best.window.middle],
          .kind = kind_of(step_against_line(where->values, best))};
}

/// What each series does beyond the series taken together: noise that all share is gone.
Segment beyond(const KnownValues& pooled, Segment segment) {
  for (KnownValues& series : segment) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      while (pooled.places[k] < series.places[i]) ++k;
      series.values[i] -= pooled.values[k];
    }
  }
  return segment;
}

/// The clearest change of the series together, each, and each beyond the others.
Found clearest_change_of_all(const Segment& segment, std::size_t length, double alpha) {
  constexpr double share_of_parts = 0.2;
  std::vector<std::pair<Segment, double>> views{{segment, 1}};
  if (segment.size() > 1) {
    const KnownValues pooled = pool(segment, length);
    views = {{{pooled}, 0.5}, {segment, 0.25}, {beyond(pooled, segment), 0.25}};
  }
  Found best;
  for (const StepWindows windows : {StepWindows::whole, StepWindows::parts}) {
    const double share = windows == StepWindows::parts ? share_of_parts : 1 - share_of_parts;
    for (const auto& [view, part] : views) {
      const Found found = clearest_change({view, length, windows, share * part}, alpha);
      if (found.p <= alpha && found.p_by_noise < best.p_by_noise) best = found;
    }
  }
  return best;
}

/// Finds changes in a span, in ascending order.
void look_between(const std::vector<History>& histories, TimeSpan span, double alpha, std::vector<ChangePoint>& found) {
  const std::size_t length = span.last - span.first;
  if (length < 2 * least_values_per_side) return;
  const Segment segment = cut(histories, span);
  if (segment.empty()) return;
  const Found best = clearest_change_of_all(segment, length, alpha);
  if (best.p > alpha) return;
  const std::size_t at = span.first + best.at;
  if (best.kind != ChangeKind::drift) look_between(histories, {span.first, at}, alpha, found);
  found.push_back({.kind = best.kind, .at = at, .p = best.p, .before = {}, .behind = {}});
  if (best.kind != ChangeKind::drift) look_between(histories, {at, span.last}, alpha, found);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const std::vector<double>> series, double alpha) {
  std::vector<History> histories;
  std::size_t length = 0;
  for (const auto& values : series) length = std::max(length, values.size());
  for (const auto& values : series) {
    History history{.logs = std::vector<double>(length, std::nan(""))};
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] > 0) history.logs[i] = std::log(values[i]);
    histories.push_back(std::move(history));
  }
  for (const KnownValues& known : cut(histories, {0, length})) histories[known.series].weight = weight_of(known.values);
  std::vector<ChangePoint> found;
  look_between(histories, {0, length}, alpha, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ChangePoint& change = found[i];
    const std::size_t first = i == 0 ? 0 : found[i - 1].at, last = i + 1 == found.size() ? length : found[i + 1].at;
    const std::size_t third = (last - first) / 3;
    const bool is_drift = change.kind == ChangeKind::drift;
    change.before = {first, is_drift ? first + third : change.at};
    change.behind = {is_drift ? last - third : change.at, last};
  }
  return found;
}

}  // namespace busbar
