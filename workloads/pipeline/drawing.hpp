// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "workloads/pipeline/timetable.hpp"

namespace busbar::pipeline {

/// Renders a timetable in ASCII: one line per stage, time to the right, then a line with the duration of a column.
///
///   stage 0 |F1-F2-F3-F4-..................B4=B3=B2=B1=|
///
/// "F1--" is the forward pass of the first micro-batch, "B1==" its backward pass; dots are idle time. Rows are at most
/// `columns` wide, with a minimum of 20. If all labels fit, the shortest operation gets a whole number of columns, so
/// that equal operations look equal. Otherwise labels that do not fit are dropped, and operations shorter than a column
/// may be invisible.
[[nodiscard]] std::string draw(const Timetable& table, int columns = 80);

}  // namespace busbar::pipeline
