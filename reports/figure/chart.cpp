// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/chart.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace busbar::figure {
namespace {

using report::Charts, report::ChartPoint, report::Figure, report::Plot, report::Quantity;

report::Mark mark_of(const ChartPoint& point, Quantity q) {
  return {.line = point.line,
          .x = static_cast<double>(point.bytes),
          .value = *report::value_of(point, q),
          .interval = report::band_of(point, q)};
}

/// One guide for each distinct course of the ceilings over size; the first has the label.
std::vector<report::Guide> ceilings_of(const Charts& charts) {
  std::map<std::size_t, std::map<double, double>> of_line;
  for (const ChartPoint& point : charts.points) {
    if (point.ceiling_GBps && *point.ceiling_GBps > 0)
      of_line[point.line][static_cast<double>(point.bytes)] = *point.ceiling_GBps;
  }
  std::set<std::map<double, double>> seen;
  std::vector<report::Guide> guides;
  for (const auto& [line, points] : of_line) {
    if (!seen.insert(points).second) continue;
    guides.push_back({.label = guides.empty() ? "ceiling" : "", .points = {points.begin(), points.end()}});
  }
  return guides;
}

/// "25.00 GB/s: network between nodes", each once.
std::string ceiling_texts(const Charts& charts) {
  std::vector<std::string> texts;
  for (const ChartPoint& point : charts.points) {
    if (!point.ceiling_GBps || !(*point.ceiling_GBps > 0)) continue;
    const std::string text = report::ceiling_text(point);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  if (texts.empty()) return {};
  if (texts.size() > 3) return "Dashed and grey: the highest busbw that the hardware allows.";
  return fmt::format("Dashed and grey: the highest busbw that the hardware allows ({}).", fmt::join(texts, "; "));
}

std::string interval_text(const Charts& charts) {
  for (const ChartPoint& point : charts.points) {
    if (point.interval_s)
      return fmt::format("Bands and strokes: {:g} % confidence intervals.", 100 * point.interval_s->confidence);
  }
  return {};
}

void add_sentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  text += (text.empty() ? "" : " ") + sentence;
  if (text.back() != '.' && text.back() != '!' && text.back() != '?') text += '.';
}

Plot plot_of(const Charts& charts, Quantity q) {
  Plot plot;
  for (const ChartPoint& point : charts.points)
    if (report::value_of(point, q)) plot.marks.push_back(mark_of(point, q));
  plot.x = report::size_axis(charts.bytes);
  plot.y = report::value_axis(charts.values[static_cast<std::size_t>(q)], q);
  if (q == Quantity::busbw) plot.guides = ceilings_of(charts);
  return plot;
}

/// Drops legend entries of lines that the plot does not draw.
void keep_drawn_entries(Chart& chart) {
  const std::vector<std::size_t> drawn = drawn_lines(chart);
  std::erase_if(chart.legend, [&](const report::LegendEntry& entry) {
    return std::ranges::none_of(drawn, [&](std::size_t line) {
      return (entry.is_run ? chart.lines[line].run : chart.lines[line].series) == entry.label;
    });
  });
}

/// Drops the marks of lines that the report does not show at first, and says so in the caption.
void keep_chosen_lines(Chart& chart, const std::string& choice) {
  std::erase_if(chart.plot.marks, [&](const report::Mark& mark) {
    return mark.line < chart.lines.size() && !report::is_shown(chart.lines[mark.line], chart.legend);
  });
  add_sentence(chart.caption, choice);
}

/// Collects the charts of a chapter's blocks.
struct Collect {
  LinesToDraw lines;
  std::string lead;  ///< sentences of the chapter that hold for all of its charts
  std::vector<Chart>& all;

  void operator()(const Charts& charts) const {
    for (const Quantity q : report::quantities) {
      if (!report::has_points(charts, q)) continue;
      Chart chart{.timed = true, .plot = plot_of(charts, q)};
      add_sentence(chart.caption, charts.caption.empty() ? "" : "In common: " + charts.caption);
      add_sentence(chart.caption, lead);
      if (report::has_bands(charts, q)) add_sentence(chart.caption, interval_text(charts));
      if (q == Quantity::busbw) add_sentence(chart.caption, ceiling_texts(charts));
      add(std::move(chart), charts);
    }
  }
  void operator()(const Figure& figure) const {
    for (const Plot& plot : figure.plots) {
      if (plot.marks.empty()) continue;
      Chart chart{.plot = plot};
      for (const std::string& sentence : {plot.caption, figure.caption, lead}) add_sentence(chart.caption, sentence);
      add(std::move(chart), figure);
    }
  }
  /// Adds a chart of this card, with its title and lines.
  void add(Chart chart, const auto& card) const {
    chart.title = card.title;
    chart.lines = card.lines;
    chart.legend = card.legend;
    if (lines == LinesToDraw::chosen) keep_chosen_lines(chart, card.choice);
    keep_drawn_entries(chart);
    all.push_back(std::move(chart));
  }
  void operator()(const auto& /*block without a chart*/) const {}
};

/// Paragraphs before a chapter's other blocks.
std::string leading_paragraphs(const report::Chapter& chapter) {
  std::string text;
  for (const report::Block& block : chapter.blocks) {
    const auto* paragraph = std::get_if<report::Paragraph>(&block);
    if (paragraph == nullptr) break;
    add_sentence(text, paragraph->text);
  }
  return text;
}

}  // namespace

std::vector<Chart> charts_of(const report::Document& document, LinesToDraw lines) {
  std::vector<Chart> all;
  for (const report::Chapter& chapter : document.chapters) {
    const Collect collect{.lines = lines, .lead = leading_paragraphs(chapter), .all = all};
    for (const report::Block& block : chapter.blocks) std::visit(collect, block);
  }
  name_charts(all);
  return all;
}

std::vector<std::size_t> drawn_lines(const Chart& chart) {
  std::set<std::size_t> lines;
  if (chart.plot.kind != report::PlotKind::cells) {
    for (const report::Mark& mark : chart.plot.marks)
      if (mark.line < chart.lines.size()) lines.insert(mark.line);
  }
  return {lines.begin(), lines.end()};
}

std::string line_label(const Chart& chart, std::size_t line) {
  std::set<std::string> runs, series;
  for (const std::size_t drawn : drawn_lines(chart)) {
    runs.insert(chart.lines[drawn].run);
    series.insert(chart.lines[drawn].series);
  }
  const report::Line& asked = chart.lines[line];
  if (series.size() < 2 || asked.series.empty()) return asked.run;
  return runs.size() < 2 ? asked.series : asked.run + ", " + asked.series;
}

}  // namespace busbar::figure
