// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/figure.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/figure/drawer.hpp"
#include "reports/figure/embed.hpp"
#include "reports/figure/words.hpp"

namespace busbar::figure {
namespace {

/// "2 lines, 22 points", "12 bars", "64 cells".
std::string counts_of(const Chart& chart, const Picture& picture) {
  switch (chart.plot.kind) {
    case report::PlotKind::lines:
      return plural(picture.curves.size(), "line") + ", " + plural(picture.points, "point");
    case report::PlotKind::bars:
      return plural(picture.points, "bar");
    case report::PlotKind::cells:
      return plural(picture.points, "cell");
    case report::PlotKind::spans:
      break;
  }
  return plural(picture.points, "span");
}

/// Labels that name runs, as they are drawn.
std::vector<std::string> shown_labels(const Chart& chart, const Layout& layout) {
  std::vector<std::string> shown;
  for (const EndLabel& label : layout.end_labels) shown.push_back(label.text);
  for (std::size_t i = 0; i < layout.keys.size(); ++i)
    if (chart.legend[i].is_run) shown.push_back(layout.keys[i].label);
  return shown;
}

Sheet sheet_of(const FigureOptions& options, const std::string& note, const Picture& picture, const Measure& measure) {
  constexpr double highest_cm = 7.5, proportion = 1.4;
  const double usual_cm = std::min(options.width_cm / proportion, highest_cm);
  Sheet sheet{.width = options.width_cm * points_per_cm,
              .height = options.height_cm.value_or(usual_cm) * points_per_cm,
              .font_size = options.font_pt,
              .title = options.title,
              .note = note};
  if (!options.height_cm) sheet.height = usual_height(picture, sheet, measure);
  return sheet;
}

/// The layout with a note on the origin where the labels, which may be cut, do not say it.
Layout layout_of(const Chart& chart, const std::vector<Run>& runs, const FigureOptions& options, const Picture& picture,
                 const Measure& measure) {
  std::string note;
  while (true) {
    Layout layout = lay_out(picture, sheet_of(options, note, picture, measure), measure);
    const std::string needed = origin_note(chart, runs, shown_labels(chart, layout));
    if (needed.empty() || needed == note) return layout;
    if (!note.empty()) {  // the note has changed the labels: say all of it
      note = origin_note(chart, runs, {});
      return lay_out(picture, sheet_of(options, note, picture, measure), measure);
    }
    note = needed;
  }
}

std::string drawn(const Scene& scene, const FigureOptions& options, FileType type, const Provenance& from,
                  const Drawer& drawer) {
  switch (type) {
    case FileType::pdf:
      return drawer.draw(scene, options.font, Format::pdf, options.dpi, from);
    case FileType::svg:
      return with_svg_title(drawer.draw(scene, options.font, Format::svg, options.dpi, from), from);
    case FileType::png:
    case FileType::pgf:
      break;
  }
  return with_png_texts(drawer.draw(scene, options.font, Format::png, options.dpi, from), options.dpi, from);
}

std::optional<LackingCharacters> find_lacking(const Scene& scene, const std::string& font, const Drawer& drawer) {
  for (const auto& part : scene.parts) {
    const auto* words = std::get_if<Words>(&part);
    if (words == nullptr) continue;
    if (std::string characters = drawer.lacking_in(words->text, font); !characters.empty())
      return LackingCharacters{.characters = std::move(characters), .text = words->text};
  }
  return std::nullopt;
}

}  // namespace

FigureFiles make_figure(const Chart& chart, const std::vector<Run>& runs, const FigureOptions& options, FileType type,
                        const std::string& flag) {
  const Picture picture = picture_of(chart);
  const Drawer* drawer = type == FileType::pgf ? nullptr : &open_drawer(flag);
  const Measure measure = [&](const std::string& text, double size) {
    return drawer == nullptr ? estimated_width(text, size) : drawer->width_of(text, options.font, size);
  };
  const Layout layout = layout_of(chart, runs, options, picture, measure);
  const Provenance from = provenance_of(chart, runs);
  FigureFiles files{.picture = {},
                    .caption = caption_text(chart, runs),
                    .data = data_csv(chart),
                    .width_cm = layout.sheet.width / points_per_cm,
                    .height_cm = layout.sheet.height / points_per_cm,
                    .counts = counts_of(chart, picture),
                    .lacking = {}};
  if (drawer == nullptr) {
    files.picture = pgf_text(picture, layout, from);
    return files;
  }
  const Scene scene = scene_of(picture, layout);
  files.picture = drawn(scene, options, type, from, *drawer);
  files.lacking = find_lacking(scene, options.font, *drawer);
  return files;
}

}  // namespace busbar::figure
