// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

namespace busbar::predict {

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

}  // namespace busbar::predict
