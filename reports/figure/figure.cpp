// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/files/module.hpp"
#include "core/record/run.hpp"
#include "reports/figure/drawer.hpp"
#include "reports/figure/words.hpp"
#include "reports/text/escape.hpp"

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

// What Cairo does not write into files

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(value >> shift & 0xFFU);
  return bytes;
}

/// CRC-32 as in the PNG specification (ISO 3309), bit by bit: chunks are short.
std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc32(type + data));
}

/// International text, not compressed, without a language.
std::string text_chunk(const std::string& keyword, const std::string& text) {
  return text.empty() ? std::string() : chunk("iTXt", keyword + std::string(5, '\0') + text);
}

/// An SVG with <title> and <desc>.
std::string with_svg_title(std::string svg, const Provenance& from) {
  const std::size_t element = svg.find("<svg");
  const std::size_t end = element == std::string::npos ? element : svg.find('>', element);
  if (end == std::string::npos) return svg;
  std::string about = from.creator;
  for (const std::string& part : {from.subject, from.date})
    if (!part.empty()) about += "; " + part;
  return svg.insert(end + 1, fmt::format("\n<title>{}</title>\n<desc>{}</desc>", report::escape_html(from.title),
                                         report::escape_html(about)));
}

/// A PNG with its resolution (pHYs) and texts (iTXt): Title, Description, Software.
std::string with_png_texts(std::string png, double dpi, const Provenance& from) {
  constexpr std::size_t after_header = 8 + 12 + 13;  // signature; length, type and CRC of IHDR; its data
  const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi / 0.0254));
  return png.insert(after_header, chunk("pHYs", big_endian(per_metre) + big_endian(per_metre) + '\1') +
                                      text_chunk("Title", from.title) + text_chunk("Description", from.subject) +
                                      text_chunk("Software", from.creator));
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

/// The drawer of the module; stays loaded. Throws UsageError, naming `flag`, if this busbar was built without Cairo or
/// its library is missing.
const Drawer& open_drawer(const std::string& flag) {
  try {
    const Module module = Module::open("cairo");
    return module.symbol<Drawer>("busbar_figure_drawer");
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: PDF, SVG and PNG need Cairo, .pgf does not: {}", flag, e.what()));
  }
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
  FigureFiles files{.caption = caption_text(chart, runs),
                    .data = data_csv(chart),
                    .width_cm = layout.sheet.width / points_per_cm,
                    .height_cm = layout.sheet.height / points_per_cm,
                    .counts = counts_of(chart, picture)};
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
