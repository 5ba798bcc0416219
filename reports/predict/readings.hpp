// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/fit/sweep.hpp"
#include "reports/predict/prediction.hpp"

/// Parts shared by all kinds of predictions.
namespace busbar::predict {

/// Combines readings: the weighted mean of their logarithms, and the interval that holds `confidence` of their mixture,
/// with equal parts below and above. Each half of a reading's interval (of the same confidence) stands for a normal
/// distribution of the logarithm. The upper end is raised by the fraction `allowance`. Requires at least one reading.
[[nodiscard]] Span together(const std::vector<Reading>& readings, double confidence, double allowance);

/// "42.6 to 92.5 ms", "789 us to 1.2 ms".
[[nodiscard]] std::string between(double low_s, double high_s);

/// At most `most` values, evenly spread, including the first and the last.
template <class Values>
[[nodiscard]] auto some_of(const Values& all, std::size_t most) {
  const std::vector values(all.begin(), all.end());
  if (values.size() <= most) return values;
  auto some = values;
  some.resize(most);
  for (std::size_t i = 0; i < most; ++i) some[i] = values[i * (values.size() - 1) / (most - 1)];
  return some;
}

/// Short for tables and charts: "tree, if the library switches to it" is "a switch to tree"; others are as they are.
[[nodiscard]] std::string short_name(const std::string& reading);

/// The measured times, without predictions yet.
[[nodiscard]] Series series_of(const fit::Sweep&);

}  // namespace busbar::predict
