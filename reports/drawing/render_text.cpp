// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/terminal_text.hpp"
#include "reports/drawing/render.hpp"

namespace busbar::report {
namespace {

constexpr std::size_t indent = 2, gap = 2, least_column = 12;

std::string_view colour_of(std::string_view status) {
  if (status.starts_with("slower") || status.starts_with("regression") || status.starts_with("fail")) return "\033[31m";
  if (status.starts_with("faster") || status.starts_with("same") || status.starts_with("pass")) return "\033[32m";
  const bool open =
      status.starts_with("inconclusive") || status.starts_with("disturbed") || status.starts_with("cannot");
  return open ? "\033[33m" : "";
}

std::size_t longest_word(std::string_view text) {
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    most = std::max(most, width_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return most;
}

class TextBlocks {
 public:
  explicit TextBlocks(const TextStyle& style) : style_(style) {}

  void operator()(const Paragraph& p) {
    const std::string first = p.tone == Tone::warning ? "! " : "";
    for (const std::string& line : wrapped(printable(first + p.text), style_.width)) out_ += line + "\n";
    out_ += "\n";
  }
  void operator()(const KeyValues& k) {
    Table table{.title = k.title, .columns = {{""}, {""}}};
    for (const auto& [key, value] : k.rows) table.rows.push_back({key, value});
    (*this)(table);
  }
  void operator()(const Table& t) {
    heading(t.title);
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> titles;
    for (const Column& column : t.columns) titles.push_back(printable(column.title));
    if (std::ranges::any_of(titles, [](const auto& title) { return !title.empty(); })) rows.push_back(titles);
    for (const auto& row : t.rows) {
      auto& cells = rows.emplace_back();
      for (const std::string& cell : row) cells.push_back(printable(cell));
    }
    const std::vector<std::size_t> widths = column_widths(rows, t.columns);
    for (const auto& row : rows) add_row(row, t.columns, widths);
    out_ += "\n";
  }
  void operator()(const Charts& charts) { card(charts.title, charts.caption, figures(charts)); }
  void operator()(const auto& drawn) { card(drawn.title, drawn.caption, drawn.tables); }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void card(const std::string& title, const std::string& caption, const std::vector<Table>& tables) {
    heading(title);
    if (!caption.empty()) (*this)(Paragraph{.text = caption});
    for (const Table& table : tables) (*this)(table);
  }

  void heading(const std::string& title) {
    if (title.empty()) return;
    for (const std::string& line : wrapped(printable(title), style_.width))
      out_ += style_.colour ? "\033[1m" + line + "\033[0m\n" : line + "\n";
  }

  /// Widths that fit the cells; if the line is too long, the widest columns that break shrink, down to their longest
  /// word.
  [[nodiscard]] std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows,
                                                       const std::vector<Column>& columns) const {
    std::vector<std::size_t> widths(columns.size()), least(columns.size(), least_column);
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], width_of(row[i]));
        least[i] = std::max(least[i], std::min(longest_word(row[i]), style_.width / 3));
      }
    }
    const std::size_t between = indent + gap * (columns.size() - 1);
    while (std::accumulate(widths.begin(), widths.end(), between) > style_.width) {
      std::optional<std::size_t> widest;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool breaks = columns[i].kind == ColumnKind::text || columns[i].kind == ColumnKind::status;
        if (breaks && widths[i] > least[i] && (!widest || widths[i] >= widths[*widest])) widest = i;
      }
      if (!widest) break;
      --widths[*widest];
    }
    return widths;
  }

  void add_row(const std::vector<std::string>& row, const std::vector<Column>& columns,
               const std::vector<std::size_t>& widths) {
    std::vector<std::vector<std::string>> cells;
    std::size_t lines = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool whole = columns[i].kind == ColumnKind::number || columns[i].kind == ColumnKind::name;
      cells.push_back(whole ? std::vector{row[i]} : wrapped(row[i], widths[i]));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t n = 0; n < lines; ++n) {
      std::string line(indent, ' ');
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string text = n < cells[i].size() ? cells[i][n] : "";
        const std::string padding(widths[i] - std::min(widths[i], width_of(text)), ' ');
        const bool right = columns[i].kind == ColumnKind::number;
        const auto colour = style_.colour && columns[i].kind == ColumnKind::status ? colour_of(row[i]) : "";
        const std::string shown = colour.empty() ? text : fmt::format("{}{}\033[0m", colour, text);
        line += (i == 0 ? "" : std::string(gap, ' ')) + (right ? padding + shown : shown + padding);
      }
      out_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }

  TextStyle style_;
  std::string out_;
};

}  // namespace

TextStyle text_style() {
  TextStyle style{.width = 100, .colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<std::size_t>(size.ws_col, 40, 200);
  return style;
}

std::string render_text(const Document& document, const TextStyle& style) {
  std::string out;
  for (const Chapter& chapter : document.chapters) {
    TextBlocks blocks(style);
    if (!chapter.title.empty()) blocks(Paragraph{.text = chapter.title});
    for (const Block& block : chapter.blocks) std::visit(blocks, block);
    out += blocks.text();
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace busbar::report
