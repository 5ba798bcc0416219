// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/enum_words.hpp"
#include "reports/document/charts.hpp"
#include "reports/document/diagram.hpp"
#include "reports/document/overview.hpp"
#include "reports/document/plot.hpp"

/// The report as data: chapters of blocks, made from runs. A document holds the content; a renderer
/// (reports/drawing/render.hpp) decides the layout. All texts are plain; the renderer escapes them.
namespace busbar::report {

using busbar::name;

enum class Tone { plain, warning };

struct Paragraph {
  std::string text;
  Tone tone = Tone::plain;
};

struct KeyValues {
  std::string title;  ///< may be empty
  std::vector<std::pair<std::string, std::string>> rows;
  bool glossary = false;  ///< the keys are terms that the page explains; each use of a term links to it
};

enum class ColumnKind {
  text,
  name,  ///< short text without line breaks
  number,
  code,
  status,
};

/// "text", "number", ...: names used by the page's style sheet and the JSON.
[[nodiscard]] constexpr auto words_of(ColumnKind) {
  return std::to_array<std::string_view>({"text", "name", "number", "code", "status"});
}

/// Shorthand for tables that list their columns.
inline constexpr auto number = ColumnKind::number;

struct Column {
  std::string title;
  ColumnKind kind = ColumnKind::text;
};

/// Titles of neighbouring columns of one kind.
struct TitlesOfKind {
  ColumnKind kind = ColumnKind::text;
  std::vector<std::string> titles;
};
/// Table::columns of these titles.
[[nodiscard]] std::vector<Column> make_columns(const std::vector<TitlesOfKind>&);

struct Table {
  std::string title;  ///< may be empty
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
  bool folded = false;                         ///< long and rarely needed: collapsed at first
};
/// Folds a table of more than 24 rows.
void fold_if_long(Table& table);
/// Removes the last column if all of its cells are empty.
void drop_last_column_if_empty(Table& table);

/// Plots side by side over the same lines, with one legend, and tables with the same data. The tables follow the plots,
/// or replace them where nothing can be drawn.
struct Figure {
  std::string title;
  std::string caption;  ///< may be empty
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;  ///< empty: the lines need no legend
  std::string choice;               ///< which lines are shown at first: show_few(); empty: all
  std::vector<Plot> plots;
  std::vector<Table> tables;
};

/// Adds a line and its legend entry. Returns the line's index.
std::size_t add_line(Figure& figure, const std::string& label, const LineStyle& style);
/// The same with a style that no other line has.
std::size_t add_line(Figure& figure, const std::string& label);

/// Shows few lines of a figure: show_few() by the values of its first plot, which must exist. `text`: of a place on the
/// x axis, such as "64 ranks".
void show_few(Figure& figure, std::string (*text)(double x));

/// A picture drawn without a script, and tables with the same data, which replace it in text output.
struct Diagram {
  std::string title;
  std::string caption;  ///< may be empty
  Sketch sketch;
  std::vector<Table> tables;
};

using Block = std::variant<Paragraph, KeyValues, Table, Charts, Figure, Diagram>;

/// A section with content.
struct Chapter {
  std::string name;
  std::string title;
  std::vector<Block> blocks;
  bool folded = false;  ///< background: closed at first on a page
};

struct Document {
  std::string title;
  std::string summary;             ///< "2 runs, 96 cases (3 skipped, 1 failed)"
  std::vector<std::string> notes;  ///< paragraphs written by the user, below the title
  Overview overview;               ///< first screen
  std::string logo;                ///< data: URI of an image; empty: none
  std::vector<Chapter> chapters;
};

/// Gives all axes of message sizes the same domain, for comparison by eye and for pointing at a size in all charts.
void share_sizes(Document& document);

}  // namespace busbar::report
