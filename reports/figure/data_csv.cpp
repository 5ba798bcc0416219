// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "reports/figure/words.hpp"
#include "reports/text/escape.hpp"

namespace busbar::figure {
namespace {

using report::Mark, report::PlotAxis, report::PlotKind;

/// A column's name in two parts, so that "_low" can be put between: "busbw" and "_GBps".
struct Column {
  std::string name, unit;
};

std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (good)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

/// "GBps" of "GB/s", "percent" of "%", "per_s" of "1/s".
std::string unit_word(const std::string& unit) {
  if (unit == "%") return "percent";
  std::string word;
  for (const char c : unit) word += c == '/' ? std::string("p") : std::string(1, c);
  return identifier(word);
}

/// Unit of an axis without one in its title, from its labels: they are durations of values in seconds, or differences
/// in per cent of ratios.
std::string unit_of_labels(const PlotAxis& axis) {
  for (const std::string& label : axis.ticks.labels) {
    if (label.ends_with(" %") && axis.title.find('%') == std::string::npos) return "_ratio";
    for (const std::string_view unit : {" ns", " us", " ms", " s"})
      if (label.ends_with(unit)) return "_s";
  }
  return {};
}

/// "busbw (GB/s)", "images/s", "speedup", "time" of an axis in seconds, "size" in bytes.
Column column_of(const PlotAxis& axis, const std::string& otherwise) {
  const std::string& title = axis.title;
  if (title.starts_with("size") && axis.logarithmic) return {"size", "_bytes"};
  const std::size_t open = title.rfind(" ("), close = title.rfind(')');
  if (open != std::string::npos && close == title.size() - 1)
    return {identifier(title.substr(0, open)), "_" + unit_word(title.substr(open + 2, close - open - 2))};
  if (title.ends_with("/s")) return {identifier(title.substr(0, title.size() - 2)), "_per_s"};
  const std::string name = identifier(title);
  return {name.empty() ? otherwise : name, unit_of_labels(axis)};
}

std::string cell_number(double value) { return fmt::format("{}", value); }

std::string interval_cells(const Mark& mark) {
  if (!mark.interval) return ",,";
  return fmt::format(",{},{}", cell_number(mark.interval->low), cell_number(mark.interval->high));
}

std::string value_heads(const Column& value) {
  return fmt::format("{0}{1},{0}_low{1},{0}_high{1}", value.name, value.unit);
}

/// Run and series of a mark; for bars and spans the component.
std::string line_cells(const Chart& chart, const Mark& mark) {
  if (mark.line >= chart.lines.size()) return ",";
  return report::escape_csv(chart.lines[mark.line].run) + "," + report::escape_csv(chart.lines[mark.line].series);
}

std::string head(const Chart& chart) {
  const report::Plot& plot = chart.plot;
  const Column x = column_of(plot.x, "x"), y = column_of(plot.y, "value");
  switch (plot.kind) {
    case PlotKind::lines:
      return fmt::format("run,series,{}{},{}", x.name, x.unit, value_heads(y));
    case PlotKind::bars:
      return fmt::format("run,series,{},base{},{},label", x.name == "x" ? "group" : x.name, y.unit, value_heads(y));
    case PlotKind::cells:
      return fmt::format("{},{},value,label", y.name == "value" ? "row" : y.name, x.name == "x" ? "column" : x.name);
    case PlotKind::spans:
      break;
  }
  return fmt::format("run,series,{0},begin{1},end{1},label", y.name == "value" ? "row" : y.name, x.unit);
}

std::string row(const Chart& chart, const Mark& mark) {
  using report::escape_csv;
  switch (chart.plot.kind) {
    case PlotKind::lines:
      return fmt::format("{},{},{}{}", line_cells(chart, mark), cell_number(mark.x), cell_number(mark.value),
                         interval_cells(mark));
    case PlotKind::bars:
      return fmt::format("{},{},{},{}{},{}", line_cells(chart, mark), escape_csv(mark.group), cell_number(mark.base),
                         cell_number(mark.value), interval_cells(mark), escape_csv(mark.label));
    case PlotKind::cells:
      return fmt::format("{},{},{},{}", escape_csv(mark.row), escape_csv(mark.group), cell_number(mark.value),
                         escape_csv(mark.label));
    case PlotKind::spans:
      break;
  }
  return fmt::format("{},{},{},{},{}", line_cells(chart, mark), escape_csv(mark.row), cell_number(mark.base),
                     cell_number(mark.value), escape_csv(mark.label));
}

/// The guides as rows of their own, after the lines.
std::string guide_rows(const Chart& chart) {
  std::string text;
  for (const report::Guide& guide : chart.plot.guides)
    for (const auto& [x, y] : guide.points)
      text += fmt::format(",{},{},{},,\n", report::escape_csv(guide.label.empty() ? "guide" : std::string(guide.label)),
                          cell_number(x), cell_number(y));
  return text;
}

}  // namespace

std::string data_csv(const Chart& chart) {
  std::string text = head(chart) + "\n";
  for (const Mark& mark : chart.plot.marks) text += row(chart, mark) + "\n";
  return text + (chart.plot.kind == PlotKind::lines ? guide_rows(chart) : "");
}

}  // namespace busbar::figure
