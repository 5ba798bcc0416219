// SPDX-License-Identifier: Apache-2.0
#include "reports/document/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::report {
namespace {

double exponent_of_two(double bytes) { return std::log2(std::max(bytes, 1.0)); }

}  // namespace

Range extent(const Plot& plot) {
  Range all{.low = plot.marks.front().value, .high = plot.marks.front().value};
  for (const Mark& m : plot.marks) {
    all.low = std::min({all.low, m.value, m.interval && m.interval->low > 0 ? m.interval->low : m.value});
    all.high = std::max({all.high, m.value, m.interval ? m.interval->high : m.value});
  }
  return all;
}

std::string plain_number(double value) { return fmt::format("{:g}", value); }

Ticks size_ticks(Range bytes) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(exponent_of_two(bytes.low)));
  const int last = static_cast<int>(std::floor(exponent_of_two(bytes.high)));
  const auto count = [&](int step) {  // of multiples; 2^10 (1 KiB) and 2^20 (1 MiB) are ticks at any step
    return last / step - (first + step - 1) / step + 1;
  };
  int step = 10;
  for (const int finer : {5, 2, 1})
    if (count(10) < 3 && count(finer) <= 6) step = finer;
  for (int exponent = first; exponent <= last; ++exponent) {
    const std::uint64_t size = std::uint64_t{1} << exponent;
    if (exponent % step != 0) {
      ticks.minor.push_back(static_cast<double>(size));
      continue;
    }
    ticks.add(static_cast<double>(size), format_size(size));
  }
  if (ticks.values.empty())  // no power of two between the sizes
    ticks.add(bytes.low, format_size(static_cast<std::uint64_t>(bytes.low)));
  return ticks;
}

Ticks value_ticks(Range range, Quantity q) {
  Ticks ticks;
  if (!(range.low > 0)) return ticks;
  // A record may hold the largest double; avoid overflow to infinity.
  const double low = range.low / 1.25, high = std::min(range.high * 1.25, std::numeric_limits<double>::max());
  const bool fine = high / low < 100;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, exponent) <= high; ++exponent) {
    for (const int digit : {1, 2, 5}) {
      const double value = std::strtod(fmt::format("{}e{}", digit, exponent).c_str(), nullptr);
      if (value < low || value > high || (digit != 1 && !fine)) continue;
      ticks.add(value, q == Quantity::time ? format_duration(value) : fmt::format("{:.6g}", value));
    }
  }
  return ticks;
}

Ticks linear_ticks(Range domain, std::string (*text)(double)) {
  Ticks ticks;
  const double rough = (domain.high - domain.low) / 6;
  if (!(rough > 0)) return ticks;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * decade >= rough * 0.999) step = digit * decade;
  }
  const double first = std::ceil(domain.low / step - 1e-9);
  constexpr int most = 16;  // a cap for values so large that adding a step does not change them
  for (int i = 0; i < most && (first + i) * step <= domain.high * (1 + 1e-9); ++i) {
    const double value = std::strtod(fmt::format("{:.9g}", (first + i) * step).c_str(), nullptr) + 0.0;  // avoid -0
    ticks.add(value, text(value));
  }
  return ticks;
}

PlotAxis linear_axis(std::string title, Range domain) {
  return {.title = std::move(title), .domain = domain, .ticks = linear_ticks(domain)};
}

PlotAxis log_axis(std::string title, Range range, const Ticks& ticks, double margin) {
  return {.title = std::move(title),
          .domain = {range.low / margin, range.high * margin},
          .logarithmic = true,
          .ticks = ticks};
}

/// Widened at both ends: no point lies on the frame, and a single point still gets an axis.
PlotAxis value_axis(Range range, Quantity q) {
  return log_axis(std::string(title(q)), range, value_ticks(range, q), 1.25);
}

std::size_t shade_of(double value, Range range) {
  const double share = range.high > range.low ? (value - range.low) / (range.high - range.low) : 1;
  return static_cast<std::size_t>(std::clamp(share * shades, 0.0, static_cast<double>(shades - 1)));
}

Ticks doubling_ticks(Range domain) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(std::log2(domain.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(domain.high) + 1e-9));
  const int step = (last - first) / 8 + 1;
  for (int exponent = first; exponent <= last; exponent += step) {
    ticks.add(std::exp2(exponent), plain_number(std::exp2(exponent)));
  }
  return ticks;
}

PlotAxis size_axis(Range bytes) {
  PlotAxis axis = log_axis("size", bytes, size_ticks(bytes), 1.3);
  axis.sizes = bytes;
  return axis;
}

PlotAxis ratio_axis(std::string title, Range range) {
  PlotAxis axis = log_axis(std::move(title), range, {}, 1.04);
  if (range.high < 2 * range.low) {
    axis.ticks = linear_ticks(axis.domain);
    return axis;
  }
  for (const double v : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
    if (v < axis.domain.low || v > axis.domain.high) continue;
    axis.ticks.add(v, plain_number(v));
  }
  return axis;
}

Range ratio_range(const std::vector<Mark>& marks, double margin) {
  Range all{1 / (1 + margin), 1 + margin};
  for (const Mark& m : marks) {
    all.low = std::min({all.low, m.value, m.interval ? m.interval->low : m.value});
    all.high = std::max({all.high, m.value, m.interval ? m.interval->high : m.value});
  }
  constexpr double word = 0.15;  // of the height
  const double least = word / (1 - word) * std::max(-std::log(all.low), std::log(all.high));
  return {std::min(all.low, std::exp(-least)), std::max(all.high, std::exp(least))};
}

}  // namespace busbar::report
