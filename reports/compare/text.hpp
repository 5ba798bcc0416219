// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/compare/comparison.hpp"

/// Words and numbers about points and pairs, the same in tables, Markdown, the gate and the page.
namespace busbar::compare {

/// "64 KiB"; "" where there are no bytes.
[[nodiscard]] std::string size_text(const Point&);

/// "15.4 us", "2757 images/s", "9.81 GB/s".
[[nodiscard]] std::string value_text(const Point&, double value);

/// "1.034".
[[nodiscard]] std::string ratio_text(double ratio);

/// "1.021 to 1.047".
[[nodiscard]] std::string interval_text(const Interval&);

/// "slower", "same", "inconclusive (~7 launches a side)": what might tell.
[[nodiscard]] std::string verdict_text(const Point&);

/// How many times as long side b takes (below 1: as short), whatever the quantity.
[[nodiscard]] double slowdown(const Point&);

/// "vm vs metal".
[[nodiscard]] std::string pair_name(const Set&, const Pair&);

/// "24 points: 3 slower, 1 faster, 10 same within 2 %, 10 inconclusive".
[[nodiscard]] std::string count_text(const Pair&, const Options&);

/// "0.420 to 1.034": the least and the greatest ratio of all points, whatever their verdicts. There is a point.
[[nodiscard]] std::string range_text(const Pair&);

/// "13 (64 KiB to 1 GiB): 1.21x to 5.70x" for the points with this verdict; "" for none.
[[nodiscard]] std::string extent_text(const Pair&, Verdict);

}  // namespace busbar::compare
