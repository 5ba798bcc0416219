// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/readings.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"

namespace busbar::predict {

namespace {

/// The share of the readings' mixture that is below exp(at). `z`: of half an interval in standard deviations.
double share_below(const std::vector<Reading>& readings, double at, double z) {
  double share = 0, weights = 0;
  for (const Reading& r : readings) {
    const double off = at - std::log(r.time_s.value);
    const double half = off < 0 ? std::log(r.time_s.value / r.time_s.low) : std::log(r.time_s.high / r.time_s.value);
    share += r.weight * 0.5 * std::erfc(-z * off / std::max(half, 1e-9) / std::sqrt(2));
    weights += r.weight;
  }
  return share / weights;
}

/// By bisection between the ends of all intervals.
double quantile(const std::vector<Reading>& readings, double share, double z) {
  double low = std::log(readings.front().time_s.low), high = std::log(readings.front().time_s.high);
  for (const Reading& r : readings)
    low = std::min(low, std::log(r.time_s.low)), high = std::max(high, std::log(r.time_s.high));
  constexpr int halvings = 50;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (share_below(readings, middle, z) < share ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

}  // namespace

Span together(const std::vector<Reading>& readings, double confidence, double allowance) {
  double log_mean = 0, weights = 0;
  for (const Reading& r : readings) log_mean += r.weight * std::log(r.time_s.value), weights += r.weight;
  const double tail = (1 - confidence) / 2, z = upper_quantile(tail, normal_degrees);
  Span all{.value = std::exp(log_mean / weights),
           .low = quantile(readings, tail, z),
           .high = quantile(readings, 1 - tail, z)};
  all.low = std::min(all.low, all.value);
  all.high = std::max(all.high, all.value) * (1 + allowance);
  return all;
}

std::string between(double low_s, double high_s) {
  std::string low = format_duration(low_s);
  const std::string high = format_duration(high_s);
  const auto unit = [](const std::string& text) { return text.substr(text.find(' ')); };
  if (unit(low) == unit(high)) low.resize(low.find(' '));
  return low + " to " + high;
}

std::string short_name(const std::string& reading) {
  const auto comma = reading.find(", if ");
  return comma == std::string::npos ? reading : "a switch to " + reading.substr(0, comma);
}

Series series_of(const fit::Sweep& sweep) {
  Series s{.name = sweep.name(), .collective = sweep.collective, .simulated = sweep.origin == Origin::simulated};
  for (const fit::Observation& o : sweep.points)
    s.measured.push_back({.scale = o.scale, .bytes = o.bytes, .time_s = o.time_s, .launch = sweep.launches[o.launch]});
  return s;
}

}  // namespace busbar::predict
