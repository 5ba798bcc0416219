// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/html_overview.hpp"

#include <array>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

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

}  // namespace

std::string html_overview(const Document& document, const std::vector<CardTitles>& cards, bool with_charts) {
  const Overview& o = document.overview;
  if (o.verdict.empty()) return "";
  const Anchors anchors(document, cards, with_charts);
  const MainPlot main = with_charts ? find_main_plot(document, cards) : MainPlot{};
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

nlohmann::json judgement_words() {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < judgement_marks.size(); ++i)
    all.push_back({judgement_classes[i], judgement_marks[i], words_of(Judgement{})[i]});
  return all;
}

}  // namespace busbar::report
