// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double farthest = 8;                ///< maximum size ratio of neighbours
constexpr double back = 1.25;                 ///< maximum excess over the predicted curve after a dip
constexpr double stays = 1.1;                 ///< maximum drop of the time after a step
constexpr double plain = 1.05;                ///< minimum rise and fall of time or bandwidth at a dip
constexpr std::uint64_t fewest_samples = 20;  ///< minimum for a time without an interval; nccl-tests' default

bool positive(double x) { return std::isfinite(x) && x > 0; }

/// Collectives and pair transfers form curves over size; other kinds do not.
bool over_size(const CaseKey& key) { return key.kind == CaseKind::collective || key.kind == CaseKind::pair; }

/// The point of a case; empty if its time is not comparable.
std::optional<CurvePoint> point_of(const CaseRecord& c) {
  if (!is_measured(c.status) || !over_size(c.key) || c.key.bytes == 0 || c.modes) return std::nullopt;
  if (!c.time_s || !positive(*c.time_s)) return std::nullopt;
  CurvePoint p{.bytes = c.key.bytes, .time_s = *c.time_s, .interval = c.interval_s, .record = &c};
  if (p.interval && positive(p.interval->low) && positive(p.interval->high)) return p;
  p.interval.reset();
  const bool disturbed = c.contention && c.contention->contended();
  if (disturbed || c.samples_taken.value_or(fewest_samples) < fewest_samples) return std::nullopt;
  return p;
}

double growth(const CurvePoint& a, const CurvePoint& b) {
  return static_cast<double>(b.bytes) / static_cast<double>(a.bytes);
}
bool near(const CurvePoint& a, const CurvePoint& b) { return growth(a, b) <= farthest; }

double low(const CurvePoint& p) { return p.interval->low; }
double high(const CurvePoint& p) { return p.interval->high; }

/// Exponent e of time ~ size^e between two points whose sizes have the ratio `sizes`; 0 if the time does not grow.
double slope(double from_s, double to_s, double sizes) {
  return std::max(0.0, std::log(to_s / from_s) / std::log(sizes));
}

/// Time at b on the line from (a, at_a_s) to (c, at_c_s) in log-log axes.
double on_line_s(const CurvePoint& a, double at_a_s, const CurvePoint& b, const CurvePoint& c, double at_c_s) {
  const double way = std::log(growth(a, b)) / std::log(growth(a, c));
  return std::exp((1 - way) * std::log(at_a_s) + way * std::log(at_c_s));
}

/// Whether the curve recovers after a dip at b: c matches the prediction from latency and bandwidth of the two sizes
/// before b. With only one size before b, the time must fall again.
bool comes_back(const std::vector<CurvePoint>& p, std::size_t i) {
  const CurvePoint &a = p[i - 1], &b = p[i], &c = p[i + 1];
  if (i < 2) return c.time_s * plain < b.time_s && c.time_s <= back * a.time_s * growth(a, c);
  const CurvePoint& before = p[i - 2];
  const double per_byte = std::max(0.0, a.time_s - before.time_s) / static_cast<double>(a.bytes - before.bytes);
  return c.time_s <= back * (a.time_s + per_byte * static_cast<double>(c.bytes - a.bytes));
}

/// The time falls again after b, or the bandwidth falls before b and rises after it.
bool falls_and_rises(const CurvePoint& a, const CurvePoint& b, const CurvePoint& c) {
  const bool time_falls = b.time_s > plain * std::max(a.time_s, c.time_s);
  const double bandwidth = algbw_GBps(b);
  return time_falls || plain * bandwidth < std::min(algbw_GBps(a), algbw_GBps(c));
}

}  // namespace

std::vector<Curve> unlabelled_curves(const Run& run) {
  if (run.head.method.shared_gpu.value_or(false)) return {};
  std::map<std::string, std::size_t> index;
  std::vector<Curve> all;
  for (const CaseRecord& c : run.cases) {
    const auto point = point_of(c);
    if (!point) continue;
    const auto [at, is_new] = index.try_emplace(series_name(c.key), all.size());
    if (is_new) all.emplace_back();
    all[at->second].points.push_back(*point);
  }
  for (Curve& curve : all) {
    const auto place = [](const CurvePoint& p) { return std::pair(p.bytes, p.record); };  // ties keep record order
    std::ranges::sort(curve.points, {}, place);
    const auto again = std::ranges::unique(curve.points, {}, &CurvePoint::bytes);
    curve.points.erase(again.begin(), again.end());
  }
  return all;
}

void label_curves(std::vector<Curve>& all) {
  std::vector<const CaseKey*> keys;
  for (const Curve& curve : all) keys.push_back(&curve.key());
  auto names = report::series_names(keys);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].label = std::move(names[i]);
}

std::optional<Excess> dip_at(const Curve& curve, std::size_t i) {
  const auto& p = curve.points;
  if (i == 0 || i + 1 >= p.size()) return std::nullopt;
  const CurvePoint &a = p[i - 1], &b = p[i], &c = p[i + 1];
  if (!near(a, b) || !near(b, c) || !falls_and_rises(a, b, c) || !comes_back(p, i)) return std::nullopt;
  Excess excess{.ratio = b.time_s / std::max(between_neighbours_s(curve, i), a.time_s)};
  if (a.interval && b.interval && c.interval)
    excess.at_least = low(b) / std::max(on_line_s(a, high(a), b, c, high(c)), high(a));
  return excess;
}

std::optional<Excess> step_at(const Curve& curve, std::size_t i) {
  const auto& p = curve.points;
  if (i == 0 || i + 2 >= p.size()) return std::nullopt;
  const CurvePoint &before = p[i - 1], &a = p[i], &b = p[i + 1], &c = p[i + 2];
  if (!near(before, a) || !near(a, b) || !near(b, c) || c.time_s * stays < b.time_s) return std::nullopt;
  const double sizes = growth(a, b);
  const auto expected = [&](double left, double right) { return std::pow(sizes, std::max(left, right)); };
  const double left = slope(before.time_s, a.time_s, growth(before, a));
  Excess excess{.ratio = b.time_s / a.time_s / expected(left, slope(b.time_s, c.time_s, growth(b, c)))};
  if (before.interval && a.interval && b.interval && c.interval) {
    const double steepest = slope(low(before), high(a), growth(before, a));
    excess.at_least = low(b) / high(a) / expected(steepest, slope(low(b), high(c), growth(b, c)));
  }
  return excess;
}

std::optional<Excess> fall_at(const Curve& curve, std::size_t i) {
  const auto& p = curve.points;
  if (i + 1 >= p.size() || !near(p[i], p[i + 1]) || p[i].time_s <= p[i + 1].time_s) return std::nullopt;
  const CurvePoint &a = p[i], &b = p[i + 1];
  Excess excess{.ratio = a.time_s / b.time_s};
  if (a.interval && b.interval) excess.at_least = low(a) / high(b);
  return excess;
}

double scatter(const Curve& curve) {
  constexpr double sigmas = 0.6745;  // half of a normal distribution lies within this many standard deviations
  std::vector<double> off;
  for (std::size_t i = 1; i + 1 < curve.points.size(); ++i)
    off.push_back(std::abs(std::log(curve.points[i].time_s / between_neighbours_s(curve, i))));
  return off.empty() ? 1 : std::exp(median(off) / sigmas);
}

double between_neighbours_s(const Curve& curve, std::size_t i) {
  const CurvePoint &a = curve.points[i - 1], &c = curve.points[i + 1];
  return on_line_s(a, a.time_s, curve.points[i], c, c.time_s);
}

std::optional<double> over_line(const Curve& curve, std::size_t i) {
  const auto& p = curve.points;
  if (i == 0 || i + 1 >= p.size() || !near(p[i - 1], p[i]) || !near(p[i], p[i + 1])) return std::nullopt;
  return p[i].time_s / between_neighbours_s(curve, i);
}

std::optional<double> growing_share(const Curve& curve, std::size_t i) {
  const auto& p = curve.points;
  const std::size_t left = i == 0 ? i : i - 1, right = std::min(i + 1, p.size() - 1);
  if (left == right || !near(p[left], p[i]) || !near(p[i], p[right])) return std::nullopt;
  return std::min(1.0, slope(p[left].time_s, p[right].time_s, growth(p[left], p[right])));
}

double algbw_GBps(const CurvePoint& p) { return static_cast<double>(p.bytes) / p.time_s * 1e-9; }

}  // namespace busbar::explain
