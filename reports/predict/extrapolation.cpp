// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"

namespace busbar::predict {
namespace {

using fit::Curve, fit::dot, fit::quadratic, fit::Region, fit::Scale, fit::SweepFit, fit::Terms;

constexpr double widest = 20;  ///< maximum half-width of an interval, as a logarithm: prevents overflow

/// What a prediction is off by, beside what the fit knows of itself: standard deviations of the logarithm for
/// ln(nodes / measured nodes) = 1, growing with its square root. Both ways, since steps and volumes are simpler than
/// the library is; and upwards, since networks get slow on more nodes, above all what a time is bandwidth. (Of
/// Leonardo, whose nodes share a dragonfly, half of the bandwidth of an allreduce on 256 nodes was lost to other jobs:
/// D. De Sensi et al.: Exploring GPU-to-GPU Communication, SC 2024; from 8 nodes to 256 a factor of 2.2 here.) So that
/// intervals hold the times of public logs of 8 and 128 nodes, predicted from fewer (scripts/compare-prediction;
/// docs/predicting.md has the shares, also with one setting left out of the choice).
constexpr double model_error = 0.10;
constexpr double slowdown = 0.21, slowdown_of_latency = 0.6 * slowdown;

/// A variance with its degrees of freedom.
struct Part {
  double variance = 0, degrees = 0;
};

/// Half of an interval by Student's t. Degrees of freedom of a sum: F. Satterthwaite: An Approximate Distribution of
/// Estimates of Variance Components, 1946.
double half_width(std::initializer_list<Part> parts, double confidence) {
  double all = 0, per_degree = 0;
  for (const Part& p : parts) {
    all += p.variance;
    if (p.degrees > 0) per_degree += p.variance * p.variance / p.degrees;
  }
  const double degrees = per_degree > 0 ? std::min(all * all / per_degree, normal_degrees) : normal_degrees;
  return std::min(upper_quantile((1 - confidence) / 2, std::max(degrees, 1.0)) * std::sqrt(all), widest);
}

/// A line by least squares, of times that rise.
class RisingLine {
 public:
  void add(double at, double value) { n_ += 1, x_ += at, y_ += value, xx_ += at * at, xy_ += at * value; }
  /// Empty if there is no slope, or it falls.
  [[nodiscard]] std::optional<double> value(double at) const {
    constexpr double least = 1e-9;  // of the spread of x_: below it there is one scale
    const double det = n_ * xx_ - x_ * x_;
    if (!(det > least * n_ * xx_)) return std::nullopt;
    const double slope = (n_ * xy_ - x_ * y_) / det;
    return slope > 0 ? std::optional((y_ - slope * x_) / n_ + slope * at) : std::nullopt;
  }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;  ///< sums
};

/// A curve and its region.
struct Place {
  const Region* region = nullptr;
  const Curve* curve = nullptr;
};

/// The algorithm's curve for messages of this length; `like` itself if there is none.
Place place_of(const SweepFit& f, const Region& region, const Curve& like, std::string_view algorithm,
               const Scale& scale, std::uint64_t bytes) {
  const auto known = std::ranges::find(f.by_message, algorithm, &fit::ByMessage::algorithm);
  if (known == f.by_message.end()) return {.region = &region, .curve = &like};
  const Region& at = region_of(known->regions, message_bytes(f.sweep.collective, algorithm, scale, bytes));
  if (!at.best().step_known) return {.region = &region, .curve = &like};
  return {.region = &at, .curve = &at.best()};
}

/// By a line through the times of this size over the algorithm's steps, where they are of this algorithm; empty with
/// one scale.
std::optional<double> by_own_times(const SweepFit& f, const Curve& c, const Scale& scale, std::uint64_t bytes) {
  const std::string_view algorithm = algorithm_at(f.sweep, c, scale, bytes);
  const auto steps = [&](const Scale& at) { return (*terms_at(f.sweep, c, at, bytes))[1]; };
  RisingLine line;
  for (const fit::Observation& o : f.sweep.points)
    if (o.bytes == bytes && algorithm_at(f.sweep, c, o.scale, bytes) == algorithm) line.add(steps(o.scale), o.time_s);
  const auto value = line.value(steps(scale));
  return value && *value > 0 ? value : std::nullopt;
}

/// How much the own times of a size count for its latency: fully if steps take a quarter of the curve's time or more at
/// the largest measured scale.
double share_of_own_times(const SweepFit& f, const Curve& c, std::uint64_t bytes) {
  constexpr double full = 0.25;
  const Terms x = *terms_at(f.sweep, c, largest_scale(f), bytes);
  const double time_s = dot(x, c.coefficients);
  return time_s > 0 ? std::min(1.0, x[1] * c.coefficients[1] / time_s / full) : 0;
}

/// Replaces values that are below an earlier one, and those that they are below, by their mean.
void pool_falls(std::vector<double>& values) {
  struct Block {
    double sum = 0;
    std::size_t count = 0;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (const double value : values) {
    blocks.push_back({.sum = value, .count = 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum, blocks.back().count += last.count;
    }
  }
  values.clear();
  for (const Block& block : blocks) values.insert(values.end(), block.count, block.mean());
}

}  // namespace

Scale largest_scale(const SweepFit& f) { return f.sweep.scales().back(); }

Distance distance_of(const SweepFit& f, std::string_view algorithm, const Scale& scale, const Contention& contention) {
  const auto pieces = [&](const Scale& at) { return pieces_of(f.sweep.collective, algorithm, at); };
  return {.nodes = std::max(1.0, static_cast<double>(scale.nodes) / largest_scale(f).nodes),
          .messages = std::max(1.0, pieces(scale) / pieces(largest_scale(f))),
          .shared = share_of_slowdown(contention, f.sweep.collective, algorithm)};
}

const Region& region_of(const std::vector<Region>& regions, std::uint64_t bytes) {
  const auto distance = [size = std::log(bytes)](const Region& r) {
    return std::max({0.0, std::log(r.first) - size, size - std::log(r.last)});
  };
  return *std::ranges::min_element(regions, {}, distance);
}

Span span_around(double time_s, const Terms& x, const Curve& c, const Region& region, const Distance& distance,
                 double confidence) {
  const double own = std::max(0.0, quadratic(c.covariance, x)) / (time_s * time_s) +
                     c.scatter * c.scatter * fit::tail_degrees / (fit::tail_degrees - 2);  // variance of Student's t
  const Part fitted{.variance = own, .degrees = c.degrees};
  const Part launches{.variance = std::pow(region.launches.value, 2), .degrees = region.launches.degrees};
  const Part model{.variance = model_error * model_error * std::log(distance.nodes)};
  const double bandwidth = std::min(1.0, x[2] * c.coefficients[2] / time_s);
  const double slower_by = distance.shared * std::lerp(slowdown_of_latency, slowdown, bandwidth);
  const Part slower{.variance = slower_by * slower_by * std::log(distance.messages)};
  return {.value = time_s,
          .low = time_s / std::exp(half_width({fitted, launches, model}, confidence)),
          .high = time_s * std::exp(half_width({fitted, launches, model, slower}, confidence))};
}

std::optional<Span> extrapolate(const SweepFit& f, const Region& region, const Curve& c, const Scale& scale,
                                std::uint64_t bytes, const Contention& contention, double confidence) {
  const std::string_view algorithm = algorithm_at(f.sweep, c, scale, bytes);
  const auto x = terms_at(f.sweep, c, scale, bytes);
  const Place at = place_of(f, region, c, algorithm, scale, bytes);
  double time_s = x ? dot(*x, at.curve->coefficients) : 0;
  if (!(time_s > 0)) return std::nullopt;
  if (const auto own = at.curve == &c ? by_own_times(f, c, scale, bytes) : std::nullopt)
    time_s *= std::pow(*own / time_s, share_of_own_times(f, c, bytes));
  return span_around(time_s, *x, *at.curve, *at.region, distance_of(f, algorithm, scale, contention), confidence);
}

std::vector<double> falls_of(const std::vector<Predicted>& by_size) {
  std::vector<double> falls(by_size.size(), 0.0);
  for (std::size_t i = 1; i < by_size.size(); ++i)
    falls[i] = std::max(0.0, std::log(by_size[i - 1].time_s.value / by_size[i].time_s.value));
  return falls;
}

void limit_falls(std::vector<Predicted>& by_size, const std::vector<double>& falls) {
  std::vector<double> below;  // how far a time may be below the first
  std::inclusive_scan(falls.begin(), falls.end(), std::back_inserter(below));
  for (double Span::* const limit : {&Span::value, &Span::low, &Span::high}) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < by_size.size(); ++i) logs.push_back(std::log(by_size[i].time_s.*limit) + below[i]);
    pool_falls(logs);
    for (std::size_t i = 0; i < by_size.size(); ++i) by_size[i].time_s.*limit = std::exp(logs[i] - below[i]);
  }
}

std::string not_described(const fit::Region& region) {
  return fmt::format("the model does not describe {} to {}: measured times are off by a factor of {:.2f} (rms)",
                     format_size(region.first), format_size(region.last), std::exp(region.rms));
}

Naive naive_time(const fit::SweepFit& f, const fit::Scale& scale, std::uint64_t bytes) {
  RisingLine line;
  fit::Scale largest;
  double sum_s = 0, launches = 0;                     // at the largest scale
  for (const fit::Observation& o : f.sweep.points) {  // by size, then scale
    if (o.bytes != bytes) continue;
    line.add(std::log2(o.scale.nodes), o.time_s);
    if (o.scale != largest) largest = o.scale, sum_s = launches = 0;
    sum_s += o.time_s, ++launches;
  }
  Naive naive{.scale = scale,
              .bytes = bytes,
              .time_s = sum_s / launches,
              .rule = fmt::format("as on {}", plural(largest.nodes, "node"))};
  if (const auto time_s = line.value(std::log2(scale.nodes)); time_s && *time_s > naive.time_s) {
    naive.time_s = *time_s;
    naive.rule = "a line over log2(nodes)";
  }
  return naive;
}

}  // namespace busbar::predict
