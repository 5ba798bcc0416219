// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "reports/figure/picture.hpp"

/// Where the parts of a figure are on the paper. Lengths are in points (1/72 inch); y grows downwards.
namespace busbar::figure {

inline constexpr double points_per_cm = 72 / 2.54;

/// Width of a text in a font of this size, both in points.
using Measure = std::function<double(const std::string& text, double size)>;

/// A rough Measure for a sans-serif font, where the font is not known: TeX chooses it.
[[nodiscard]] double estimated_width(const std::string& text, double size);

/// What the user chooses.
struct Sheet {
  double width = 0, height = 0;
  double font_size = 8;
  std::string title;  ///< above the plot; may be empty
  std::string note;   ///< origin of the data, above the right end of the plot; may be empty
};

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// Labels below an axis with names.
enum class NameLayout { plain, wrapped, turned };

/// The label of a guide, at one of its ends.
struct GuideLabel {
  std::size_t guide = 0;
  Point at;               ///< middle of the label's height, at its end
  bool leftwards = true;  ///< `at` is its right end
  double lift = 0;        ///< of its middle above the end of the guide
};

/// A label at the end of a curve.
struct EndLabel {
  std::size_t curve = 0;
  double y = 0;  ///< of its middle
  std::string text;
};

struct Layout {
  Sheet sheet;
  Rectangle plot;
  std::string x_title, y_title;  ///< cut to the size of the sheet
  double x_title_middle = 0, y_title_middle = 0;
  report::Ticks x, y;  ///< ticks with labels that do not overlap; wrapped labels contain line ends
  NameLayout names = NameLayout::plain;
  std::vector<Key> keys;            ///< of the legend, with labels that fit; empty: none
  std::vector<double> key_columns;  ///< widths of the legend's columns
  std::vector<GuideLabel> guide_labels;
  std::vector<EndLabel> end_labels;  ///< instead of a legend
  std::vector<const Note*> notes;    ///< those that fit; they refer to the picture
  double x_label_height = 0;         ///< of the labels below the x axis
  double y_label_width = 0;
};

/// Throws UsageError naming --width or --height if the plot would be smaller than 1.5 cm.
[[nodiscard]] Layout lay_out(const Picture&, const Sheet&, const Measure&);

/// Height of a figure: that of the sheet and more for a long legend; of a plot with rows, enough for all of them.
[[nodiscard]] double usual_height(const Picture&, const Sheet&, const Measure&);

/// Height of a line of text.
[[nodiscard]] constexpr double line_height(double font_size) { return 1.25 * font_size; }

/// Length of the line or box before a legend's label, and the gap after it.
[[nodiscard]] constexpr double swatch(const Key& key, double font_size) { return (key.filled ? 0.7 : 2.2) * font_size; }
[[nodiscard]] constexpr double swatch_gap(double font_size) { return 0.5 * font_size; }

/// Position on the paper of a value on an axis between two ends.
[[nodiscard]] double place_on(const Axis&, double value, double from, double to);

}  // namespace busbar::figure
