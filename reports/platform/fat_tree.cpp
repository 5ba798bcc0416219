// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/platform/topology.hpp"

namespace busbar::platform {
namespace {

/// Port counts of the switches. A leaf has `down` nodes and `up` cables. With three levels, a pod has `half` leaves and
/// `up` aggregation switches with `half` uplinks each. This is the k-ary fat tree of Al-Fares, Loukissas and Vahdat (A
/// scalable, commodity data center network architecture, SIGCOMM 2008), except that leaves may be oversubscribed.
struct Ports {
  int radix, down, up, half;
  explicit Ports(const Request& r)
      : radix(r.radix), up(static_cast<int>(r.radix / (1 + r.oversubscription) + 1e-9)), half(r.radix / 2) {
    down = std::min(radix - up, static_cast<int>(up * r.oversubscription + 1e-9));
  }
  [[nodiscard]] int block(bool three) const { return three ? half * down : down; }  ///< nodes below one leaf or pod
};

int divided(int a, int by) { return (a + by - 1) / by; }

/// Two levels: uplink k of each leaf goes to spine k. Three levels: uplink k of a leaf goes to aggregation switch k of
/// its pod, and uplink m of that switch to core (k, m).
class FatTree : public Topology {
 public:
  FatTree(int nodes, const Ports& ports, bool three)
      : Topology(nodes, levels_of(nodes, ports, three)),
        ports_(ports),
        three_(three),
        leaves_(levels()[0].switches),
        uplinks_of_leaves_(leaves_ * ports.up) {
    for (int leaf = 0; leaf < leaves_; ++leaf)
      for (int k = 0; k < ports_.up; ++k)
        cables_.push_back({.a = leaf, .b = leaves_ + (three ? pod_of(leaf) * ports_.up + k : k)});
    if (!three) return;
    const int middle = levels()[1].switches, cores = leaves_ + middle;
    for (int i = 0; i < middle; ++i)
      for (int m = 0; m < ports_.half; ++m)
        cables_.push_back({.a = leaves_ + i, .b = cores + i % ports_.up * ports_.half + m});
  }

  [[nodiscard]] std::string words() const override { return three_ ? "fat-tree:3-level" : "fat-tree:2-level"; }
  [[nodiscard]] std::string_view routing() const override { return "up by the destination (d-mod-k), then down"; }
  [[nodiscard]] int switch_of(int node) const override { return node / ports_.down; }

  /// D-mod-k: the destination's number chooses each uplink, so all data to one node meets at one top switch and takes
  /// one path down (Zahavi, Johnson, Kerbyson and Lang, Optimized InfiniBand fat-tree routing for shift all-to-all
  /// communication patterns, Concurrency and Computation 22, 2010).
  void append_way(int from, int to, std::vector<Hop>& way) const override {
    const int source = switch_of(from), target = switch_of(to);
    if (source == target) return;
    const int k = to % ports_.down % ports_.up;
    way.push_back({.cable = source * ports_.up + k, .forward = true});
    if (three_ && pod_of(source) != pod_of(target)) {
      const int m = target % ports_.half;
      way.push_back({.cable = to_core(source, k, m), .forward = true});
      way.push_back({.cable = to_core(target, k, m), .forward = false});
    }
    way.push_back({.cable = target * ports_.up + k, .forward = false});
  }

  /// Draws one row per level: leaves of up to two pods, and the switches above that their first cables reach.
  [[nodiscard]] std::optional<Place> place(int a_switch) const override {
    const int middle = levels()[1].switches;
    if (a_switch < leaves_) return in_row(three_ ? in_pods(a_switch, ports_.half, leaves_) : a_switch, leaves_, 2);
    if (a_switch < leaves_ + middle) {
      const int i = a_switch - leaves_;
      return in_row(three_ ? in_pods(i, ports_.up, middle) : i, middle, 1);
    }
    const int core = a_switch - leaves_ - middle, k = core / ports_.half, m = core % ports_.half;
    return in_row(k < per_pod && m < 2 ? k * std::min(2, ports_.half) + m : drawn, levels()[2].switches, 0);
  }

 private:
  static constexpr int drawn = 8, per_pod = drawn / 2;  ///< maximum number of drawn switches per row, and per pod
  /// Column of the i-th switch of a level with `in_a_pod` switches per pod; `drawn` if it is not drawn.
  [[nodiscard]] static int in_pods(int i, int in_a_pod, int all) {
    const int each = std::min(per_pod, in_a_pod);
    if (i % in_a_pod >= each || i >= std::min(all, 2 * in_a_pod)) return drawn;
    return i / in_a_pod * each + i % in_a_pod;
  }
  [[nodiscard]] std::optional<Place> in_row(int column, int all, int row) const {
    if (column >= drawn) return std::nullopt;
    const int columns = std::min(all, drawn);
    return Place{.x = (column + 0.5) / columns, .y = 0.24 * (three_ ? row : row - 1)};
  }
  static std::vector<Level> levels_of(int nodes, const Ports& p, bool three) {
    const int leaves = divided(nodes, p.down);
    if (!three) return {{.name = "leaf", .switches = leaves}, {.name = "spine", .switches = p.up}};
    return {{.name = "leaf", .switches = leaves},
            {.name = "aggregation", .switches = divided(leaves, p.half) * p.up},
            {.name = "core", .switches = p.up * p.half}};
  }
  [[nodiscard]] int pod_of(int leaf) const { return leaf / ports_.half; }
  [[nodiscard]] int to_core(int leaf, int k, int m) const {
    return uplinks_of_leaves_ + (pod_of(leaf) * ports_.up + k) * ports_.half + m;
  }

  Ports ports_;
  bool three_;
  int leaves_, uplinks_of_leaves_;
};

/// The largest radix below `r.radix` at which the nodes need more than one leaf or pod; 0 if there is none.
int smaller_radix(Request r, bool three) {
  for (--r.radix; r.radix > 1; --r.radix)
    if (const Ports p(r); p.up > 0 && p.block(three) > 0 && p.block(three) < r.nodes) return r.radix;
  return 0;
}

std::unique_ptr<Topology> make_fat_tree(const Request& r) {
  if (r.shape != "2-level" && r.shape != "3-level")
    throw UsageError(fmt::format("--topology: fat-tree is 2-level or 3-level, not '{}'", r.shape));
  const bool three = r.shape == "3-level";
  if (r.nodes < 1) throw UsageError(fmt::format("--nodes: fat-tree:{} needs the number of nodes", r.shape));
  if (r.radix < 1) throw UsageError("--radix: the number of ports of the switches is unknown");
  const Ports ports(r);
  if (ports.up < 1 || ports.down < 1 || ports.half < 1)
    throw UsageError(
        fmt::format("--radix: {} ports are too few for an oversubscription of {:g}:1", r.radix, r.oversubscription));
  const double most = static_cast<double>(ports.radix) * ports.block(three);
  if (r.nodes > most)
    throw UsageError(
        fmt::format("--nodes: fat-tree:{} of switches with {} ports holds {:.0f} nodes, not {}; use {}a larger --radix",
                    r.shape, r.radix, most, r.nodes, three ? "" : "fat-tree:3-level or "));
  if (r.nodes <= ports.block(three)) {
    const int smaller = smaller_radix(r, three);
    throw UsageError(fmt::format("--nodes: {} fit into one {} of switches with {} ports, which holds {}; use {}{}",
                                 r.nodes, three ? "pod" : "leaf", r.radix, ports.block(three),
                                 three ? "fat-tree:2-level" : "single-switch",
                                 smaller > 0 ? fmt::format(", or a --radix of at most {}", smaller) : ""));
  }
  return std::make_unique<FatTree>(r.nodes, ports, three);
}

}  // namespace
}  // namespace busbar::platform

namespace busbar {

extern const platform::Family fat_tree{.name = "fat-tree",
                                       .words = "fat-tree:2-level, fat-tree:3-level",
                                       .of_switches = true,
                                       .make = platform::make_fat_tree};

}  // namespace busbar
