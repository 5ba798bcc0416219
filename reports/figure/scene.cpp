// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/scene.hpp"

#include <cmath>
#include <numbers>

namespace busbar::figure {
namespace {

constexpr double hairline = 0.5;
constexpr double major_length = 3, minor_length = 1.6;

/// Corners of the shapes by index, in a circle of radius 1: circle, square, triangle up, diamond, cross, triangle down,
/// triangle right.
std::vector<Point> shape_corners(std::size_t shape) {
  static const double third = std::sqrt(3) / 2;
  static const std::vector<std::vector<Point>> polygons{{{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}},
                                                        {{0, -1.2}, {1.2 * third, 0.75}, {-1.2 * third, 0.75}},
                                                        {{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}},
                                                        {{-0.4, -1.2},
                                                         {0.4, -1.2},
                                                         {0.4, -0.4},
                                                         {1.2, -0.4},
                                                         {1.2, 0.4},
                                                         {0.4, 0.4},
                                                         {0.4, 1.2},
                                                         {-0.4, 1.2},
                                                         {-0.4, 0.4},
                                                         {-1.2, 0.4},
                                                         {-1.2, -0.4},
                                                         {-0.4, -0.4}},
                                                        {{0, 1.2}, {1.2 * third, -0.75}, {-1.2 * third, -0.75}},
                                                        {{1.2, 0}, {-0.75, 1.2 * third}, {-0.75, -1.2 * third}}};
  if (shape > 0 && shape <= polygons.size()) return polygons[shape - 1];
  std::vector<Point> circle;
  constexpr int corners = 24;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    circle.push_back({std::cos(angle), std::sin(angle)});
  }
  return circle;
}

/// Adds the parts of a figure to a scene, from back to front.
class Painter {
 public:
  Painter(Scene& scene, const Picture& picture, const Layout& layout)
      : scene_(scene), picture_(picture), layout_(layout), plot_(layout.plot), size_(layout.sheet.font_size) {}

  void paint() {
    grid();
    for (const Area& area : picture_.areas) this->area(area);
    axes();
    for (const Curve& guide : picture_.guides) curve(guide);
    for (const Whisker& whisker : picture_.whiskers) this->whisker(whisker);
    for (const Curve& each : picture_.curves) curve(each);
    for (const Note* note : layout_.notes) this->note(*note);
    guide_labels();
    end_labels();
    heading();
    legend();
  }

 private:
  [[nodiscard]] Point at(const Point& p) const {
    return {place_on(picture_.x, p.x, plot_.left, plot_.right), place_on(picture_.y, p.y, plot_.bottom, plot_.top)};
  }
  [[nodiscard]] std::vector<Point> at(const std::vector<Point>& points) const {
    std::vector<Point> all;
    for (const Point& p : points) all.push_back(at(p));
    return all;
  }
  [[nodiscard]] double baseline(double middle) const { return middle + 0.36 * size_; }
  void line(Point from, Point to, Colour colour, double width = hairline) {
    scene_.parts.emplace_back(Path{.points = {from, to}, .stroke = colour, .width = width});
  }
  void words(Words words) {
    words.size = size_;
    scene_.parts.emplace_back(std::move(words));
  }

  void grid() {
    if (!picture_.y.named)
      for (const double value : layout_.y.values) {
        const double y = at({picture_.x.range.low, value}).y;
        line({plot_.left, y}, {plot_.right, y}, grid_colour);
      }
    if (!picture_.x.named)
      for (const double value : layout_.x.values) {
        const double x = at({value, picture_.y.range.low}).x;
        line({x, plot_.top}, {x, plot_.bottom}, grid_colour);
      }
  }

  void axes() {
    line({plot_.left, plot_.bottom}, {plot_.right, plot_.bottom}, quiet);
    line({plot_.left, plot_.top}, {plot_.left, plot_.bottom}, quiet);
    x_axis();
    y_axis();
  }

  void x_axis() {
    const auto tick = [&](double value, double length) {
      const double x = at({value, picture_.y.range.low}).x;
      line({x, plot_.bottom}, {x, plot_.bottom + length}, quiet);
      return x;
    };
    if (!picture_.x.named) {
      for (const double value : picture_.x.minor) tick(value, minor_length);
      for (const double value : picture_.x.major.values) tick(value, major_length);
    }
    const double top = plot_.bottom + major_length + 2;
    for (std::size_t i = 0; i < layout_.x.values.size(); ++i) {
      const double x = at({layout_.x.values[i], picture_.y.range.low}).x;
      if (layout_.names == NameLayout::turned) {
        words({.at = {baseline(x), top}, .text = layout_.x.labels[i], .anchor = 1, .upward = true});
        continue;
      }
      double middle = top + line_height(size_) / 2;
      std::string_view rest = layout_.x.labels[i];
      while (true) {
        const std::size_t end = rest.find('\n');
        words({.at = {x, baseline(middle)}, .text = std::string(rest.substr(0, end)), .anchor = 0.5});
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
        middle += line_height(size_);
      }
    }
    if (!layout_.x_title.empty())
      words({.at = {layout_.x_title_middle, baseline(layout_.sheet.height - line_height(size_) / 2)},
             .text = layout_.x_title,
             .anchor = 0.5});
  }

  void y_axis() {
    const auto tick = [&](double value, double length) {
      const double y = at({picture_.x.range.low, value}).y;
      line({plot_.left - length, y}, {plot_.left, y}, quiet);
    };
    if (!picture_.y.named) {
      for (const double value : picture_.y.minor) tick(value, minor_length);
      for (const double value : picture_.y.major.values) tick(value, major_length);
    }
    for (std::size_t i = 0; i < layout_.y.values.size(); ++i)
      words({.at = {plot_.left - major_length - 2, baseline(at({0, layout_.y.values[i]}).y)},
             .text = layout_.y.labels[i],
             .anchor = 1});
    if (!layout_.y_title.empty())
      words({.at = {baseline(line_height(size_) / 2), layout_.y_title_middle},
             .text = layout_.y_title,
             .anchor = 0.5,
             .upward = true});
  }

  void area(const Area& area) {
    Path path{
        .points = at(area.corners), .closed = true, .fill = area.colour, .opacity = area.opacity, .clipped = true};
    if (area.outlined) {
      path.stroke = paper;
      path.width = hairline;
    }
    scene_.parts.emplace_back(std::move(path));
  }

  void whisker(const Whisker& whisker) {
    scene_.parts.emplace_back(Path{.points = {at({whisker.x, whisker.range.low}), at({whisker.x, whisker.range.high})},
                                   .stroke = whisker.colour,
                                   .opacity = 0.6,
                                   .width = 0.8,
                                   .clipped = true});
  }

  void marker(Point middle, std::size_t shape, Colour colour) {
    const double radius = 0.19 * size_;
    Path path{.points = shape_corners(shape), .closed = true, .fill = colour};
    for (Point& corner : path.points) corner = {middle.x + radius * corner.x, middle.y + radius * corner.y};
    scene_.parts.emplace_back(std::move(path));
  }

  void curve(const Curve& curve) {
    scene_.parts.emplace_back(Path{
        .points = at(curve.points), .stroke = curve.colour, .width = curve.width, .dash = curve.dash, .clipped = true});
    if (!curve.shape) return;
    for (const Point& point : curve.points) marker(at(point), *curve.shape, curve.colour);
  }

  void note(const Note& note) {
    const Point middle = at(note.at);
    const double lift = note.place == Note::Place::above ? 0.8 * size_ : 0;
    words({.at = {middle.x, baseline(middle.y - lift)}, .text = note.text, .colour = note.colour, .anchor = 0.5});
  }

  void guide_labels() {
    for (const GuideLabel& label : layout_.guide_labels)
      words({.at = {label.at.x, baseline(label.at.y)},
             .text = picture_.guides[label.guide].label,
             .colour = quiet,
             .anchor = label.leftwards ? 1.0 : 0.0,
             .halo = true});
  }

  void end_labels() {
    for (const EndLabel& label : layout_.end_labels) {
      const Curve& curve = picture_.curves[label.curve];
      words({.at = {std::max(at(curve.points.back()).x + 0.55 * size_, plot_.right - size_), baseline(label.y)},
             .text = label.text,
             .colour = curve.colour});
    }
  }

  void heading() {
    const double y = baseline(line_height(size_) / 2);
    if (!layout_.sheet.title.empty()) words({.at = {plot_.left, y}, .text = layout_.sheet.title});
    if (!layout_.sheet.note.empty())
      words({.at = {layout_.sheet.width - 1, y}, .text = layout_.sheet.note, .colour = quiet, .anchor = 1});
  }

  void legend() {
    const std::size_t n = layout_.key_columns.size();
    const bool below = !layout_.sheet.title.empty() || !layout_.sheet.note.empty();
    for (std::size_t i = 0; i < layout_.keys.size(); ++i) {
      double x = plot_.left;
      for (std::size_t column = 0; column < i % n; ++column) x += layout_.key_columns[column];
      const double middle = (static_cast<double>(i / n) + (below ? 1.5 : 0.5)) * line_height(size_);
      key(layout_.keys[i], x, middle);
    }
  }

  void key(const Key& key, double x, double middle) {
    const double length = swatch(key, size_);
    if (key.filled) {
      const double half = length / 2;
      scene_.parts.emplace_back(Path{
          .points = {{x, middle - half}, {x + length, middle - half}, {x + length, middle + half}, {x, middle + half}},
          .closed = true,
          .fill = key.colour});
    } else {
      scene_.parts.emplace_back(
          Path{.points = {{x, middle}, {x + length, middle}}, .stroke = key.colour, .width = 1.1, .dash = key.dash});
      if (key.shape) marker({x + length / 2, middle}, *key.shape, key.colour);
    }
    words({.at = {x + length + swatch_gap(size_), baseline(middle)}, .text = key.label});
  }

  Scene& scene_;
  const Picture& picture_;
  const Layout& layout_;
  const Rectangle& plot_;
  double size_;
};

}  // namespace

Scene scene_of(const Picture& picture, const Layout& layout) {
  Scene scene{.width = layout.sheet.width, .height = layout.sheet.height, .clip = layout.plot};
  Painter(scene, picture, layout).paint();
  return scene;
}

}  // namespace busbar::figure
