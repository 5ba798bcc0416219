// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/html_charts.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "reports/drawing/chart_data.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/chart_words.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/plot_spec.hpp"
#include "reports/drawing/round_spec.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

/// Marker of a line as in the charts, in the page's palette.
std::string swatch(const LegendEntry& entry) {
  static constexpr std::array<std::string_view, dashes> patterns{"none", "6 3", "2 2", "9 3 2 3", "12 4"};
  static constexpr std::array<std::string_view, shapes> paths{
      "M14 2.5a3.5 3.5 0 1 0 .01 0z",
      "M11 3h6v6h-6z",
      "M14 2l4 7h-8z",
      "M14 1.5l3.5 4.5-3.5 4.5-3.5-4.5z",
      "M12.7 2h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
      "M10 3h8l-4 7z",
      "M11 2l7 4-7 4z"};
  const std::string colour =
      entry.coloured ? fmt::format("var(--line-{})", entry.style.colour % colours) : "currentColor";
  if (entry.filled)
    return fmt::format(
        "<svg width=\"14\" height=\"12\" aria-hidden=\"true\"><path d=\"M1 0h12v12h-12z\" fill=\"{}\"/></svg>", colour);
  std::string out = fmt::format(
      "<svg width=\"28\" height=\"12\" aria-hidden=\"true\"><path d=\"M0 6h28\" fill=\"none\" stroke=\"{0}\" "
      "stroke-width=\"{2}\" stroke-dasharray=\"{1}\"/>",
      colour, patterns[entry.style.dash % dashes], entry.style.thin ? 1.6 : 2);
  if (entry.coloured && !entry.style.thin)
    out += fmt::format("<path d=\"{}\" fill=\"{}\"/>", paths[entry.style.shape % shapes], colour);
  return out + "</svg>";
}

/// `labelled`: lines have their names at their ends; page/charts.js shows the legend where charts are too narrow for
/// them. `choice`: which lines are shown at first; empty: all.
std::string html_legend(const std::vector<LegendEntry>& entries, bool labelled, const std::string& choice) {
  if (entries.empty()) return "";
  std::string out = fmt::format("<div class=\"legend\" role=\"group\" aria-label=\"lines to show\"{}>\n",
                                labelled ? " data-labelled hidden" : "");
  for (const LegendEntry& entry : entries)
    out +=
        fmt::format("<button type=\"button\" aria-pressed=\"{}\" data-list=\"{}\" data-label=\"{}\"{}>{}{}</button>\n",
                    entry.shown, entry.is_run ? "hidden_runs" : "hidden_series", escape_html(entry.label),
                    entry.shown ? "" : " hidden", swatch(entry), escape_html(entry.label));
  if (const auto more = std::ranges::count(entries, false, &LegendEntry::shown); more > 0)
    out += fmt::format("<button type=\"button\" class=\"more\">show {} more</button>\n", more);
  if (entries.size() > 3) out += "<button type=\"button\" class=\"all\">all / none</button>\n";
  if (!choice.empty()) out += fmt::format("<span class=\"choice\">{}</span>\n", escape_html(choice));
  return out + "</div>\n";
}

/// The place of a chart, which the keyboard reaches.
std::string chart_place(std::string_view quantity, std::string_view css, const std::string& words) {
  return fmt::format("<div class=\"chart{}\" data-quantity=\"{}\" tabindex=\"0\" role=\"img\" aria-label=\"{}\"></div>",
                     css, quantity, escape_html(words));
}

/// Specifications and data of a chart group, for page/charts.js.
nlohmann::json chart_json(const Charts& charts, bool with_rounds) {
  nlohmann::json j = {
      {"points", point_columns(charts)}, {"sizes", size_texts(charts)}, {"lines", columns_of(line_data(charts.lines))}};
  if (has_verdicts(charts)) j["verdicts"] = verdict_columns(charts);
  if (with_rounds) j["rounds"] = round_data(charts);
  for (const Quantity q : quantities) {
    if (has_points(charts, q)) j["specs"][std::string(name(q))] = chart_spec(charts, q);
  }
  if (charts.ratio) {
    j["specs"]["ratio"] = ratio_spec(charts);
    j["ratios"] = columns_of(plot_data({*charts.ratio}, charts.lines)["points"]);
  }
  return j;
}

/// The ratio of two runs, below their curves.
std::string ratio_place(const Charts& charts) {
  return fmt::format("<div class=\"plot under\" data-name=\"ratio\"><p class=\"caption\">{}</p>{}</div>\n",
                     escape_html(charts.ratio->caption),
                     chart_place("ratio", " low", plot_words(*charts.ratio, charts.lines, charts.legend)));
}

/// The words of a plot's buttons, joined by bars, and whether it is hidden.
std::string words_attribute(const Plot& plot) {
  if (plot.words.empty()) return "";
  return fmt::format(" data-words=\"{}\"{}", escape_html(fmt::format("{}", fmt::join(plot.words, "|"))),
                     plot.hidden ? " hidden" : "");
}

/// The place of a figure's plot at `index`, with its title and caption.
std::string plot_place(const Figure& figure, std::size_t index) {
  const Plot& plot = figure.plots[index];
  std::string heading = plot.title.empty() ? "" : fmt::format("<h4>{}</h4>", escape_html(plot.title));
  if (!plot.caption.empty()) heading += fmt::format("<p class=\"caption\">{}</p>", escape_html(plot.caption));
  const bool rows = plot.kind == PlotKind::cells || plot.kind == PlotKind::spans;  // height grows with their number
  return fmt::format(
      "<div class=\"plot\"{}>{}{}</div>\n", words_attribute(plot), heading,
      chart_place(std::to_string(index), rows ? " rows" : "", plot_words(plot, figure.lines, figure.legend)));
}

}  // namespace

std::string html_charts(const Charts& charts, bool with_rounds) {
  std::string out = html_legend(charts.legend, spec::can_label(charts.lines), charts.choice) + "<div class=\"grid\">\n";
  for (const Quantity q : quantities) {
    if (has_points(charts, q))
      out += fmt::format("<div class=\"plot\" data-name=\"{}\"{}>{}</div>\n", name(q),
                         q == Quantity::algbw && has_points(charts, Quantity::busbw) ? " hidden" : "",
                         chart_place(name(q), "", chart_words(charts, q)));
  }
  if (charts.ratio) out += ratio_place(charts);
  return out + "</div>\n" + data_script(chart_json(charts, with_rounds));
}

std::string html_charts(const Figure& figure) {
  nlohmann::json j = plot_data(figure.plots, figure.lines);
  for (const auto* rows : {"points", "lines"}) j[rows] = columns_of(j[rows]);
  const bool labels = spec::can_label(figure);
  std::string out = html_legend(figure.legend, labels, figure.choice);
  const bool chosen = std::ranges::any_of(figure.plots, [](const Plot& plot) { return !plot.words.empty(); });
  out += fmt::format("<div class=\"grid{}\">\n", chosen ? " dense" : "");
  for (std::size_t i = 0; i < figure.plots.size(); ++i) {
    out += plot_place(figure, i);
    j["specs"][std::to_string(i)] =
        plot_spec(figure.plots[i], i, {.lines = figure.lines, .legend = figure.legend, .labels = labels});
  }
  return out + "</div>\n" + data_script(j);
}

std::string data_script(const nlohmann::json& j, std::string_view id) {
  return fmt::format("<script type=\"application/json\"{}>{}</script>\n",
                     id.empty() ? "" : fmt::format(" id=\"{}\"", id), script_json(j));
}

}  // namespace busbar::report
