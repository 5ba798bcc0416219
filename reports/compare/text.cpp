// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::compare {

std::string size_text(const ComparedCase& point) { return point.key.bytes == 0 ? "" : format_size(point.key.bytes); }

std::string value_text(const ComparedCase& point, double value) {
  if (point.quantity->name == "time") return format_duration(value);
  const bool rate = point.quantity->name == "rate";
  return (rate ? report::rate(value) : report::bandwidth(value)) + " " + point.unit;
}

std::string place_text(const ComparedCase& p) {
  const std::string size = p.key.training ? "" : size_text(p), what = report::subject(p.key);
  return size.empty() ? what : size + " of " + what;
}

std::string pair_name(const Set& set, const Pair& pair) {
  return fmt::format("{} vs {}", set.sides[pair.b], set.sides[pair.a]);
}

std::string ratio_text(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 10 ? 3 : 1); }

std::string change_text(double ratio) {
  const double p = 100 * (ratio - 1);
  if (std::abs(p) < 0.05) return "0.0";
  return fmt::format("{:+.{}f}", p, std::abs(p) < 99.95 ? 1 : 0);
}

std::string interval_text(const Interval& i) { return fmt::format("{} to {}", ratio_text(i.low), ratio_text(i.high)); }

std::string grades_text(const ComparedCase& point) {
  return fmt::format("{} and {}", name(point.a.grade), name(point.b.grade));
}

std::string verdict_text(const ComparedCase& point) {
  std::string s(name(point.verdict));
  if (point.verdict == Verdict::disturbed)
    return s + fmt::format(" ({})", point.a.grade == Grade::d ? point.a.doubts : point.b.doubts);
  if (point.verdict != Verdict::inconclusive) return s;
  if (!(point.ratio.standard_error > 0)) return s + " (no interval)";
  if (point.interval.low > 1 || point.interval.high < 1)
    return s + fmt::format(" (p = {:.2g} over all points)", point.p);
  if (point.basis == Basis::assumed)
    return s + fmt::format(" ({} and {} launches)", point.a.launches.size(), point.b.launches.size());
  if (!point.launches_needed) return s + " (> 10000 launches a side)";
  return s + fmt::format(" (~{} launches a side)", *point.launches_needed);
}

double slowdown(const ComparedCase& point) {
  return point.quantity->higher_is_better ? 1 / point.ratio.ratio() : point.ratio.ratio();
}

Interval slowdown_interval(const ComparedCase& point) {
  return point.quantity->higher_is_better ? inverse(point.interval) : point.interval;
}

std::string count_text(const Pair& pair, const ComparisonOptions& options) {
  return fmt::format("{}: {} slower, {} faster, {} same within {:g} %, {} inconclusive, {} disturbed",
                     plural(pair.points.size(), "point"), pair.count(Verdict::slower), pair.count(Verdict::faster),
                     pair.count(Verdict::same), 100 * options.margin, pair.count(Verdict::inconclusive),
                     pair.count(Verdict::disturbed));
}

std::string range_text(const Pair& pair) {
  const auto [least, most] =
      std::ranges::minmax_element(pair.points, {}, [](const ComparedCase& p) { return p.ratio.value; });
  const std::string low = ratio_text(least->ratio.ratio()), high = ratio_text(most->ratio.ratio());
  return low == high ? low : low + " to " + high;
}

std::string extent_text(const Pair& pair, Verdict verdict) {
  std::vector<std::uint64_t> bytes;
  std::vector<double> factors;
  for (const ComparedCase& p : pair.points) {
    if (p.verdict != verdict) continue;
    bytes.push_back(p.key.bytes);
    factors.push_back(std::exp(std::abs(p.ratio.value)));
  }
  if (bytes.empty()) return "";
  const auto [least_bytes, most_bytes] = std::ranges::minmax(bytes);
  const auto [least, most] = std::ranges::minmax(factors);
  const std::string sizes = least_bytes == most_bytes
                                ? format_size(least_bytes)
                                : fmt::format("{} to {}", format_size(least_bytes), format_size(most_bytes));
  if (bytes.size() == 1) return fmt::format("1 ({}): {:.2f}x", sizes, least);
  return fmt::format("{} ({}): {:.2f}x to {:.2f}x", bytes.size(), sizes, least, most);
}

}  // namespace busbar::compare
