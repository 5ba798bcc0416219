// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/compare/comparison.hpp"

/// Text and number formats of points and pairs, shared by tables, Markdown, the gate and the page.
namespace busbar::compare {

/// "64 KiB"; "" for 0 bytes.
[[nodiscard]] std::string size_text(const ComparedCase&);

/// "16 MiB of allreduce", "resnet50".
[[nodiscard]] std::string place_text(const ComparedCase&);

/// "15.4 us", "2757 images/s", "9.81 GB/s".
[[nodiscard]] std::string value_text(const ComparedCase&, double value);

/// "1.034".
[[nodiscard]] std::string ratio_text(double ratio);

/// A ratio as a change in per cent: "+4.2", "-0.3", "0.0", "+193".
[[nodiscard]] std::string change_text(double ratio);

/// "1.021 to 1.047".
[[nodiscard]] std::string interval_text(const Interval&);

/// "A and C": grades of sides a and b.
[[nodiscard]] std::string grades_text(const ComparedCase&);

/// "slower", "same", "disturbed (contention, width)", "inconclusive (~7 launches a side)": launches that may decide it;
/// "inconclusive (p = 0.31 over all points)": the interval excludes 1, but the correction for all points does not.
[[nodiscard]] std::string verdict_text(const ComparedCase&);

/// Time ratio of side b to side a for any quantity: above 1 if b is slower.
[[nodiscard]] double slowdown(const ComparedCase&);

/// The interval of that ratio.
[[nodiscard]] Interval slowdown_interval(const ComparedCase&);

/// "vm vs metal".
[[nodiscard]] std::string pair_name(const Set&, const Pair&);

/// "24 points: 3 slower, 1 faster, 10 same within 2 %, 10 inconclusive, 0 disturbed".
[[nodiscard]] std::string count_text(const Pair&, const ComparisonOptions&);

/// "0.420 to 1.034": smallest and largest ratio of all points, for any verdict. Needs at least one point.
[[nodiscard]] std::string range_text(const Pair&);

/// "13 (64 KiB to 1 GiB): 1.21x to 5.70x" for the points with this verdict; "" if there are none.
[[nodiscard]] std::string extent_text(const Pair&, Verdict);

}  // namespace busbar::compare
