// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "reports/drawing/anchors.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/chart_words.hpp"
#include "reports/drawing/columns.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/plot_spec.hpp"
#include "reports/drawing/render.hpp"
#include "reports/drawing/round_spec.hpp"
#include "reports/drawing/spec_parts.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

constexpr std::string_view no_charts =
    "This page has no charts, only the tables behind them: this busbar was built without the chart library. Run "
    "scripts/setup, or give CMake a file with -DBUSBAR_CHART_BUNDLE=FILE (made by scripts/chart_bundle.py on any "
    "machine), build again and make the report again.";

/// Statuses coloured by the style sheet.
constexpr std::string_view known_statuses = "|ok|failed|skipped|aborted|interrupted|imported|";

/// `stacks`: repeats the column head in the cell, for narrow screens.
std::string html_cell(const Column& column, const std::string& text, bool stacks) {
  std::string css(name(column.kind));
  if (column.kind == ColumnKind::status && known_statuses.find("|" + text + "|") != std::string_view::npos)
    css += " " + text;
  if (column.kind == ColumnKind::name && text.size() > 48) css = "text";
  if (css == "text" && text.size() > 24) css += " long";
  const std::string inner = escape_html(text);
  const std::string head = stacks ? fmt::format(" data-head=\"{}\"", escape_html(column.title)) : "";
  return fmt::format("<td class=\"{}\"{}>{}</td>", css, head,
                     column.kind == ColumnKind::code ? "<code>" + inner + "</code>" : inner);
}

/// True for tables of mostly words; on a narrow screen the cells of a row are stacked.
bool stacks_cells(const Table& t) {
  const auto words = static_cast<std::size_t>(std::ranges::count(t.columns, ColumnKind::text, &Column::kind));
  if (words > 2 && 2 * words > t.columns.size()) return true;
  const auto is_long = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (t.columns[i].kind == ColumnKind::text && row[i].size() > 60) return true;
    return false;
  };
  return t.columns.size() < 5 && std::ranges::any_of(t.rows, is_long);
}

std::string table_element(const Table& t) {
  const bool stacks = stacks_cells(t);
  std::string out =
      fmt::format("<div class=\"scroll\" tabindex=\"0\"><table{}>\n<thead><tr>", stacks ? " class=\"stacks\"" : "");
  for (const Column& column : t.columns)
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", name(column.kind), escape_html(column.title));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : t.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) out += html_cell(t.columns[i], row[i], stacks);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

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

/// Data for the page's scripts, found by `id`, or by position if `id` is empty.
std::string data_script(const nlohmann::json& j, std::string_view id = "") {
  return fmt::format("<script type=\"application/json\"{}>{}</script>\n",
                     id.empty() ? "" : fmt::format(" id=\"{}\"", id), script_json(j));
}

/// Specifications and data of a chart group, for page/charts.js.
nlohmann::json chart_json(const Charts& charts, bool with_rounds) {
  nlohmann::json j = {{"points", point_columns(charts)},
                      {"sizes", size_texts(charts)},
                      {"lines", columns_of(spec::line_data(charts.lines))}};
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

std::string drawn(const Charts& charts, bool with_rounds) {
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

/// The words of a plot's buttons, joined by bars, and whether it is hidden.
std::string words_attribute(const Plot& plot) {
  if (plot.words.empty()) return "";
  return fmt::format(" data-words=\"{}\"{}", escape_html(fmt::format("{}", fmt::join(plot.words, "|"))),
                     plot.hidden ? " hidden" : "");
}

std::string drawn(const Figure& figure, bool /*with_rounds*/) {
  nlohmann::json j = plot_data(figure.plots, figure.lines);
  for (const auto* rows : {"points", "lines"}) j[rows] = columns_of(j[rows]);
  const bool labels = spec::can_label(figure);
  std::string out = html_legend(figure.legend, labels, figure.choice);
  const bool chosen = std::ranges::any_of(figure.plots, [](const Plot& plot) { return !plot.words.empty(); });
  out += fmt::format("<div class=\"grid{}\">\n", chosen ? " dense" : "");
  for (std::size_t i = 0; i < figure.plots.size(); ++i) {
    const std::string& title = figure.plots[i].title;
    std::string heading = title.empty() ? "" : fmt::format("<h4>{}</h4>", escape_html(title));
    if (const std::string& caption = figure.plots[i].caption; !caption.empty())
      heading += fmt::format("<p class=\"caption\">{}</p>", escape_html(caption));
    const PlotKind kind = figure.plots[i].kind;
    const bool rows = kind == PlotKind::cells || kind == PlotKind::spans;  // height grows with the number of rows
    out += fmt::format(
        "<div class=\"plot\"{}>{}{}</div>\n", words_attribute(figure.plots[i]), heading,
        chart_place(std::to_string(i), rows ? " rows" : "", plot_words(figure.plots[i], figure.lines, figure.legend)));
    j["specs"][std::to_string(i)] =
        plot_spec(figure.plots[i], i, {.lines = figure.lines, .legend = figure.legend, .labels = labels});
  }
  return out + "</div>\n" + data_script(j);
}

std::string drawn(const Diagram& diagram, bool /*with_rounds*/) { return svg_element(diagram.sketch); }

/// Options for writing the blocks of a page.
struct PageStyle {
  bool charts = false;  ///< the page can draw charts
  bool rounds = false;  ///< points carry their rounds
  bool tables = true;   ///< with the tables below the charts
  bool late = false;    ///< folded tables stand behind the page
};

/// A block as HTML.
struct WrittenBlock {
  std::string text;
  std::vector<std::string> late_tables;  ///< its folded tables, which the page inserts when they are opened
};

/// A heading that links to itself, for readers who pass on a link.
std::string linked_heading(std::string_view tag, std::string_view anchor, const std::string& title) {
  return fmt::format("<{0}>{2} <a class=\"permalink\" href=\"#{1}\" aria-label=\"link to {2}\">#</a></{0}>\n", tag,
                     escape_html(anchor), escape_html(title));
}

/// Writes one block.
class BlockWriter {
 public:
  /// `number`: of the block in the page. `anchor`: of its card; empty if it has none.
  BlockWriter(const PageStyle& style, std::size_t number, std::string anchor)
      : style_(style), number_(number), anchor_(std::move(anchor)) {}

  void operator()(const Paragraph& p) {
    out_ += fmt::format("<p{}>{}</p>\n", p.tone == Tone::warning ? " class=\"warning\"" : "", escape_html(p.text));
  }
  void operator()(const KeyValues& k) {
    if (!k.title.empty()) out_ += fmt::format("<h3>{}</h3>\n", escape_html(k.title));
    out_ += "<dl>\n";
    for (const auto& [key, value] : k.rows)
      out_ +=
          fmt::format("<dt{}>{}</dt><dd>{}</dd>\n", k.glossary ? fmt::format(" id=\"term-{}\"", anchor_of(key)) : "",
                      escape_html(key), escape_html(value));
    out_ += "</dl>\n";
  }
  void operator()(const Table& t) {
    const std::string title = escape_html(t.title);
    if (t.folded && style_.late) {
      out_ += fmt::format("<details data-late=\"{}-{}\"><summary>{}</summary></details>\n", number_,
                          late_tables_.size(), title);
      late_tables_.push_back(table_element(t));
    } else if (t.folded) {
      out_ += fmt::format("<details><summary>{}</summary>\n{}</details>\n", title, table_element(t));
    } else {
      out_ += (title.empty() ? "" : fmt::format("<{0}>{1}</{0}>\n", level_, title)) + table_element(t);
    }
  }
  void operator()(const Charts& charts) { card(charts.title, charts.caption, charts, figures(charts)); }
  void operator()(const Figure& figure) { card(figure.title, figure.caption, figure, figure.tables); }
  void operator()(const Diagram& diagram) {
    card(diagram.title, diagram.caption, diagram, diagram.tables, needs_no_script);
  }

  [[nodiscard]] WrittenBlock written() { return {.text = std::move(out_), .late_tables = std::move(late_tables_)}; }

 private:
  static constexpr bool needs_no_script = true;

  template <class Drawing>
  void card(const std::string& title, const std::string& caption, const Drawing& drawing, std::vector<Table> tables,
            bool always = false) {
    out_ += fmt::format("<article class=\"charts\" id=\"{}\">\n{}", escape_html(anchor_),
                        linked_heading("h3", anchor_, title));
    if (!caption.empty()) out_ += fmt::format("<p class=\"caption\">{}</p>\n", escape_html(caption));
    const bool draws = style_.charts || always;
    if (draws) out_ += drawn(drawing, style_.rounds);
    level_ = "h4";
    if (draws && !style_.tables) tables.clear();
    for (Table& table : tables) {
      table.folded = draws;
      (*this)(table);
    }
    level_ = "h3";
    out_ += "</article>\n";
  }

  PageStyle style_;
  std::size_t number_;
  std::string anchor_;
  std::vector<std::string> late_tables_;
  std::string_view level_ = "h3";  // heading level of tables
  std::string out_;
};

/// A CSS string: quotes, backslashes and control characters as code points.
std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '<' || static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\{:x} ", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string head(const Document& document, const std::vector<std::string>& scripts) {
  // Printed pages repeat the title, which only a rule of the style sheet can do.
  const std::string css =
      fmt::format("{}\n@page {{ @top-left {{ content: {}; }} }}\n", page_css(), css_string(document.title));
  return page_head(document.title, css, page_policy(css, scripts));
}

/// Marks beside the words of a judgement: readable without colours.
constexpr std::array<std::string_view, words_of(Judgement{}).size()> judgement_marks{"✓", "•", "!", "✗"};
constexpr std::array<std::string_view, words_of(Judgement{}).size()> judgement_classes{"good", "open", "doubtful",
                                                                                       "bad"};

std::string_view class_of(Judgement j) { return judgement_classes[static_cast<std::size_t>(j)]; }

/// The mark with its word, of which a screen reader reads the word.
std::string judgement_mark(Judgement j) {
  return fmt::format("<span class=\"mark\" aria-hidden=\"true\">{}</span><span class=\"unseen\">{}:</span> ",
                     judgement_marks[static_cast<std::size_t>(j)], name(j));
}

/// Style, mark and word of each judgement, for page/cases.js.
nlohmann::json judgement_words() {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < judgement_marks.size(); ++i)
    all.push_back({judgement_classes[i], judgement_marks[i], words_of(Judgement{})[i]});
  return all;
}

std::string small_line(std::string_view css, const std::string& text, const std::string& before = "") {
  return text.empty() ? "" : fmt::format("<span class=\"{}\">{}{}</span>", css, before, escape_html(text));
}

/// `anchor`: of the figure's evidence; empty if the page has none.
std::string figure_item(const KeyFigure& f, const std::string& anchor) {
  const bool judged = f.judgement != Judgement::open;
  std::string out = fmt::format("<li class=\"{}\">{}<span class=\"of\">{}</span>", class_of(f.judgement),
                                anchor.empty() ? "<div>" : fmt::format("<a href=\"#{}\">", escape_html(anchor)),
                                escape_html(f.title));
  out += fmt::format("<span class=\"value\"><b>{}</b> {}{}</span>", escape_html(f.value), escape_html(f.unit),
                     small_line("interval", f.interval.empty() ? "" : " " + f.interval));
  const std::string expected = f.expected.empty() && judged ? std::string(name(f.judgement)) : f.expected;
  out += small_line("expected", expected, judged ? judgement_mark(f.judgement) : "");
  return out + small_line("scope", f.scope) + (anchor.empty() ? "</div></li>\n" : "</a></li>\n");
}

/// The large figures. Those whose evidence is not in the page are no links.
std::string figure_list(const std::vector<KeyFigure>& figures, const Anchors& anchors) {
  std::string out = "<ul class=\"figures\">\n";
  bool all_lead = true;
  for (const KeyFigure& f : figures) {
    const std::string anchor = anchors.find(f.link);
    all_lead = all_lead && !anchor.empty();
    out += figure_item(f, anchor);
  }
  return out + fmt::format("</ul>\n<p class=\"caption\">± and \"to\": 95 % confidence intervals.{}</p>\n",
                           all_lead ? " Each figure leads to its evidence." : "");
}

std::string remark_item(const Remark& r, const Anchors& anchors) {
  std::string anchor = anchors.find(r.link);
  if (anchor.empty()) anchor = anchors.find(r.else_link);
  const std::string text = escape_html(r.text);
  if (anchor.empty()) return fmt::format("<li>{}</li>\n", text);
  return fmt::format("<li>{0} <a href=\"#{1}\">evidence<span class=\"unseen\"> for: {0}</span></a></li>\n", text,
                     escape_html(anchor));
}

/// The plot that the overview shows: where its card is, and the beginning of its title.
struct MainPlot {
  std::string anchor, plot;  ///< empty: none; the first
};

/// The first screen; empty without a verdict.
std::string overview_section(const Overview& o, const MainPlot& main, const Anchors& anchors) {
  if (o.verdict.empty()) return "";
  std::string out = fmt::format(
      "<section id=\"overview\" class=\"overview\" aria-label=\"overview\">\n<p class=\"verdict {}\"><strong>"
      "<span aria-hidden=\"true\">{}</span> {}</strong> <span>{}</span></p>\n",
      class_of(o.judgement), judgement_marks[static_cast<std::size_t>(o.judgement)], name(o.judgement),
      escape_html(o.verdict));
  if (!o.figures.empty()) out += figure_list(o.figures, anchors);
  out += "<div class=\"main\">\n";
  if (!main.anchor.empty())
    out += fmt::format("<article class=\"charts\" data-of=\"{}\" data-plot=\"{}\"></article>\n",
                       escape_html(main.anchor), escape_html(main.plot));
  if (!o.remarks.empty()) {
    out += "<div class=\"remarks\">\n<h2>Look at this first</h2>\n<ol>\n";
    for (const Remark& r : o.remarks) out += remark_item(r, anchors);
    out += "</ol>\n</div>\n";
  }
  return out + "</div>\n</section>\n";
}

/// The contents, which stay in sight. page/find.js adds the search.
std::string navigation(const Document& document, const std::vector<CardTitles>& cards) {
  std::string out = "<nav id=\"contents\" aria-label=\"contents\"><details open><summary>Contents</summary>\n<ol>\n";
  if (!document.overview.verdict.empty()) out += "<li><a href=\"#overview\">Overview</a></li>\n";
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    const Chapter& chapter = document.chapters[i];
    out += fmt::format("<li><a href=\"#{}\">{}</a>", escape_html(chapter.name), escape_html(chapter.title));
    if (cards[i].size() > 1 && cards[i].size() <= 12) {
      out += "<ol>\n";
      for (const auto& [anchor, title] : cards[i])
        out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_html(anchor), escape_html(title));
      out += "</ol>";
    }
    out += "</li>\n";
  }
  return out + "</ol>\n</details></nav>\n";
}

std::string header(const Document& document, bool with_charts) {
  std::string out = "<header>\n";
  if (!document.logo.empty())
    out += fmt::format("<img class=\"logo\" alt=\"\" src=\"{}\">\n", escape_html(document.logo));
  out += fmt::format("<h1>{}</h1>\n<p class=\"summary\">{}</p>\n", escape_html(document.title),
                     escape_html(document.summary));
  for (const std::string& note : document.notes) out += fmt::format("<p>{}</p>\n", escape_html(note));
  if (with_charts)
    out +=
        "<noscript><p class=\"warning\">The charts need JavaScript, and so do the closed tables of a large page. "
        "Of a smaller one, the figures are in the tables below the charts.</p></noscript>\n";
  else
    out += fmt::format("<p class=\"warning\">{}</p>\n", escape_html(no_charts));
  return out + "</header>\n";
}

bool has_rounds(const Document& document) {
  for (const Chapter& chapter : document.chapters)
    for (const Block& block : chapter.blocks)
      if (const auto* charts = std::get_if<Charts>(&block); charts != nullptr && report::has_rounds(*charts))
        return true;
  return false;
}

/// Rows in initially closed tables.
struct FoldedRows {
  std::size_t operator()(const Table& t) const { return t.folded ? t.rows.size() : 0; }
  std::size_t operator()(const Charts& c) const { return c.points.size(); }
  std::size_t operator()(const Paragraph&) const { return 0; }
  std::size_t operator()(const KeyValues&) const { return 0; }
  std::size_t operator()(const auto& drawn) const {
    std::size_t n = 0;
    for (const Table& t : drawn.tables) n += t.rows.size();
    return n;
  }
};

std::size_t count_folded_rows(const Document& document) {
  std::size_t n = 0;
  for (const Chapter& chapter : document.chapters)
    for (const Block& block : chapter.blocks) n += std::visit(FoldedRows{}, block);
  return n;
}

/// Number of lines of a block's card.
struct CountLines {
  std::size_t operator()(const Charts& c) const { return c.lines.size(); }
  std::size_t operator()(const Figure& f) const { return f.lines.size(); }
  std::size_t operator()(const auto&) const { return 0; }
};

/// Of several cards of a chapter with the wanted title, that with most lines.
MainPlot find_main_plot(const Document& document, const std::vector<CardTitles>& cards) {
  for (const MainChart& wanted : document.overview.charts) {
    MainPlot main;
    std::size_t most = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (document.chapters[i].name != wanted.chapter) continue;
      auto card = cards[i].begin();
      for (const Block& block : document.chapters[i].blocks) {
        if (card_title(block).empty()) continue;
        const auto& [anchor, title] = *card++;
        const std::size_t lines = std::visit(CountLines{}, block);
        if (!title.starts_with(wanted.title) || (!main.anchor.empty() && lines <= most)) continue;
        main = {.anchor = anchor, .plot = wanted.plot};
        most = lines;
      }
    }
    if (!main.anchor.empty()) return main;
  }
  return {};
}

/// All blocks of a document, in order.
std::vector<WrittenBlock> write_blocks(const Document& document, const std::vector<CardTitles>& cards,
                                       const PageStyle& style) {
  std::vector<const Block*> blocks;
  std::vector<std::string> anchors;
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    auto card = cards[i].begin();
    for (const Block& block : document.chapters[i].blocks) {
      blocks.push_back(&block);
      anchors.push_back(card_title(block).empty() ? "" : (card++)->first);
    }
  }
  std::vector<WrittenBlock> written(blocks.size());
  in_parallel(blocks.size(), [&](std::size_t i) {
    BlockWriter writer(style, i, anchors[i]);
    std::visit(writer, *blocks[i]);
    written[i] = writer.written();
  });
  return written;
}

constexpr std::size_t many_rows = 4000;       ///< browsers need about one second per 10,000 rows
constexpr std::size_t too_many_rows = 20000;  ///< some 4 MB

}  // namespace

std::string render_html(const Document& document, std::string_view chart_bundle) {
  const bool with_charts = !chart_bundle.empty();
  std::vector<std::string> scripts;
  if (with_charts) scripts = {script_text(chart_bundle), script_text(page_js())};
  const std::vector<CardTitles> cards = find_cards(document);
  std::string out = head(document, scripts) + "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n" +
                    navigation(document, cards) + "<div class=\"page\">\n" + header(document, with_charts) +
                    "<main id=\"main\">\n" +
                    overview_section(document.overview, with_charts ? find_main_plot(document, cards) : MainPlot{},
                                     Anchors(document, cards, with_charts));
  const std::size_t rows = count_folded_rows(document);
  const PageStyle style{.charts = with_charts,
                        .rounds = has_rounds(document),
                        .tables = !with_charts || rows <= too_many_rows,
                        .late = with_charts && rows > many_rows};
  if (!style.tables)
    out += fmt::format(
        "<p>{} rows of tables below the charts are left out; busbar report --csv writes all cases.</p>\n", rows);
  const std::vector<WrittenBlock> written = write_blocks(document, cards, style);
  auto next = written.begin();
  for (const Chapter& chapter : document.chapters) {
    out += fmt::format("<section id=\"{}\">\n", escape_html(chapter.name));
    out += chapter.folded
               ? fmt::format("<details class=\"chapter\"><summary><h2>{}</h2></summary>\n", escape_html(chapter.title))
               : linked_heading("h2", chapter.name, chapter.title);
    for (std::size_t i = 0; i < chapter.blocks.size(); ++i) out += (next++)->text;
    out += chapter.folded ? "</details>\n</section>\n" : "</section>\n";
  }
  out += "</main>\n</div>\n";
  if (with_charts) out += data_script(chart_config(), "chart-config") + data_script(judgement_words(), "judgements");
  if (style.charts && style.rounds) out += data_script(round_specs(), "round-specs");
  for (const auto& script : scripts) out += "<script>" + script + "</script>\n";
  for (std::size_t i = 0; i < written.size(); ++i)  // all text is escaped, so none can close the element
    for (std::size_t n = 0; n < written[i].late_tables.size(); ++n)
      out += fmt::format("<script type=\"text/html\" id=\"late-{}-{}\">{}</script>\n", i, n, written[i].late_tables[n]);
  return out + "</body>\n</html>\n";
}

}  // namespace busbar::report
