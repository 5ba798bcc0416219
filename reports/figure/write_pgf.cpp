// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "reports/figure/words.hpp"

namespace busbar::figure {
namespace {

/// Escapes text of a record for TeX: it is no command.
std::string tex(std::string_view text) {
  using Spelled = std::pair<char, std::string_view>;
  constexpr std::array spelled{Spelled{'\\', "\\textbackslash{}"},  Spelled{'~', "\\textasciitilde{}"},
                               Spelled{'^', "\\textasciicircum{}"}, Spelled{'<', "\\textless{}"},
                               Spelled{'>', "\\textgreater{}"},     Spelled{'|', "\\textbar{}"},
                               Spelled{'"', "\\char34{}"},          Spelled{'-', "{-}"}};  // "--" is a dash
  std::string out;
  for (const char c : printable(text)) {
    if (const auto at = std::ranges::find(spelled, c, &Spelled::first); at != spelled.end()) {
      out += at->second;
      continue;
    }
    if (std::string_view("{}$&#_%").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Lines of a wrapped label.
std::string tex_lines(const std::string& label) {
  std::string out;
  for (std::size_t at = 0; at <= label.size();) {
    const std::size_t end = std::min(label.find('\n', at), label.size());
    out += (at == 0 ? "" : "\\\\") + tex(label.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string number(double value) { return fmt::format("{:.8g}", value); }
std::string length(double points) { return fmt::format("{:.2f}bp", points); }  // TeX's pt is smaller
std::string colour(Colour c) { return fmt::format("busbar{:06x}", c); }

std::string coordinates(const std::vector<Point>& points) {
  std::string all;
  for (const Point& p : points) all += fmt::format(" ({},{})", number(p.x), number(p.y));
  return "coordinates {" + all + " }";
}

std::string dash(const std::vector<double>& lengths) {
  if (lengths.empty()) return "";
  std::string pattern;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    pattern += fmt::format(" {} {}", i % 2 == 0 ? "on" : "off", length(lengths[i]));
  return ", dash pattern={" + pattern.substr(1) + "}";
}

/// Options for the shape of points, by index.
std::string mark(const std::optional<std::size_t>& shape, double font_size) {
  if (!shape) return ", mark=none";
  constexpr std::string_view shapes[] = {"mark=*",
                                         "mark=square*",
                                         "mark=triangle*",
                                         "mark=diamond*",
                                         "mark=+",
                                         "mark=triangle*, mark options={rotate=180}",
                                         "mark=triangle*, mark options={rotate=270}"};
  return fmt::format(", {}, mark size={}", shapes[*shape % std::size(shapes)], length(0.2 * font_size));
}

std::string tick_labels(const std::vector<std::string>& labels) {
  std::vector<std::string> all;
  for (const std::string& label : labels) all.push_back("{" + tex_lines(label) + "}");
  return fmt::format("{}", fmt::join(all, ","));
}

std::string numbers(const std::vector<double>& values) {
  std::vector<std::string> all;
  for (const double v : values) all.push_back(number(v));
  return fmt::format("{}", fmt::join(all, ","));
}

/// Options of one axis, by its letter.
std::string axis_options(const Axis& axis, const report::Ticks& ticks, std::string_view letter) {
  std::string out;
  const auto add = [&](std::string_view key, const std::string& value) {
    out += fmt::format("  {}{}={{{}}},\n", letter, key, value);
  };
  if (axis.logarithmic) out += fmt::format("  {}mode=log,\n", letter);
  add("min", number(axis.range.low));
  add("max", number(axis.range.high));
  add("tick", numbers(ticks.values));
  add("ticklabels", tick_labels(ticks.labels));
  if (!axis.named) {
    std::vector<double> minor = axis.minor;
    minor.insert(minor.end(), axis.major.values.begin(), axis.major.values.end());  // also where a label was left out
    std::erase_if(minor, [&](double v) { return std::ranges::find(ticks.values, v) != ticks.values.end(); });
    std::ranges::sort(minor);
    minor.erase(std::ranges::unique(minor).begin(), minor.end());
    if (!minor.empty()) out += fmt::format("  minor {}tick={{{}}},\n", letter, numbers(minor));
    out += fmt::format("  {}majorgrids,\n", letter);
  } else {
    out += fmt::format("  {}tick style={{draw=none}},\n", letter);
  }
  if (!axis.title.empty()) add("label", tex(axis.title));
  return out;
}

std::set<Colour> colours_of(const Picture& picture) {
  std::set<Colour> all{ink, quiet, grid_colour, paper};
  for (const Area& a : picture.areas) all.insert(a.colour);
  for (const Whisker& w : picture.whiskers) all.insert(w.colour);
  for (const Curve& c : picture.curves) all.insert(c.colour);
  for (const Key& k : picture.keys) all.insert(k.colour);
  return all;
}

std::string preamble(const Picture& picture, const Provenance& from) {
  std::string out = fmt::format(
      "% {}\n% {}; {}\n% \\usepackage{{pgfplots}} \\pgfplotsset{{compat=1.16}}; then \\input{{this file}}\n",
      printable(from.title), printable(from.subject), from.creator);
  out += "\\begin{tikzpicture}\n";
  for (const Colour c : colours_of(picture))
    out += fmt::format("\\definecolor{{{}}}{{HTML}}{{{:06X}}}\n", colour(c), c);
  return out;
}

std::string options(const Picture& picture, const Layout& layout) {
  const Rectangle& plot = layout.plot;
  const double size = layout.sheet.font_size;
  const std::string font = fmt::format("font=\\fontsize{{{:g}}}{{{:g}}}\\selectfont", size, 1.2 * size);
  std::string out = "\\begin{axis}[\n";
  out += fmt::format("  scale only axis, width={}, height={},\n", length(plot.right - plot.left),
                     length(plot.bottom - plot.top));
  out += fmt::format("  every axis/.append style={{{0}}}, tick label style={{{0}}}, label style={{{0}}},\n", font);
  out += fmt::format(
      "  axis x line*=bottom, axis y line*=left, axis on top=false, axis line style={{{0}}}, tick align=outside,\n"
      "  major tick length=3bp, minor tick length=1.6bp, every tick/.style={{{0}, line width=0.5bp}},\n"
      "  grid style={{{1}, line width=0.5bp}}, clip mode=individual, log ticks with fixed point,\n",
      colour(quiet), colour(grid_colour));
  out += axis_options(picture.x, layout.x, "x") + axis_options(picture.y, layout.y, "y");
  if (layout.names == NameLayout::wrapped) out += "  xticklabel style={align=center},\n";
  if (layout.names == NameLayout::turned) out += "  xticklabel style={rotate=90, anchor=east},\n";
  if (!layout.keys.empty())
    out += fmt::format(
        "  legend columns={}, legend cell align=left, legend style={{draw=none, fill=none, {}, at={{(0,1)}}, "
        "anchor=south west, inner sep=1bp, /tikz/every even column/.append style={{column sep={}}}}},\n",
        layout.key_columns.size(), font, length(size));
  return out + "]\n";
}

/// Only cells are outlined: the outline of a bar would cover the axis below it.
std::string area_text(const Area& area, bool in_rows) {
  const std::string outline =
      area.outlined && in_rows ? fmt::format("draw={}, line width=0.5bp", colour(paper)) : std::string("draw=none");
  return fmt::format("\\addplot[forget plot, mark=none, {}, fill={}, fill opacity={:g}] {} -- cycle;\n", outline,
                     colour(area.colour), area.opacity, coordinates(area.corners));
}

/// One path for neighbouring whiskers of a colour.
std::string whiskers_text(const std::vector<Whisker>& whiskers) {
  std::string out;
  for (std::size_t i = 0; i < whiskers.size(); ++i) {
    const Whisker& w = whiskers[i];
    if (i == 0 || w.colour != whiskers[i - 1].colour)
      out += fmt::format("{}\\draw[{}, opacity=0.6, line width=0.8bp]", i == 0 ? "" : ";\n", colour(w.colour));
    out +=
        fmt::format(" (axis cs:{0},{1}) -- (axis cs:{0},{2})", number(w.x), number(w.range.low), number(w.range.high));
  }
  return out.empty() ? out : out + ";\n";
}

std::string curve_text(const Curve& c, double font_size) {
  return fmt::format(
      "\\addplot[forget plot, {}, line width={}{}{}] {};\n", colour(c.colour), length(c.width), dash(c.dash),
      mark(c.shape, font_size) + (c.shape && !c.dash.empty() ? ", every mark/.append style={solid}" : ""),
      coordinates(c.points));
}

std::string node(const Point& at, const std::string& style, const std::string& text) {
  return fmt::format("\\node[{}] at (axis cs:{},{}) {{{}}};\n", style, number(at.x), number(at.y), tex(text));
}

std::string texts(const Picture& picture, const Layout& layout) {
  std::string out;
  for (const Note* note : layout.notes)
    out += node(note->at,
                fmt::format("{}, inner sep=1bp, anchor={}", colour(note->colour),
                            note->place == Note::Place::above ? "south" : "center"),
                note->text);
  for (const GuideLabel& label : layout.guide_labels) {
    const Curve& guide = picture.guides[label.guide];
    out += node(label.leftwards ? guide.points.back() : guide.points.front(),
                fmt::format("{}, anchor={}, inner sep=2bp, yshift={}", colour(quiet), label.leftwards ? "east" : "west",
                            length(label.lift)),
                guide.label);
  }
  for (const EndLabel& label : layout.end_labels) {
    const Curve& curve = picture.curves[label.curve];
    const double y = place_on(picture.y, curve.points.back().y, layout.plot.bottom, layout.plot.top);
    out += node(curve.points.back(),
                fmt::format("{}, anchor=west, inner sep=0bp, xshift={}, yshift={}", colour(curve.colour),
                            length(0.55 * layout.sheet.font_size), length(y - label.y)),
                label.text);
  }
  return out;
}

std::string legend(const Layout& layout) {
  std::string out;
  for (const Key& key : layout.keys) {
    const std::string image = key.filled ? fmt::format("area legend, draw={0}, fill={0}", colour(key.colour))
                                         : fmt::format("{}, line width=1.1bp{}{}", colour(key.colour), dash(key.dash),
                                                       mark(key.shape, layout.sheet.font_size));
    out += fmt::format("\\addlegendimage{{{}}}\n\\addlegendentry{{{}}}\n", image, tex(key.label));
  }
  return out;
}

/// Title and note above everything else.
std::string heading(const Layout& layout) {
  const double size = layout.sheet.font_size;
  const std::string font = fmt::format("font=\\fontsize{{{:g}}}{{{:g}}}\\selectfont", size, 1.2 * size);
  std::string out =
      "\\coordinate (top left) at (current bounding box.north west);\n"
      "\\coordinate (top right) at (current bounding box.north east);\n";
  const auto add = [&](std::string_view side, const std::string& colour_name, const std::string& text) {
    out += fmt::format("\\node[anchor=south {}, inner sep=1bp, {}, {}] at (top {}) {{{}}};\n",
                       side == "left" ? "west" : "east", colour_name, font, side, tex(text));
  };
  if (!layout.sheet.title.empty()) add("left", colour(ink), layout.sheet.title);
  if (!layout.sheet.note.empty()) add("right", colour(quiet), layout.sheet.note);
  return layout.sheet.title.empty() && layout.sheet.note.empty() ? std::string() : out;
}

}  // namespace

std::string pgf_text(const Picture& picture, const Layout& layout, const Provenance& from) {
  std::string out = preamble(picture, from) + options(picture, layout);
  for (const Area& area : picture.areas) out += area_text(area, picture.y.named);
  for (const Curve& guide : picture.guides) out += curve_text(guide, layout.sheet.font_size);
  out += whiskers_text(picture.whiskers);
  for (const Curve& curve : picture.curves) out += curve_text(curve, layout.sheet.font_size);
  out += texts(picture, layout) + legend(layout);
  return out + "\\end{axis}\n" + heading(layout) + "\\end{tikzpicture}\n";
}

}  // namespace busbar::figure
