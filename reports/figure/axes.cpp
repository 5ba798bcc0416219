// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/units.hpp"
#include "reports/figure/picture.hpp"

namespace busbar::figure {
namespace {

using report::Range, report::Ticks;

/// True for an axis of message sizes, whose ticks are powers of two.
bool is_of_sizes(const report::PlotAxis& axis) { return axis.logarithmic && axis.title.starts_with("size"); }

std::vector<double> powers_of_two(Range range, int step) {
  std::vector<double> all;
  const int first = static_cast<int>(std::ceil(std::log2(std::max(range.low, 1.0)) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(std::max(range.high, 1.0)) + 1e-9));
  for (int exponent = (first + step - 1) / step * step; exponent <= last; exponent += step)
    all.push_back(std::ldexp(1, exponent));
  return all;
}

/// Powers of 1024: two or more, else of 32, 4 or 2.
Ticks size_ticks_of(Range range) {
  Ticks ticks;
  for (const int step : {10, 5, 2, 1}) {
    ticks.values = powers_of_two(range, step);
    if (ticks.values.size() >= 2) break;
  }
  for (const double size : ticks.values) ticks.labels.push_back(format_size(static_cast<std::uint64_t>(size)));
  return ticks;
}

bool is_power_of_ten(double value) {
  const double exponent = std::log10(value);
  return value > 0 && std::abs(exponent - std::round(exponent)) < 1e-9;
}

/// 2 to 9 times the powers of ten, if the labelled ticks are powers of ten and not too far apart.
std::vector<double> between_decades(const Axis& axis) {
  std::vector<double> all;
  if (axis.major.values.empty() || !std::ranges::all_of(axis.major.values, is_power_of_ten)) return all;
  const int first = static_cast<int>(std::floor(std::log10(axis.range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.range.high)));
  if (last - first > 8) return all;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 2; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, exponent);
      if (value >= axis.range.low && value <= axis.range.high) all.push_back(value);
    }
  }
  return all;
}

/// Drops ticks beyond the ends of the axis.
void keep_inside(Axis& axis) {
  Ticks kept;
  for (std::size_t i = 0; i < axis.major.values.size(); ++i) {
    const double value = axis.major.values[i];
    if (value < axis.range.low || value > axis.range.high) continue;
    kept.add(value, axis.major.labels[i]);
  }
  axis.major = std::move(kept);
}

}  // namespace

Axis axis_of(const report::PlotAxis& plot) {
  Axis axis{.title = plot.title, .range = plot.domain, .logarithmic = plot.logarithmic, .major = plot.ticks};
  if (is_of_sizes(plot)) {
    axis.title = "size";
    if (Ticks ticks = size_ticks_of(plot.domain); !ticks.values.empty()) axis.major = std::move(ticks);
    axis.minor = powers_of_two(plot.domain, 1);
    if (axis.minor.size() > 40) axis.minor = powers_of_two(plot.domain, 2);
  } else if (plot.logarithmic) {
    axis.minor = between_decades(axis);
  }
  keep_inside(axis);
  return axis;
}

Axis named_axis(std::string title, const std::vector<std::string>& names, bool downwards) {
  Axis axis{.title = std::move(title), .named = true};
  const double sign = downwards ? -1 : 1;
  for (std::size_t i = 0; i < names.size(); ++i) axis.major.add(sign * static_cast<double>(i), names[i]);
  const double last = static_cast<double>(names.size()) - 0.5;
  axis.range = downwards ? Range{-last, 0.5} : Range{-0.5, last};
  return axis;
}

}  // namespace busbar::figure
