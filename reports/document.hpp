// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/table.hpp"
#include "reports/charts.hpp"
#include "reports/diagram.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/plot.hpp"

namespace busbar::predict {
struct Prediction;  // reports/predict/prediction.hpp
}

/// The report as data: sections of blocks, made from runs. It says what stands there; a renderer (reports/render.hpp)
/// says how it looks. All texts are plain: escaping is the renderer's.
namespace busbar::report {

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
[[nodiscard]] std::string_view name(ColumnKind);

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

/// What the user asked of a report beside its runs.
struct DocumentOptions {
  std::optional<expected::LineRate> line_rate;  ///< what ceilings of the network are made from, in place of facts
  std::string by;                               ///< label or field whose values are held against each other
  std::vector<std::string> pool;                ///< labels in which runs of one side may differ
  std::vector<std::string> across;              ///< fields of the method and the key in which sides may differ
  std::string group_by;  ///< launches with one value of this are one line over size; empty: a line a run
  std::string color;     ///< lines over size with one value of this have one colour; empty: by run
  std::string facet;     ///< cases with unlike values of this have charts of their own
  std::optional<double> price_per_hour;                   ///< of one node, in any currency; empty: no costs
  std::string fastest;                                    ///< label whose values contend for each case; empty: none
  std::shared_ptr<const predict::Prediction> prediction;  ///< of scales that were not run; null: none
  std::vector<std::string> sections;                      ///< only those of these names; empty: all
  std::vector<std::string> notes;                         ///< paragraphs of the user's own, below the title
  std::string logo;                                       ///< data: URI of an image (logo.hpp); empty: none
};

class Material;  // reports/material.hpp

/// One part of the report: one file in reports/sections/.
struct Section {
  std::string_view name;                          ///< identifier: a link to it is "#name"
  std::string_view title;                         ///< its heading
  std::vector<Block> (*blocks)(const Material&);  ///< none: the section is left out
};

/// A section that has something to say.
struct Chapter {
  std::string name;
  std::string title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::string summary;             ///< "2 runs, 96 cases (3 skipped, 1 failed)"
  std::vector<std::string> notes;  ///< DocumentOptions::notes
  std::string logo;                ///< DocumentOptions::logo
  std::vector<Chapter> chapters;
};

/// What the report of these runs says. A section without blocks is left out. Throws UsageError, naming --sections, for
/// one that there is none of.
[[nodiscard]] Document make_document(std::string title, const std::vector<Run>&, const DocumentOptions& options = {});

/// "2 runs, 96 cases (3 skipped, 1 failed)".
[[nodiscard]] std::string count_runs_and_cases(const std::vector<Run>&);

}  // namespace busbar::report
