// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/change_points.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

namespace busbar {
namespace {

constexpr std::size_t least_values_per_side = 3;  // on each side of a change
constexpr int orders = 999;

using LogSeries = std::vector<std::vector<double>>;  // one row per series; NaN if unknown

/// The known values of a series in a given order, and their positions in that order.
struct Known {
  std::vector<double> values;
  std::vector<std::size_t> places;
};

Known known(const std::vector<double>& logs, std::span<const std::size_t> order) {
  Known k;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (std::isnan(logs[order[place]])) continue;
    k.values.push_back(logs[order[place]]);
    k.places.push_back(place);
  }
  return k;
}

/// Standard deviation around a changing mean, from the median difference of neighbours, which a few changes do not
/// affect. At least 1e-6: smaller spreads count as rounding.
double noise(const std::vector<double>& values) {
  constexpr double resolution = 1e-6, normal_median = 0.6745;
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return std::max(*middle / normal_median / std::sqrt(2.0), resolution);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Best {
  double statistic = 0;
  std::size_t at = 0;  ///< position of the first value after the change
};

/// A candidate position of a change, and the values to compare on both sides.
struct Window {
  std::size_t first = 0, middle = 0, last = 0;  ///< values [first, middle) and [middle, last)
  double per_before = 0, per_behind = 0;        ///< one over their numbers
  double per_error = 0;  ///< one over the standard error of the difference of their means, for unit variance
};

/// All windows in n values. Several lengths make temporary changes visible too.
std::vector<Window> windows_in(std::size_t n) {
  std::vector<Window> all;
  for (std::size_t length = least_values_per_side; n >= 2 * least_values_per_side; length = length * 8 / 5) {
    for (std::size_t k = least_values_per_side; k + least_values_per_side <= n; ++k) {
      const std::size_t before = std::min(length, k), behind = std::min(length, n - k);
      const double b = 1 / static_cast<double>(before), a = 1 / static_cast<double>(behind);
      all.push_back({.first = k - before,
                     .middle = k,
                     .last = k + behind,
                     .per_before = b,
                     .per_behind = a,
                     .per_error = 1 / std::sqrt(a + b)});
    }
    if (length >= n) break;
  }
  return all;
}

/// The clearest change of a series in the given order: the difference of the means before and after it, divided by its
/// standard error. `windows` must be for as many values as the order has.
Best clearest(const std::vector<double>& logs, std::span<const std::size_t> order, std::span<const Window> windows) {
  const auto [values, places] = known(logs, order);
  if (values.size() < 2 * least_values_per_side) return {};
  std::vector<double> sums{0};
  for (const double v : values) sums.push_back(sums.back() + v);
  std::vector<Window> fewer;  // if values are unknown
  if (values.size() < order.size()) windows = fewer = windows_in(values.size());
  double most = 0;
  std::size_t at = 0;
  for (const Window& w : windows) {
    const double behind = (sums[w.last] - sums[w.middle]) * w.per_behind;
    const double before = (sums[w.middle] - sums[w.first]) * w.per_before;
    const double distance = std::abs(behind - before) * w.per_error;
    if (distance > most) {
      most = distance;
      at = w.middle;
    }
  }
  return {.statistic = most / noise(values), .at = places[at]};
}

Best clearest_of_all(const LogSeries& logs, std::span<const std::size_t> order, std::span<const Window> windows) {
  Best best;
  for (const auto& series : logs) {
    if (const Best b = clearest(series, order, windows); b.statistic > best.statistic) best = b;
  }
  return best;
}

/// Series that change at position `at` of `order` by more than the threshold. `order` spans the neighbouring changes or
/// ends.
std::vector<ChangedSeries> changed_at(const LogSeries& logs, std::span<const std::size_t> order, std::size_t at,
                                      double threshold) {
  std::vector<ChangedSeries> all;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const Known before = known(logs[i], order.first(at)), behind = known(logs[i], order.subspan(at));
    if (before.values.size() < least_values_per_side || behind.values.size() < least_values_per_side) continue;
    const auto nb = static_cast<double>(before.values.size()), na = static_cast<double>(behind.values.size());
    const double distance = mean(behind.values) - mean(before.values);
    const double error = noise(known(logs[i], order).values) * std::sqrt(1 / na + 1 / nb);
    if (std::abs(distance) >= threshold * error) all.push_back({.series = i, .ratio = std::exp(distance)});
  }
  return all;
}

/// The statistic of each order, computed on all processors.
std::vector<double> statistics_of(const LogSeries& logs, const std::vector<std::vector<std::size_t>>& shuffled) {
  std::vector<double> all(shuffled.size());
  const std::vector<Window> windows = windows_in(shuffled.front().size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < shuffled.size(); i = next++)
      all[i] = clearest_of_all(logs, shuffled[i], windows).statistic;
  };
  std::vector<std::jthread> others;
  if (logs.size() * shuffled.front().size() > 10'000)  // a thread costs more than a few short series
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

/// Statistics of random permutations, ascending. There are 999, or fewer if p is already certain to exceed alpha.
std::vector<double> by_chance(const LogSeries& logs, std::vector<std::size_t> order, double seen, double alpha) {
  constexpr int batch = 37;  // 27 batches
  std::mt19937_64 random(order.front() * 1000003 + order.size());
  std::vector<double> all;
  for (int done = 0; done < orders; done += batch) {
    std::vector<std::vector<std::size_t>> shuffled;
    for (int i = 0; i < batch; ++i) {
      std::ranges::shuffle(order, random);
      shuffled.push_back(order);
    }
    const auto some = statistics_of(logs, shuffled);
    all.insert(all.end(), some.begin(), some.end());
    const auto above = std::ranges::count_if(all, [&](double s) { return s >= seen; });
    if (static_cast<double>(above + 1) > alpha * (orders + 1)) break;
  }
  std::ranges::sort(all);
  return all;
}

struct Found {
  std::size_t at = 0;
  double p = 1, threshold = 0;
};

/// Finds changes in [first, last), in ascending order.
void look_between(const LogSeries& logs, std::size_t first, std::size_t last, double alpha, std::vector<Found>& found) {
  if (last - first < 2 * least_values_per_side) return;
  std::vector<std::size_t> order(last - first);
  std::iota(order.begin(), order.end(), first);
  const Best seen = clearest_of_all(logs, order, windows_in(order.size()));
  if (seen.statistic <= 0) return;
  const std::vector<double> chance = by_chance(logs, order, seen.statistic, alpha);
  const auto above = chance.end() - std::ranges::lower_bound(chance, seen.statistic);
  const double p = static_cast<double>(above + 1) / (orders + 1);
  if (p > alpha) return;
  look_between(logs, first, first + seen.at, alpha, found);
  const double threshold = std::min(seen.statistic, chance[static_cast<std::size_t>((1 - alpha) * orders)]);
  found.push_back({.at = first + seen.at, .p = p, .threshold = threshold});
  look_between(logs, first + seen.at, last, alpha, found);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const std::vector<double>> series, double alpha) {
  LogSeries logs;
  std::size_t length = 0;
  for (const auto& values : series) {
    auto& row = logs.emplace_back();
    for (const double v : values) row.push_back(v > 0 ? std::log(v) : std::nan(""));
    length = std::max(length, values.size());
  }
  for (auto& row : logs) row.resize(length, std::nan(""));
  std::vector<Found> found;
  look_between(logs, 0, length, alpha, found);
  std::vector<ChangePoint> all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : found[i - 1].at, end = i + 1 == found.size() ? length : found[i + 1].at;
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    all.push_back({.at = found[i].at,
                   .p = found[i].p,
                   .changed = changed_at(logs, order, found[i].at - begin, found[i].threshold)});
  }
  return all;
}

}  // namespace busbar
