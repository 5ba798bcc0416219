// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "reports/drawing/render.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

class MarkdownBlocks {
 public:
  void operator()(const Paragraph& p) {
    out_ += fmt::format("{}{}\n\n", p.tone == Tone::warning ? "> **Note.** " : "", escape_markdown(p.text));
  }
  void operator()(const KeyValues& k) {
    heading(k.title);
    for (const auto& [key, value] : k.rows)
      out_ += fmt::format("- {}{}\n", key.empty() ? "" : escape_markdown(key) + ": ", escape_markdown(value));
    out_ += "\n";
  }
  /// A folded table opens on GitHub and GitLab by a click.
  void operator()(const Table& t) {
    if (t.folded)
      out_ += fmt::format("<details><summary>{}</summary>\n\n", escape_html(t.title));
    else
      heading(t.title);
    for (const Column& column : t.columns) out_ += fmt::format("| {} ", escape_markdown(column.title));
    out_ += "|\n";
    for (const Column& column : t.columns) out_ += column.kind == ColumnKind::number ? "| ---: " : "| --- ";
    out_ += "|\n";
    for (const auto& row : t.rows) {
      for (const auto& cell : row) out_ += fmt::format("| {} ", escape_markdown(cell));
      out_ += "|\n";
    }
    out_ += t.folded ? "\n</details>\n\n" : "\n";
  }
  void operator()(const Charts& charts) { card(charts.title, charts.caption, figures(charts)); }
  void operator()(const auto& drawn) { card(drawn.title, drawn.caption, drawn.tables); }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void card(const std::string& title, const std::string& caption, const std::vector<Table>& tables) {
    heading(title);
    if (!caption.empty()) (*this)(Paragraph{.text = caption});
    level_ = "####";
    for (const Table& table : tables) (*this)(table);
    level_ = "###";
  }
  void heading(const std::string& title) {
    if (!title.empty()) out_ += fmt::format("{} {}\n\n", level_, escape_markdown(title));
  }
  std::string_view level_ = "###";  // heading level
  std::string out_;
};

}  // namespace

namespace {

/// The verdict, a row per figure, and the remarks.
std::string overview_text(const Overview& o) {
  if (o.verdict.empty()) return "";
  std::string out = fmt::format("**{}.** {}\n\n", escape_markdown(name(o.judgement)), escape_markdown(o.verdict));
  if (!o.figures.empty())
    out += "| figure | value | interval | compared with | measured on |\n| --- | ---: | --- | --- | --- |\n";
  for (const KeyFigure& f : o.figures)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", escape_markdown(f.title),
                       escape_markdown(f.unit.empty() ? f.value : f.value + " " + f.unit), escape_markdown(f.interval),
                       escape_markdown(f.expected), escape_markdown(f.scope));
  if (!o.figures.empty()) out += "\n";
  for (const Remark& r : o.remarks) out += fmt::format("- {}\n", escape_markdown(r.text));
  return out + (o.remarks.empty() ? "" : "\n");
}

}  // namespace

std::string render_markdown(const Document& document) {
  std::string out = fmt::format("# {}\n\n{}\n\n", escape_markdown(document.title), escape_markdown(document.summary));
  for (const std::string& note : document.notes) out += escape_markdown(note) + "\n\n";
  out += overview_text(document.overview);
  for (const Chapter& chapter : document.chapters) {
    MarkdownBlocks blocks;
    for (const Block& block : chapter.blocks) std::visit(blocks, block);
    if (!chapter.title.empty()) out += fmt::format("## {}\n\n", escape_markdown(chapter.title));
    out += blocks.text();
  }
  out.pop_back();
  return out;
}

}  // namespace busbar::report
