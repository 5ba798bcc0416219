// SPDX-License-Identifier: Apache-2.0
// The module busbar-cairo: scenes as PDF, SVG and PNG.
#include "reports/figure/drawer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string_view>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/terminal_text.hpp"

namespace busbar::figure {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void require(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(fmt::format("Cairo cannot draw the figure: {}", cairo_status_to_string(status)));
}

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void set_colour(cairo_t* to, Colour colour, double opacity) {
  const auto part = [colour](unsigned shift) { return static_cast<double>(colour >> shift & 0xFFU) / 255; };
  cairo_set_source_rgba(to, part(16), part(8), part(0), opacity);
}

void set_font(cairo_t* to, const std::string& font, double size) {
  cairo_select_font_face(to, font.c_str(), CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(to, size);
}

double advance(cairo_t* on, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(on, printable(text).c_str(), &extents);
  return extents.x_advance;
}

/// Draws the parts of a scene on a context whose unit is the point.
struct Draw {
  cairo_t* to;
  const Scene& scene;
  const std::string& font;

  void operator()(const Path& path) const {
    cairo_save(to);
    if (path.clipped) {
      const Rectangle& clip = scene.clip;
      cairo_rectangle(to, clip.left, clip.top, clip.right - clip.left, clip.bottom - clip.top);
      cairo_clip(to);
    }
    cairo_new_path(to);  // a text leaves a current point behind
    for (const Point& point : path.points) cairo_line_to(to, point.x, point.y);
    if (path.closed) cairo_close_path(to);
    if (path.fill) {
      set_colour(to, *path.fill, path.opacity);
      cairo_fill_preserve(to);
    }
    if (path.stroke) {
      set_colour(to, *path.stroke, path.fill ? 1 : path.opacity);
      cairo_set_line_width(to, path.width);
      cairo_set_line_join(to, CAIRO_LINE_JOIN_ROUND);
      cairo_set_dash(to, path.dash.data(), static_cast<int>(path.dash.size()), 0);
      cairo_stroke_preserve(to);
    }
    cairo_new_path(to);
    cairo_restore(to);
  }

  void operator()(const Words& words) const {
    const std::string text = printable(words.text);
    cairo_save(to);
    set_font(to, font, words.size);
    cairo_translate(to, words.at.x, words.at.y);
    if (words.upward) cairo_rotate(to, -std::numbers::pi / 2);
    cairo_move_to(to, -words.anchor * advance(to, text), 0);
    if (words.halo) {
      cairo_text_path(to, text.c_str());
      set_colour(to, paper, 1);
      cairo_set_line_width(to, 2.2);
      cairo_set_line_join(to, CAIRO_LINE_JOIN_ROUND);
      cairo_stroke(to);
      cairo_move_to(to, -words.anchor * advance(to, text), 0);
    }
    set_colour(to, words.colour, 1);
    cairo_show_text(to, text.c_str());
    cairo_restore(to);
  }
};

void draw_on(cairo_surface_t* surface, const Scene& scene, const std::string& font, double scale) {
  const Context context(cairo_create(surface), cairo_destroy);
  cairo_scale(context.get(), scale, scale);
  for (const auto& part : scene.parts) std::visit(Draw{.to = context.get(), .scene = scene, .font = font}, part);
  cairo_show_page(context.get());
  require(cairo_status(context.get()));
}

/// Draws the scene as a document's only page, and ends the document.
void draw_page(cairo_surface_t* surface, const Scene& scene, const std::string& font) {
  draw_on(surface, scene, font, 1);
  cairo_surface_finish(surface);
  require(cairo_surface_status(surface));
}

std::string draw_pdf(const Scene& scene, const std::string& font, const Provenance& from) {
  std::string out;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &out, scene.width, scene.height),
                        cairo_surface_destroy);
  const auto say = [&](cairo_pdf_metadata_t what, const std::string& text) {
    if (!text.empty()) cairo_pdf_surface_set_metadata(surface.get(), what, printable(text).c_str());
  };
  say(CAIRO_PDF_METADATA_TITLE, from.title);
  say(CAIRO_PDF_METADATA_SUBJECT, from.subject);
  say(CAIRO_PDF_METADATA_CREATOR, from.creator);
  // the date of the data instead of now: the same records give the same file
  say(CAIRO_PDF_METADATA_CREATE_DATE, from.date.empty() ? "1970-01-01T00:00:00Z" : from.date);
  draw_page(surface.get(), scene, font);
  return out;
}

std::string draw_svg(const Scene& scene, const std::string& font) {
  std::string out;
  const Surface surface(cairo_svg_surface_create_for_stream(append, &out, scene.width, scene.height),
                        cairo_surface_destroy);
  draw_page(surface.get(), scene, font);
  return out;
}

std::string draw_png(const Scene& scene, const std::string& font, double dpi) {
  const double scale = dpi / 72;
  const auto pixels = [scale](double points) { return static_cast<int>(std::lround(points * scale)); };
  std::string out;
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(scene.width), pixels(scene.height)),
                        cairo_surface_destroy);
  require(cairo_surface_status(surface.get()));
  {
    const Context paint(cairo_create(surface.get()), cairo_destroy);
    set_colour(paint.get(), paper, 1);
    cairo_paint(paint.get());
  }
  draw_on(surface.get(), scene, font, scale);
  require(cairo_surface_write_to_png_stream(surface.get(), append, &out));
  return out;
}

std::string draw(const Scene& scene, const std::string& font, Format format, double dpi, const Provenance& from) {
  switch (format) {
    case Format::pdf:
      return draw_pdf(scene, font, from);
    case Format::svg:
      return draw_svg(scene, font);
    case Format::png:
      break;
  }
  return draw_png(scene, font, dpi);
}

/// A context to ask about fonts. Of a PDF surface, so that all formats have the same layout. Unhinted: its unit is the
/// point.
cairo_t* asking() {
  static const Context context = [] {
    const Surface surface(cairo_pdf_surface_create_for_stream(nullptr, nullptr, 100, 100), cairo_surface_destroy);
    return Context(cairo_create(surface.get()), cairo_destroy);
  }();
  return context.get();
}

double width_of(const std::string& text, const std::string& font, double size) {
  set_font(asking(), font, size);
  return advance(asking(), text);
}

/// True if the font has no glyph for a character in UTF-8.
bool lacks(cairo_scaled_font_t* font, std::string_view character) {
  constexpr unsigned long box = 0;  // the glyph for characters without one: OpenType, table cmap
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  require(cairo_scaled_font_text_to_glyphs(font, 0, 0, character.data(), static_cast<int>(character.size()), &glyphs,
                                           &count, nullptr, nullptr, nullptr));
  const std::unique_ptr<cairo_glyph_t, decltype(&cairo_glyph_free)> owner(glyphs, cairo_glyph_free);
  return std::any_of(glyphs, glyphs + count, [](const cairo_glyph_t& glyph) { return glyph.index == box; });
}

std::string lacking_in(const std::string& text, const std::string& font) {
  set_font(asking(), font, 8);
  cairo_scaled_font_t* scaled = cairo_get_scaled_font(asking());
  const std::string drawn = printable(text);
  std::string lacking;
  for (std::size_t at = 0, end = 0; at < drawn.size(); at = end) {
    end = at + 1;
    while (end < drawn.size() && (static_cast<unsigned char>(drawn[end]) & 0xC0U) == 0x80) ++end;
    const std::string_view character = std::string_view(drawn).substr(at, end - at);
    if (lacking.find(character) == std::string::npos && lacks(scaled, character)) lacking += character;
  }
  return lacking;
}

}  // namespace
}  // namespace busbar::figure

extern "C" {
[[gnu::visibility("default")]] extern const busbar::figure::Drawer busbar_figure_drawer;
const busbar::figure::Drawer busbar_figure_drawer{
    .width_of = busbar::figure::width_of, .lacking_in = busbar::figure::lacking_in, .draw = busbar::figure::draw};
}
