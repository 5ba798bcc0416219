// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/chart_words.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::string value_text(const ChartPoint& p, Quantity q) {
  return q == Quantity::time ? duration(p.time_s) : bandwidth(value_of(p, q)) + " GB/s";
}

std::string at_size(const ChartPoint& p, Quantity q) {
  return fmt::format("{} at {}", value_text(p, q), format_size(p.bytes));
}

/// The main figures of a line; empty if it has no point.
std::string figures_of_line(const Charts& charts, std::size_t line, Quantity q) {
  const ChartPoint *best = nullptr, *first = nullptr, *last = nullptr;
  for (const ChartPoint& p : charts.points) {
    if (p.line != line || !value_of(p, q)) continue;
    if (!best || value_of(p, q) > value_of(*best, q)) best = &p;
    if (!first || p.bytes < first->bytes) first = &p;
    if (!last || p.bytes > last->bytes) last = &p;
  }
  if (!best) return "";
  if (q != Quantity::time) return "at most " + at_size(*best, q);
  return at_size(*first, q) + (last == first ? "" : ", " + at_size(*last, q));
}

/// Adds a sentence for each of the first lines that are shown and have one.
std::string with_lines_of(std::string words, const std::vector<Line>& lines, const std::vector<LegendEntry>& legend,
                          const std::vector<std::string>& sentences) {
  const std::vector<std::string> names = spec::short_names(lines);
  std::size_t told = 0, left_out = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (sentences[i].empty()) continue;
    if (told == most_shown_lines || !is_shown(lines[i], legend))
      ++left_out;
    else
      words += fmt::format(" {}: {}.", names[i], sentences[i]), ++told;
  }
  return words + (left_out > 0 ? " And " + plural(left_out, "more line") + "." : "");
}

}  // namespace

std::string chart_words(const Charts& charts, Quantity q) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < charts.lines.size(); ++i) sentences.push_back(figures_of_line(charts, i, q));
  return with_lines_of(fmt::format("{} over size, {}.", title(q), charts.title), charts.lines, charts.legend,
                       sentences);
}

std::string plot_words(const Plot& plot, const std::vector<Line>& lines, const std::vector<LegendEntry>& legend) {
  const bool both = !plot.y.title.empty() && !plot.x.title.empty();
  const std::string what = plot.y.title + (both ? " over " : "") + plot.x.title;
  const std::string words = plot.title.empty() ? what : plot.title + (what.empty() ? "" : ": " + what);
  if (plot.kind != PlotKind::lines) return words.empty() ? "chart" : words;
  std::vector<std::string> sentences(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<double> values;
    for (const Mark& mark : plot.marks)
      if (mark.line == i) values.push_back(mark.value);
    if (values.empty()) continue;
    const auto [low, high] = std::ranges::minmax(values);
    sentences[i] = low == high ? fmt::format("{:.4g}", low) : fmt::format("{:.4g} to {:.4g}", low, high);
  }
  return with_lines_of(words + ".", lines, legend, sentences);
}

}  // namespace busbar::report
