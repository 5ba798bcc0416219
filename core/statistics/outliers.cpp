// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics/distributions.hpp"

namespace busbar {
namespace {

struct Deviate {
  std::size_t at = 0;      ///< index of the value
  double studentized = 0;  ///< its distance from the mean in standard deviations, both of all that remained with it
};

/// Values from which the farthest from the mean is removed, one after the other.
class Remaining {
 public:
  explicit Remaining(std::span<const double> values) : values_(values), sorted_(values.size()), last_(values.size()) {
    std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
    std::ranges::sort(sorted_, {}, [&](std::size_t i) { return values[i]; });
    origin_ = values[sorted_[sorted_.size() / 2]];  // keeps the sums small
    for (const double v : values) count(v, 1);
  }

  [[nodiscard]] std::size_t size() const { return last_ - first_; }

  Deviate remove_farthest() {
    const auto n = static_cast<double>(size());
    const double mean = sum_ / n, deviation = std::sqrt(std::max(0.0, squares_ - sum_ * mean) / (n - 1));
    const double below = mean - away(sorted_[first_]), above = away(sorted_[last_ - 1]) - mean;
    const std::size_t farthest = below > above ? sorted_[first_++] : sorted_[--last_];
    count(values_[farthest], -1);
    return {.at = farthest, .studentized = deviation > 0 ? std::max(below, above) / deviation : 0};
  }

 private:
  [[nodiscard]] double away(std::size_t i) const { return values_[i] - origin_; }
  void count(double value, double sign) {
    sum_ += sign * (value - origin_);
    squares_ += sign * (value - origin_) * (value - origin_);
  }

  std::span<const double> values_;
  std::vector<std::size_t> sorted_;  ///< indices by value; [first_, last_) remain
  std::size_t first_ = 0, last_;
  double origin_ = 0, sum_ = 0, squares_ = 0;
};

/// What the farthest of n normal values exceeds with this probability.
double critical(std::size_t values, double by_chance) {
  const auto n = static_cast<double>(values);
  const double t = upper_quantile(by_chance / (2 * n), n - 2);
  return (n - 1) * t / std::sqrt((n - 2 + t * t) * n);
}

}  // namespace

std::vector<std::size_t> outliers(std::span<const double> values, double by_chance, double most) {
  if (values.size() < least_for_outliers) return {};
  Remaining remaining(values);
  std::vector<std::size_t> removed;
  std::size_t found = 0;
  const auto limit = static_cast<std::size_t>(most * static_cast<double>(values.size()) + 1e-9);
  while (removed.size() < limit) {
    const double bar = critical(remaining.size(), by_chance);
    const Deviate one = remaining.remove_farthest();
    removed.push_back(one.at);
    if (one.studentized > bar) found = removed.size();  // with all that were removed before it
  }
  removed.resize(found);
  std::ranges::sort(removed);
  return removed;
}

}  // namespace busbar
