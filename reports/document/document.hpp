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
#include "reports/document/plot.hpp"

/// The report as data: sections of blocks, made from runs. It says what stands there; a renderer
/// (reports/drawing/render.hpp) says how it looks. All texts are plain: escaping is the renderer's.
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
  bool glossary = false;  ///< the keys are terms that the page explains: one click leads there from where they are used
};

enum class ColumnKind {
  text,
  name,  ///< short text that is not to be broken
  number,
  code,
  status,
};

/// "text", "number", ...: what the page's style sheet and the JSON call it.
[[nodiscard]] constexpr auto words_of(ColumnKind) {
  return std::to_array<std::string_view>({"text", "name", "number", "code", "status"});
}

/// Short, for tables that list their columns as {title, kind}.
inline constexpr auto number = ColumnKind::number;

struct Column {
  std::string title;
  ColumnKind kind = ColumnKind::text;
};

struct Table {
  std::string title;  ///< may be empty
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
  bool folded = false;                         ///< long and of interest to few: closed until asked for
};
/// Takes the last column away where none of its cells has any text.
void drop_last_column_if_empty(Table& table);

/// Plots beside each other over the same lines, with one legend, and the tables that say the same: they stand behind
/// the plots, and in their place where nothing can be drawn.
struct Figure {
  std::string title;
  std::string caption;  ///< may be empty
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;  ///< empty where the lines need none
  std::vector<Plot> plots;
  std::vector<Table> tables;
};

/// Adds a line that has a colour and a shape of its own, and its entry in the legend. Returns its index.
std::size_t add_line(Figure& figure, const std::string& label);

/// A picture that needs no script, and the tables that say the same, which stand in its place in text.
struct Diagram {
  std::string title;
  std::string caption;  ///< may be empty
  Sketch sketch;
  std::vector<Table> tables;
};

using Block = std::variant<Paragraph, KeyValues, Table, Charts, Figure, Diagram>;

/// A section that has something to say.
struct Chapter {
  std::string name;
  std::string title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::string summary;             ///< "2 runs, 96 cases (3 skipped, 1 failed)"
  std::vector<std::string> notes;  ///< paragraphs of the user's own, below the title
  std::string logo;                ///< data: URI of an image; empty: none
  std::vector<Chapter> chapters;
};

}  // namespace busbar::report
