// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/terminal_text.hpp"

namespace busbar::figure {
namespace {

constexpr double least_plot = 1.5 * points_per_cm;
constexpr double tick_length = 3;
constexpr double gap = 2.5;  // between ticks, labels and titles

/// Removes characters from the end until the text fits; "..." marks a cut.
std::string fitted(std::string text, double room, double size, const Measure& measure) {
  if (measure(text, size) <= room) return text;
  while (!text.empty()) {
    do text.pop_back();
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U);
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0xC0U) text.pop_back();
    if (measure(text + "...", size) <= room) break;
  }
  return text + "...";
}

Point on_paper(const Picture& picture, const Rectangle& plot, const Point& p) {
  return {place_on(picture.x, p.x, plot.left, plot.right), place_on(picture.y, p.y, plot.bottom, plot.top)};
}

double widest(const std::vector<std::string>& texts, double size, const Measure& measure) {
  double most = 0;
  for (const std::string& text : texts) most = std::max(most, measure(text, size));
  return most;
}

// The legend

/// "ring hdr" of "algorithm=ring interconnect=hdr": the values tell long labels apart.
std::string without_keys(const std::string& label) {
  std::string out;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t end = std::min(label.find(' ', at), label.size() - 1) + 1;
    const std::string word = label.substr(at, end - at);
    const std::size_t sign = word.find('=');
    out += sign == std::string::npos || sign + 1 >= word.size() ? word : word.substr(sign + 1);
    at = end;
  }
  return out;
}

constexpr double key_gap = 1.4;  // to the next column, in font sizes

double key_width(const Key& key, double size, const Measure& measure) {
  return swatch(key, size) + swatch_gap(size) + measure(key.label, size) + key_gap * size;
}

/// As many columns as fit.
std::vector<double> columns_of(const std::vector<Key>& keys, double room, double size, const Measure& measure) {
  for (std::size_t n = keys.size(); n > 0; --n) {
    std::vector<double> widths(n);
    for (std::size_t i = 0; i < keys.size(); ++i)
      widths[i % n] = std::max(widths[i % n], key_width(keys[i], size, measure));
    if (n == 1 || std::reduce(widths.begin(), widths.end()) - key_gap * size <= room) return widths;
  }
  return {};
}

std::size_t legend_rows(const Layout& layout) {
  const std::size_t n = layout.key_columns.size();
  return n == 0 ? 0 : (layout.keys.size() + n - 1) / n;
}

void add_legend(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size, room = layout.sheet.width - layout.plot.left;
  layout.keys = picture.keys;
  for (Key& key : layout.keys) {
    const double words = room - swatch(key, size) - swatch_gap(size);
    if (measure(key.label, size) > words) key.label = fitted(without_keys(key.label), words, size, measure);
  }
  layout.key_columns = columns_of(layout.keys, room, size, measure);
}

/// The top of the plot, below title, note and legend.
void set_top(Layout& layout) {
  const double line = line_height(layout.sheet.font_size);
  const bool first = !layout.sheet.title.empty() || !layout.sheet.note.empty();
  const double rows = static_cast<double>(legend_rows(layout)) + (first ? 1 : 0);
  layout.plot.top = rows > 0 ? rows * line + gap : 0.6 * layout.sheet.font_size;
}

// Ticks

/// Keeps labels whose distance from the last kept one is large enough. `extent`: of a label along the axis.
void thin_out(report::Ticks& ticks, const std::function<double(double)>& place,
              const std::function<double(const std::string&)>& extent, double space) {
  report::Ticks kept;
  double end = -1e9;
  std::vector<std::size_t> order(ticks.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return place(ticks.values[i]); });
  for (const std::size_t i : order) {
    const double half = extent(ticks.labels[i]) / 2, at = place(ticks.values[i]);
    if (at - half < end + space) continue;
    kept.add(ticks.values[i], ticks.labels[i]);
    end = at + half;
  }
  ticks = std::move(kept);
}

/// Breaks a label at spaces into lines that fit; empty if a word is too long or there are more than three.
std::string broken(const std::string& label, double room, double size, const Measure& measure) {
  std::string all, line;
  int lines = 1;
  for (std::size_t at = 0; at <= label.size();) {
    const std::size_t end = std::min(label.find(' ', at), label.size());
    const std::string word = label.substr(at, end - at);
    if (measure(word, size) > room) return {};
    const std::string longer = line.empty() ? word : line + " " + word;
    if (measure(longer, size) > room) {
      all += line + "\n";
      line = word;
      ++lines;
    } else {
      line = longer;
    }
    at = end + 1;
  }
  return lines > 3 ? std::string() : all + line;
}

/// Labels of an axis with names: side by side, on several lines, or turned.
void lay_out_names(Layout& layout, const Measure& measure) {
  const double size = layout.sheet.font_size, room = layout.plot.right - layout.plot.left;
  const double slot = room / static_cast<double>(std::max<std::size_t>(layout.x.labels.size(), 1)) - 0.4 * size;
  layout.x_label_height = line_height(size);
  if (widest(layout.x.labels, size, measure) <= slot) return;
  std::vector<std::string> lines;
  for (const std::string& label : layout.x.labels) lines.push_back(broken(label, slot, size, measure));
  if (std::ranges::none_of(lines, &std::string::empty)) {
    layout.names = NameLayout::wrapped;
    layout.x.labels = lines;
    std::ptrdiff_t most = 0;
    for (const std::string& label : lines) most = std::max(most, std::ranges::count(label, '\n'));
    layout.x_label_height = line_height(size) * static_cast<double>(most + 1);
    return;
  }
  layout.names = NameLayout::turned;
  for (std::string& label : layout.x.labels) label = fitted(label, 0.3 * layout.sheet.width, size, measure);
  layout.x_label_height = widest(layout.x.labels, size, measure) + gap;
}

void lay_out_x(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  layout.x = picture.x.major;
  layout.x_label_height = line_height(size);
  if (picture.x.named) lay_out_names(layout, measure);
  const auto place = [&](double value) { return place_on(picture.x, value, layout.plot.left, layout.plot.right); };
  const auto extent = [&](const std::string& label) {
    if (layout.names == NameLayout::turned) return size;
    return layout.names == NameLayout::wrapped ? 0 : measure(label, size);
  };
  thin_out(layout.x, place, extent, layout.names == NameLayout::plain ? 0.6 * size : 0);
  const double title = picture.x.title.empty() ? 0 : line_height(size) + gap;
  layout.plot.bottom = layout.sheet.height - tick_length - gap - layout.x_label_height - title;
}

void thin_out_y(Layout& layout, const Picture& picture) {
  const double size = layout.sheet.font_size;
  thin_out(
      layout.y, [&](double value) { return place_on(picture.y, value, layout.plot.bottom, layout.plot.top); },
      [&](const std::string&) { return size; }, 0.1 * size);
}

/// The left margin, for all labels of the y axis: which of them are kept depends on the height.
void set_left(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  layout.y = picture.y.major;
  for (std::string& label : layout.y.labels) label = fitted(label, 0.35 * layout.sheet.width, size, measure);
  layout.y_label_width = widest(layout.y.labels, size, measure);
  layout.plot.left = layout.y_label_width + tick_length + gap + 1;
  if (!picture.y.title.empty()) layout.plot.left += line_height(size) + gap;
}

/// Half of the last label below the x axis extends beyond the plot, or a third of a letter.
void set_right(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  layout.plot.right = layout.sheet.width - 0.4 * size;
  if (picture.x.named || picture.x.major.labels.empty()) return;
  const double half = measure(picture.x.major.labels.back(), size) / 2;
  const double share = place_on(picture.x, picture.x.major.values.back(), 0, 1);
  if (const double end = (layout.sheet.width - 1 - half - layout.plot.left) / share + layout.plot.left;
      share > 0 && end < layout.plot.right)
    layout.plot.right = end;
}

// Labels at the ends of curves

/// Moves labels apart from their neighbours; empty if one would be more than a line away from its curve.
std::vector<EndLabel> moved_apart(std::vector<EndLabel> labels, const Rectangle& plot, double line) {
  std::ranges::stable_sort(labels, {}, &EndLabel::y);
  const std::vector<EndLabel> ends = labels;
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 1; i < labels.size(); ++i) {
      const double missing = line - (labels[i].y - labels[i - 1].y);
      if (missing <= 0) continue;
      labels[i - 1].y -= missing / 2;
      labels[i].y += missing / 2;
    }
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool near = std::abs(labels[i].y - ends[i].y) <= 0.8 * line;
    const bool inside = labels[i].y >= plot.top - line / 2 && labels[i].y <= plot.bottom + line / 2;
    const bool apart = i == 0 || labels[i].y - labels[i - 1].y >= 0.9 * line;
    if (!near || !inside || !apart) return {};
  }
  return labels;
}

/// Labels instead of a legend: for at most four curves that all end at the right, if their labels are short and do not
/// collide.
bool label_ends(Layout& layout, const Picture& picture, const Measure& measure) {
  constexpr std::size_t most = 4;
  if (picture.keys.empty() || picture.curves.empty() || picture.curves.size() > most) return false;
  const double size = layout.sheet.font_size;
  double last = picture.curves.front().points.back().x, width = 0;
  for (const Curve& curve : picture.curves) {
    if (curve.points.back().x != last) return false;
    width = std::max(width, measure(curve.label, size));
  }
  if (width > 0.33 * layout.sheet.width) return false;
  Layout tried = layout;
  tried.plot.right = layout.sheet.width - width - 0.8 * size;
  set_top(tried);
  lay_out_x(tried, picture, measure);
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < picture.curves.size(); ++i) {
    const double y = place_on(picture.y, picture.curves[i].points.back().y, tried.plot.bottom, tried.plot.top);
    labels.push_back({.curve = i, .y = y, .text = picture.curves[i].label});
  }
  tried.end_labels = moved_apart(std::move(labels), tried.plot, line_height(size));
  if (tried.end_labels.empty()) return false;
  layout = std::move(tried);
  return true;
}

// Texts in the plot

/// Number of curves and guides that cross a box, and its part outside of the plot.
double clutter(const Rectangle& box, const Layout& layout, const Picture& picture) {
  const Rectangle& plot = layout.plot;
  double found = 10 * (std::max(plot.top - box.top, 0.0) + std::max(box.bottom - plot.bottom, 0.0));
  constexpr int steps = 32;  // along each segment
  for (const auto* curves : {&picture.curves, &picture.guides}) {
    for (const Curve& curve : *curves) {
      bool crosses = false;
      for (std::size_t i = 1; i < curve.points.size() && !crosses; ++i) {
        const Point from = on_paper(picture, plot, curve.points[i - 1]), to = on_paper(picture, plot, curve.points[i]);
        for (int step = 0; step <= steps && !crosses; ++step) {
          const double share = static_cast<double>(step) / steps;
          const double x = from.x + share * (to.x - from.x), y = from.y + share * (to.y - from.y);
          crosses = x > box.left && x < box.right && y > box.top && y < box.bottom;
        }
      }
      found += crosses ? 1 : 0;
    }
  }
  return found;
}

/// Puts the label of each guide at the end, above or below, where it covers least.
void label_guides(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  for (std::size_t i = 0; i < picture.guides.size(); ++i) {
    const Curve& guide = picture.guides[i];
    if (guide.label.empty() || guide.points.empty()) continue;
    const double width = measure(guide.label, size);
    double least = 1e9;
    GuideLabel best{.guide = i};
    for (const bool leftwards : {true, false}) {
      Point end = on_paper(picture, layout.plot, leftwards ? guide.points.back() : guide.points.front());
      end.x = std::clamp(end.x, layout.plot.left, layout.plot.right) + (leftwards ? -2 : 2);
      for (const double lift : {0.75 * size, -0.75 * size}) {
        const double left = leftwards ? end.x - width : end.x, y = end.y - lift;
        const double found = clutter({left, y - size / 2, left + width, y + size / 2}, layout, picture);
        if (found >= least) continue;
        least = found;
        best = {.guide = i, .at = {end.x, y}, .leftwards = leftwards, .lift = lift};
      }
    }
    layout.guide_labels.push_back(best);
  }
}

bool fits(const Note& note, const Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  const auto extent = [](const Axis& axis, double middle, double room, double from, double to) {
    return std::abs(place_on(axis, middle + room / 2, from, to) - place_on(axis, middle - room / 2, from, to));
  };
  if (note.room.x > 0 && measure(note.text, size) + 0.3 * size >
                             extent(picture.x, note.at.x, note.room.x, layout.plot.left, layout.plot.right))
    return false;
  return note.room.y <= 0 ||
         1.1 * size <= extent(picture.y, note.at.y, note.room.y, layout.plot.bottom, layout.plot.top);
}

/// Titles of the axes, in the middle of the plot if they are short enough for that.
void place_titles(Layout& layout, const Picture& picture, const Measure& measure) {
  const double size = layout.sheet.font_size;
  const auto middle = [&](const std::string& title, double from, double to, double room) {
    const double half = measure(title, size) / 2;
    return std::clamp((from + to) / 2, std::min(half, room / 2), std::max(room - half, room / 2));
  };
  const Rectangle& plot = layout.plot;
  layout.x_title = fitted(picture.x.title, layout.sheet.width, size, measure);
  layout.y_title = fitted(picture.y.title, layout.sheet.height, size, measure);
  layout.x_title_middle = middle(layout.x_title, plot.left, plot.right, layout.sheet.width);
  layout.y_title_middle = middle(layout.y_title, plot.top, plot.bottom, layout.sheet.height);
}

void require_room(const Layout& layout) {
  const auto cm = [](double points) { return std::ceil(10 * points / points_per_cm) / 10; };
  const double width = layout.plot.right - layout.plot.left, height = layout.plot.bottom - layout.plot.top;
  if (width < least_plot)
    throw UsageError(fmt::format("--width: {:.3g} cm leave no room for the plot beside its labels; at least {:g} cm",
                                 layout.sheet.width / points_per_cm, cm(layout.sheet.width + least_plot - width)));
  if (height < least_plot)
    throw UsageError(
        fmt::format("--height: {:.3g} cm leave no room for the plot between its legend and labels; at "
                    "least {:g} cm",
                    layout.sheet.height / points_per_cm, cm(layout.sheet.height + least_plot - height)));
}

/// Everything but the check for room.
Layout lay_out_all(const Picture& picture, const Sheet& sheet, const Measure& measure) {
  Layout layout{.sheet = sheet};
  set_left(layout, picture, measure);
  set_right(layout, picture, measure);
  const double note = sheet.note.empty() ? 0 : measure(sheet.note, sheet.font_size) + sheet.font_size;
  layout.sheet.title = fitted(sheet.title, sheet.width - layout.plot.left - note, sheet.font_size, measure);
  if (!label_ends(layout, picture, measure)) {
    add_legend(layout, picture, measure);
    set_top(layout);
    lay_out_x(layout, picture, measure);
  }
  thin_out_y(layout, picture);
  place_titles(layout, picture, measure);
  label_guides(layout, picture, measure);
  for (const Note& text : picture.notes)
    if (fits(text, layout, picture, measure)) layout.notes.push_back(&text);
  return layout;
}

}  // namespace

double estimated_width(const std::string& text, double size) {
  return 0.52 * size * static_cast<double>(width_of(text));
}

double place_on(const Axis& axis, double value, double from, double to) {
  const auto scale = [&](double v) { return axis.logarithmic ? std::log(std::max(v, 1e-300)) : v; };
  const double low = scale(axis.range.low), high = scale(axis.range.high);
  const double share = high > low ? (scale(value) - low) / (high - low) : 0.5;
  return from + std::clamp(share, -10.0, 10.0) * (to - from);
}

Layout lay_out(const Picture& picture, const Sheet& sheet, const Measure& measure) {
  Layout layout = lay_out_all(picture, sheet, measure);
  require_room(layout);
  return layout;
}

double usual_height(const Picture& picture, const Sheet& sheet, const Measure& measure) {
  const Layout layout = lay_out_all(picture, sheet, measure);
  const double line = line_height(sheet.font_size);
  const double around = sheet.height - (layout.plot.bottom - layout.plot.top);
  if (picture.y.named)
    return around + std::max(1.4 * line * static_cast<double>(picture.y.major.values.size()), 1.05 * least_plot);
  const std::size_t rows = legend_rows(layout);
  return sheet.height + (rows > 2 ? static_cast<double>(rows - 2) * line : 0);
}

}  // namespace busbar::figure
