// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/figure/chart.hpp"

/// Files of a figure: the picture, its caption and its data.
namespace busbar::figure {

enum class FileType { pdf, svg, png, pgf };
[[nodiscard]] constexpr auto words_of(FileType) {
  return std::to_array<std::string_view>({"pdf", "svg", "png", "pgf"});
}

struct FigureOptions {
  double width_cm = 8.4;
  std::optional<double> height_cm;  ///< empty: by the width, the legend and the rows
  double font_pt = 8;
  std::string font = "sans-serif";
  std::string title;  ///< above the plot; may be empty
  double dpi = 300;   ///< of a PNG
};

/// Characters of a text that are drawn as boxes, because the font lacks them.
struct LackingCharacters {
  std::string characters;  ///< each once, in UTF-8
  std::string text;
};

struct FigureFiles {
  std::string picture, caption, data;  ///< contents
  double width_cm = 0, height_cm = 0;
  std::string counts;                        ///< "2 lines, 22 points"
  std::optional<LackingCharacters> lacking;  ///< of the first such text; empty: none, or TeX chooses the font
};

/// Throws UsageError if the figure is too small for its texts, or if Cairo is missing; `flag` names the output.
[[nodiscard]] FigureFiles make_figure(const Chart&, const std::vector<Run>&, const FigureOptions&, FileType,
                                      const std::string& flag);

}  // namespace busbar::figure
