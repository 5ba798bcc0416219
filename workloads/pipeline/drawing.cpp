// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/drawing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::pipeline {
namespace {

constexpr int fewest_columns = 20;

/// Time scale of the character columns.
struct Scale {
  double start_s = 0, column_s = 1;
  std::size_t width = 0;  ///< of the whole step, in columns
};

char letter(Pass pass) { return pass == Pass::forward ? 'F' : 'B'; }

std::string label(const Operation& o) { return letter(o.pass) + std::to_string(o.micro_batch + 1); }

Scale scale_of(const Timetable& table, std::size_t room) {
  const double makespan_s = table.makespan_s();
  if (!(makespan_s > 0)) return {};
  double shortest_s = makespan_s;
  std::size_t longest_label = 0;
  for (const auto& stage : table.stages)
    for (const TimedOperation& o : stage) {
      shortest_s = std::min(shortest_s, o.end_s - o.start_s);
      longest_label = std::max(longest_label, label(o.operation).size());
    }
  const double each = std::floor(static_cast<double>(room) * shortest_s / makespan_s * (1 + 1e-9));
  const bool fits = each > static_cast<double>(longest_label);
  const double column_s = fits ? shortest_s / each : makespan_s / static_cast<double>(room);
  const auto width = static_cast<std::size_t>(std::lround(makespan_s / column_s));
  return {.start_s = table.start_s(), .column_s = column_s, .width = std::min(width, room)};
}

/// Renders an operation in `width` characters.
std::string painted(const Operation& o, std::size_t width) {
  std::string text = label(o);
  if (text.size() > width) text.resize(1);
  text.resize(width, o.pass == Pass::forward ? '-' : '=');
  return text;
}

std::string row(const std::vector<TimedOperation>& stage, const Scale& scale) {
  const auto column = [&](double time_s) {
    return std::min(scale.width, static_cast<std::size_t>(std::lround((time_s - scale.start_s) / scale.column_s)));
  };
  std::string line(scale.width, '.');
  for (const TimedOperation& o : stage) {
    const std::size_t begin = column(o.start_s), width = column(o.end_s) - begin;
    line.replace(begin, width, painted(o.operation, width));
  }
  return line;
}

}  // namespace

std::string draw(const Timetable& table, int columns) {
  const std::size_t digits = std::to_string(table.stages.size() - std::min<std::size_t>(table.stages.size(), 1)).size();
  const std::size_t around = std::string_view("stage  ||").size() + digits;
  const Scale scale = scale_of(table, static_cast<std::size_t>(std::max(columns, fewest_columns)) - around);
  std::string all;
  for (std::size_t i = 0; i < table.stages.size(); ++i)
    all += fmt::format("stage {:>{}} |{}|\n", i, digits, row(table.stages[i], scale));
  return all + fmt::format("F forward, B backward of a micro-batch, . idle; a column is {}\n",
                           format_duration(scale.column_s));
}

}  // namespace busbar::pipeline
