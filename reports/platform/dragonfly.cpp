// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/platform/topology.hpp"

namespace busbar::platform {
namespace {

constexpr std::string_view dragonfly_how =
    "dragonfly:GROUPSxROUTERSxNODES with routers per group and nodes per router, e.g. dragonfly:16x8x4";

constexpr int most_router_ports = 1 << 20;  ///< bounds memory for untrusted shapes

/// Parameters g, a, p and h of Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA
/// 2008.
struct Shape {
  int groups, routers, nodes;
  int global;  ///< ports per router for cables to other groups
  [[nodiscard]] int group() const { return routers * nodes; }
  /// Cables between each pair of groups.
  [[nodiscard]] int between() const { return routers * global / (groups - 1); }
};

/// Routers within a group are fully connected, and so are groups. Cables to other groups are assigned round-robin to
/// the routers of a group, starting with those to the next group.
class Dragonfly : public Topology {
 public:
  Dragonfly(int nodes, const Shape& shape)
      : Topology(nodes, {{.name = "router", .switches = shape.groups * shape.routers}}), s_(shape) {
    for (int g = 0; g < s_.groups; ++g)
      for (int b = 0; b < s_.routers; ++b)
        for (int a = 0; a < b; ++a) cables_.push_back({.a = g * s_.routers + a, .b = g * s_.routers + b});
    first_global_ = static_cast<int>(cables_.size());
    for (int h = 0; h < s_.groups; ++h)
      for (int g = 0; g < h; ++g)
        for (int c = 0; c < s_.between(); ++c) cables_.push_back({.a = gate(g, h, c), .b = gate(h, g, c)});
  }

  [[nodiscard]] std::string words() const override {
    return fmt::format("dragonfly:{}x{}x{}x{}", s_.groups, s_.routers, s_.nodes, s_.global);
  }
  [[nodiscard]] std::string_view routing() const override { return "shortest path: one cable between groups"; }
  [[nodiscard]] int switch_of(int node) const override { return node / s_.nodes; }

  /// Minimal routing of the paper above. Among several cables between two groups, the sum of both node numbers chooses,
  /// so that both directions use the same cable.
  void append_way(int from, int to, std::vector<Hop>& way) const override {
    const int source = switch_of(from), target = switch_of(to);
    const int g = source / s_.routers, h = target / s_.routers;
    if (g == h) return inside(source, target, way);
    const int c = (from + to) % s_.between();
    inside(source, gate(g, h, c), way);
    way.push_back({.cable = first_global_ + pair(g, h) * s_.between() + c, .forward = g < h});
    inside(gate(h, g, c), target, way);
  }

  [[nodiscard]] bool in_first_half(int node) const override { return node / s_.group() < s_.groups / 2; }

  /// Draws up to 8 groups on a circle, and up to 8 routers of each on a smaller circle.
  [[nodiscard]] std::optional<Place> place(int a_switch) const override {
    static constexpr int drawn = 8;
    const int g = a_switch / s_.routers, r = a_switch % s_.routers;
    if (g >= drawn || r >= drawn) return std::nullopt;
    const auto angle = [](int i, int of) { return 2 * std::numbers::pi * i / std::min(of, drawn); };
    const double group = angle(g, s_.groups), router = angle(r, s_.routers) + group;
    return Place{.x = 0.5 + 0.34 * std::sin(group) + 0.1 * std::sin(router),
                 .y = 0.45 - 0.34 * std::cos(group) - 0.1 * std::cos(router)};
  }

 private:
  /// Index of an unordered pair, in the order of the constructor's loops.
  static int pair(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return high * (high - 1) / 2 + low;
  }
  /// The router of group g that has its c-th cable to group h.
  [[nodiscard]] int gate(int g, int h, int c) const {
    const int other = (h - g - 1 + s_.groups) % s_.groups;
    return g * s_.routers + (other * s_.between() + c) % s_.routers;
  }
  void inside(int source, int target, std::vector<Hop>& way) const {
    if (source == target) return;
    const int group = source / s_.routers, pairs = s_.routers * (s_.routers - 1) / 2;
    way.push_back(
        {.cable = group * pairs + pair(source % s_.routers, target % s_.routers), .forward = source < target});
  }

  Shape s_;
  int first_global_ = 0;
};

/// The smallest balanced dragonfly of the paper (a = 2p = 2h) with enough nodes, and no more groups than needed.
Shape balanced(int nodes) {
  Shape s{.groups = 0, .routers = 2, .nodes = 1, .global = 1};
  while (static_cast<double>(s.group()) * (s.routers * s.global + 1) < nodes) {
    ++s.nodes;
    s.global = s.nodes;
    s.routers = 2 * s.nodes;
  }
  s.groups = (nodes + s.group() - 1) / s.group();
  return s;
}

Shape parse(const std::string& text) {
  const auto n = parse_shape(text, 3, 4, dragonfly_how);
  return {.groups = n[0], .routers = n[1], .nodes = n[2], .global = n.size() > 3 ? n[3] : n[2]};
}

std::unique_ptr<Topology> make_dragonfly(const Request& r) {
  if (r.shape.empty() && r.nodes < 1)
    throw UsageError(fmt::format("--nodes: give the number of nodes, or the shape: {}", dragonfly_how));
  const Shape s = r.shape.empty() ? balanced(r.nodes) : parse(r.shape);
  if (s.groups < 2)
    throw UsageError(r.shape.empty()
                         ? fmt::format("--nodes: {} fit into one group; a dragonfly needs at least two", r.nodes)
                         : fmt::format("--topology: dragonfly:{} has one group; it needs at least two", r.shape));
  const double places = static_cast<double>(s.groups) * s.routers * s.nodes;
  if (places > most_nodes && r.nodes == 0) refuse_too_many(places);
  if (static_cast<double>(s.groups) * s.routers * s.global > most_router_ports)
    throw UsageError(fmt::format("--topology: dragonfly:{} has more than {} ports for cables to other groups", r.shape,
                                 most_router_ports));
  if (static_cast<double>(s.routers) * s.global < s.groups - 1)
    throw UsageError(
        fmt::format("--topology: dragonfly:{} has {} groups, but {} routers with {} ports each for cables to other "
                    "groups reach only {}; use dragonfly:{}x{}x{}x{}",
                    r.shape, s.groups, s.routers, s.global, s.routers * s.global, s.groups, s.routers, s.nodes,
                    (s.groups - 1 + s.routers - 1) / s.routers));
  if (r.nodes > places || (r.nodes != 0 && r.nodes <= places - s.group()))
    throw UsageError(fmt::format("--topology: dragonfly:{} has {:.0f} nodes in {} groups of {}; --nodes is {}", r.shape,
                                 places, s.groups, s.group(), r.nodes));
  return std::make_unique<Dragonfly>(r.nodes == 0 ? static_cast<int>(places) : r.nodes, s);
}

}  // namespace
}  // namespace busbar::platform

namespace busbar {

extern const platform::Family dragonfly{.name = "dragonfly",
                                        .words = "dragonfly or dragonfly:GROUPSxROUTERSxNODES",
                                        .of_switches = false,
                                        .make = platform::make_dragonfly};

}  // namespace busbar
