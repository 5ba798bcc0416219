// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/platform/told.hpp"
#include "reports/text/text.hpp"

namespace busbar::platform {
namespace {

using report::ShapeKind;
using report::Sketch;
using report::Spot;

constexpr double margin = 14, width = 400 - 2 * margin;
constexpr double between_rows = 40;  ///< distance of nodes from their switches, and of GPUs from NICs
constexpr int most_drawn_nodes = 24;

Spot to_spot(const Place& p) { return {margin + p.x * width, 34 + p.y * width}; }

std::string side_by_side(const PlatformSpec& s) {
  const std::string each = rate_text(s.interconnect.bandwidth_Bps);
  return s.nics == 1 ? each : fmt::format("{} x {}", s.nics, each);
}

/// "26 leaf switches".
std::string counted(const Level& level) {
  if (level.name == "switch") return level.switches == 1 ? "1 switch" : fmt::format("{} switches", level.switches);
  if (level.name == "router") return plural(level.switches, "router");
  return fmt::format("{} {} switch{}", level.switches, level.name, level.switches == 1 ? "" : "es");
}

/// "26 leaf switches, 8 drawn".
std::string drawn_of(const std::string& counted, int all, std::size_t drawn) {
  return static_cast<std::size_t>(all) == drawn ? counted : fmt::format("{}, {} drawn", counted, drawn);
}

/// True if another drawn switch is on the line from a to b, so that the cable must bend around it.
bool passes_another(const Spot& a, const Spot& b, const std::map<int, Spot>& switches) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return std::ranges::any_of(switches, [&](const auto& one) {
    const Spot& p = one.second;
    const double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
    const double aside = std::abs((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length;
    return along > 1 && along < length - 1 && aside < 1;
  });
}

report::Stroke stroke(const Spot& a, const Spot& b, const std::map<int, Spot>& switches) {
  report::Stroke line{.from = a, .to = b};
  line.bent = passes_another(a, b, switches);
  line.towards = {(a.x + b.x) / 2 + 0.08 * (b.y - a.y), (a.y + b.y) / 2 - 0.08 * (b.x - a.x)};
  return line;
}

class Painter {
 public:
  explicit Painter(const PlatformSpec& s) : s_(s), t_(topology_of(s)) {
    const int all = t_->switches();
    for (int a_switch = 0; a_switch < all; ++a_switch)
      if (const auto place = t_->place(a_switch)) switches_[a_switch] = to_spot(*place);
  }

  Sketch paint() {
    paint_network();
    if (nodes_apart()) paint_nodes();
    if (s_.gpus > 1) paint_a_node();
    sketch_.height = bottom_ + margin;
    return std::move(sketch_);
  }

 private:
  /// False for a torus and a dragonfly: the caption states their nodes per router.
  [[nodiscard]] bool nodes_apart() const { return t_->levels()[0].name != "router"; }

  void paint_network() {
    for (const Cable& c : t_->cables())
      if (switches_.contains(c.a) && switches_.contains(c.b))
        sketch_.strokes.push_back(stroke(switches_[c.a], switches_[c.b], switches_));
    int first = 0, shade = 2;
    for (const Level& level : t_->levels()) {
      std::size_t drawn = 0;
      double top = 1e9;
      for (int i = first; i < first + level.switches; ++i)
        if (const auto it = switches_.find(i); it != switches_.end()) {
          ++drawn;
          top = std::min(top, it->second.y);
          bottom_ = std::max(bottom_, it->second.y + 8);
          box(it->second, nodes_apart() ? 24 : 11, shade);
        }
      label({margin, top - (nodes_apart() ? 11 : 18)}, drawn_of(counted(level), level.switches, drawn));
      first += level.switches;
      ++shade;
    }
  }

  /// Dots for nodes below their switches, as many as fit.
  void paint_nodes() {
    const std::size_t leaves = static_cast<std::size_t>(
        std::ranges::count_if(switches_, [&](const auto& one) { return one.first < t_->levels()[0].switches; }));
    const int most = std::max(1, most_drawn_nodes / static_cast<int>(leaves));
    const double room = width / static_cast<double>(leaves);
    const double y = bottom_ + between_rows;
    std::map<int, int> seen;
    std::size_t drawn = 0;
    for (int node = 0; node < t_->nodes(); ++node) {
      const int at = t_->switch_of(node);
      const auto it = switches_.find(at);
      if (it == switches_.end() || seen[at] >= most) continue;
      const int here = std::min(most, nodes_at(at));
      const Spot spot{it->second.x + room * 0.7 * ((seen[at]++ + 0.5) / here - 0.5), y};
      sketch_.strokes.push_back({.from = it->second, .to = spot});
      sketch_.shapes.push_back({.kind = ShapeKind::dot, .middle = spot, .width = 8, .height = 8, .shade = 1});
      ++drawn;
    }
    label({margin, y + 20}, drawn_of(plural(t_->nodes(), "node"), t_->nodes(), drawn));
    bottom_ = y + 22;
  }

  [[nodiscard]] int nodes_at(int a_switch) const {
    int n = 0;
    for (int node = 0; node < t_->nodes(); ++node) n += t_->switch_of(node) == a_switch;
    return n;
  }

  /// NICs on top, GPUs below, and the GPU interconnect at the bottom.
  void paint_a_node() {
    static constexpr int most = 8;
    const int gpus = std::min(s_.gpus, most);
    const double nic_y = bottom_ + 50, gpu_y = nic_y + between_rows, link_y = gpu_y + between_rows;
    const double step = width / gpus;
    label({margin, nic_y - 12},
          fmt::format("a node: {}, {} each way", plural(s_.nics, "NIC"), rate_text(s_.interconnect.bandwidth_Bps)));
    std::map<int, std::pair<double, int>> nics;  // per NIC: sum of its GPUs' x positions, number of GPUs
    for (int g = 0; g < gpus; ++g) {
      auto& [sum, count] = nics[g * s_.nics / s_.gpus];
      sum += margin + (g + 0.5) * step;
      ++count;
    }
    for (int g = 0; g < gpus; ++g) {
      const Spot gpu{margin + (g + 0.5) * step, gpu_y};
      const auto& [sum, count] = nics[g * s_.nics / s_.gpus];
      sketch_.strokes.push_back({.from = gpu, .to = {sum / count, nic_y}});
      sketch_.strokes.push_back({.from = gpu, .to = {gpu.x, link_y}});
      box(gpu, 24, 1);
    }
    for (const auto& [nic, places] : nics) box({places.first / places.second, nic_y}, 16, 4);
    box({200, link_y}, width, 3);
    label({margin, link_y + 20},
          fmt::format("{}, {}, {} each way", drawn_of(plural(s_.gpus, "GPU"), s_.gpus, static_cast<std::size_t>(gpus)),
                      report::shortened(s_.gpu_link.name, 16), rate_text(s_.gpu_link.bandwidth_Bps)));
    bottom_ = link_y + 22;
  }

  void box(const Spot& middle, double wide, int shade) {
    sketch_.shapes.push_back({.kind = ShapeKind::box, .middle = middle, .width = wide, .height = 11, .shade = shade});
  }
  void label(const Spot& at, std::string text) { sketch_.labels.push_back({.at = at, .text = std::move(text)}); }

  const PlatformSpec& s_;
  std::unique_ptr<Topology> t_;
  std::map<int, Spot> switches_;
  Sketch sketch_;
  double bottom_ = 0;
};

/// Number of cables between each pair of levels.
std::map<std::pair<std::size_t, std::size_t>, int> cables_between_levels(const Topology& t) {
  std::vector<int> ends;
  for (const Level& level : t.levels()) ends.push_back((ends.empty() ? 0 : ends.back()) + level.switches);
  const auto level_of = [&](int a_switch) {
    return static_cast<std::size_t>(std::distance(ends.begin(), std::ranges::upper_bound(ends, a_switch)));
  };
  std::map<std::pair<std::size_t, std::size_t>, int> all;
  for (const Cable& c : t.cables()) ++all[std::minmax({level_of(c.a), level_of(c.b)})];
  return all;
}

report::Table table_of(const PlatformSpec& s) {
  using enum report::ColumnKind;
  const auto t = topology_of(s);
  report::Table table{.title = "Levels", .columns = {{"level", name}, {"links"}, {"each way", number}}};
  const double node_Bps = s.nics * s.interconnect.bandwidth_Bps;
  const auto row = [&](std::string what, int links, std::string_view kind) {
    table.rows.push_back({std::move(what),
                          fmt::format("{} {} {} of {} each way", links * s.nics, s.interconnect.name, kind,
                                      rate_text(s.interconnect.bandwidth_Bps)),
                          rate_text(links * node_Bps)});
  };
  row(fmt::format("{} to {}", plural(t->nodes(), "node"), counted(t->levels()[0])), t->nodes(), "NICs");
  for (const auto& [levels, cables] : cables_between_levels(*t))
    row(levels.first == levels.second
            ? fmt::format("between {}", counted(t->levels()[levels.first]))
            : fmt::format("{} to {}", counted(t->levels()[levels.first]), counted(t->levels()[levels.second])),
        cables, "cables");
  if (s.gpus > 1)
    table.rows.insert(table.rows.begin(),
                      {fmt::format("{} GPUs of a node", s.gpus), fmt::format("{} per GPU, each way", s.gpu_link.name),
                       rate_text(s.gpus * s.gpu_link.bandwidth_Bps)});
  return table;
}

}  // namespace

report::Diagram picture_of(const PlatformSpec& s) {
  const auto t = topology_of(s);
  report::Diagram d{
      .title = fmt::format("{}, {}", t->words(), plural(t->nodes(), "node")),
      .caption =
          t->cables().empty()
              ? fmt::format("A line is the {} of a node, {} each way.", s.nics == 1 ? "NIC" : "NICs", side_by_side(s))
              : fmt::format("A line between switches is {}, {} each way.",
                            s.nics == 1 ? "a cable" : fmt::format("{} parallel cables", s.nics), side_by_side(s)),
      .sketch = Painter(s).paint(),
      .tables = {table_of(s)}};
  if (t->levels()[0].name == "router") {
    const int at_router = static_cast<int>(std::ceil(static_cast<double>(t->nodes()) / t->switches()));
    d.caption += fmt::format(" {} at each router.", plural(at_router, "node"));
  }
  d.sketch.description = d.title + ". " + d.caption;
  return d;
}

}  // namespace busbar::platform
