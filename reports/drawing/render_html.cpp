// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "reports/drawing/anchors.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/html_blocks.hpp"
#include "reports/drawing/html_charts.hpp"
#include "reports/drawing/html_overview.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/drawing/round_spec.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

constexpr std::string_view no_charts =
    "This page has no charts, only the tables behind them: this busbar was built without the chart library. Run "
    "scripts/setup, or give CMake a file with -DBUSBAR_CHART_BUNDLE=FILE (made by scripts/chart_bundle.py on any "
    "machine), build again and make the report again.";

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
                    "<main id=\"main\">\n" + html_overview(document, cards, with_charts);
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
  out += "</body>\n</html>\n";
  return out;
}

}  // namespace busbar::report
