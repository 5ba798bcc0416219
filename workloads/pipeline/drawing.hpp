// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "workloads/pipeline/timetable.hpp"

namespace busbar::pipeline {

/// A timetable as text, in ASCII: a line a stage, time to the right, and below them the duration of a column.
///
///   stage 0 |F1-F2-F3-F4-..................B4=B3=B2=B1=|
///
/// "F1--" is the forward pass of the first micro-batch, "B1==" its backward pass; dots are idle. Rows are at most
/// `columns` wide; below 20 it is taken as 20. Where there is room for the names of all operations the shortest of them
/// gets a whole number of columns, so that equal operations look equal; else the names that do not fit are left out,
/// and of operations shorter than a column some are not seen.
[[nodiscard]] std::string draw(const Timetable& table, int columns = 80);

}  // namespace busbar::pipeline
