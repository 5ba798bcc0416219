// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/html_blocks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "reports/drawing/html_charts.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

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
  void operator()(const Charts& c) {
    card(c.title, c.caption, style_.charts ? html_charts(c, style_.rounds) : "", figures(c));
  }
  void operator()(const Figure& f) { card(f.title, f.caption, style_.charts ? html_charts(f) : "", f.tables); }
  void operator()(const Diagram& d) { card(d.title, d.caption, svg_element(d.sketch), d.tables); }

  [[nodiscard]] WrittenBlock written() { return {.text = std::move(out_), .late_tables = std::move(late_tables_)}; }

 private:
  /// `drawing`: empty where the page draws no charts; then the tables stand open.
  void card(const std::string& title, const std::string& caption, const std::string& drawing,
            std::vector<Table> tables) {
    out_ += fmt::format("<article class=\"charts\" id=\"{}\">\n{}", escape_html(anchor_),
                        linked_heading("h3", anchor_, title));
    if (!caption.empty()) out_ += fmt::format("<p class=\"caption\">{}</p>\n", escape_html(caption));
    out_ += drawing;
    const bool draws = !drawing.empty();
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

}  // namespace

std::string linked_heading(std::string_view tag, std::string_view anchor, const std::string& title) {
  return fmt::format("<{0}>{2} <a class=\"permalink\" href=\"#{1}\" aria-label=\"link to {2}\">#</a></{0}>\n", tag,
                     escape_html(anchor), escape_html(title));
}

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

}  // namespace busbar::report
