// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/table.hpp"

/// Networks of switches as graphs, with a fixed route between each pair of nodes.
namespace busbar::platform {

/// Switches of one kind. Switch numbers start at 0 and run through all levels, in the order of levels().
struct Level {
  std::string name;  ///< "leaf", "spine", "router"
  int switches = 0;
};

/// A full-duplex connection between two switches. It represents one parallel cable per NIC of a node.
struct Cable {
  int a = 0, b = 0;  ///< switches
};

struct Place {
  double x = 0, y = 0;  ///< y grows downwards
};

/// One cable of a route: forward from end a to end b, or back.
struct Hop {
  int cable = 0;
  bool forward = true;
  bool operator==(const Hop&) const = default;
};

/// Nodes on switches, switches connected by cables, and one fixed route between each pair of nodes.
class Topology {
 public:
  virtual ~Topology() = default;
  /// Topology words that rebuild the network, with defaults filled in: "dragonfly:16x8x4x4".
  [[nodiscard]] virtual std::string words() const = 0;
  /// The routing algorithm, in a few words.
  [[nodiscard]] virtual std::string_view routing() const = 0;
  [[nodiscard]] virtual int switch_of(int node) const = 0;
  /// Appends the cables from one node's switch to another's to `way`; none if both nodes share a switch.
  virtual void append_way(int from, int to, std::vector<Hop>& way) const = 0;
  /// Position of a switch in a picture of width 1; empty if it is not drawn because there are too many.
  [[nodiscard]] virtual std::optional<Place> place(int a_switch) const = 0;
  /// Nodes on one side of the bisection() cut: as close to half as whole parts of the network allow.
  [[nodiscard]] virtual bool in_first_half(int node) const { return node < nodes_ / 2; }

  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  [[nodiscard]] const std::vector<Cable>& cables() const { return cables_; }
  [[nodiscard]] int switches() const;

 protected:
  Topology(int nodes, std::vector<Level> levels) : nodes_(nodes), levels_(std::move(levels)) {}
  std::vector<Cable> cables_;

 private:
  int nodes_;
  std::vector<Level> levels_;
};

/// Parameters of a topology.
struct Request {
  std::string shape;            ///< text after the colon: "2-level", "8x8x8"; empty if there is none
  int nodes = 0;                ///< 0: determined by the shape
  int radix = 0;                ///< ports of a switch; 0: unknown
  double oversubscription = 1;  ///< of a leaf switch: bandwidth of its nodes over bandwidth of its uplinks
};

/// Limit on nodes, since the platform file has one route per pair.
inline constexpr int most_nodes = 1024;
/// Throws UsageError "--nodes: ..." above most_nodes.
void refuse_too_many(double nodes);

/// A family of topologies: one file in reports/platform/.
struct Family {
  std::string_view name;
  std::string_view words;  ///< syntax, for help and errors
  bool of_switches;        ///< whether Request::radix and Request::oversubscription apply
  /// Throws UsageError naming --topology, --nodes or --radix if there is no such network.
  std::unique_ptr<Topology> (*make)(const Request&);
};

/// Builds "fat-tree:2-level" and the like; ignores `request.shape`. Throws UsageError like Family::make, and for an
/// unknown family.
[[nodiscard]] std::unique_ptr<Topology> make_topology(std::string_view words, Request request);

/// Words of all families, separated by commas.
[[nodiscard]] std::string all_families();

/// The family named before the colon. Throws UsageError "--topology: ..." if it is unknown.
[[nodiscard]] const Family& family_of(std::string_view words);

/// Parses "8x4x2" into `least_count` to `most_count` numbers of 1 to 2^20. Throws UsageError that shows `words`.
[[nodiscard]] std::vector<int> parse_shape(std::string_view shape, std::size_t least_count, std::size_t most_count,
                                           std::string_view words);

/// Number of switches on the routes between all pairs of nodes.
struct Distances {
  int least = 0, most = 0;
  double mean = 0;
};
[[nodiscard]] Distances distances(const Topology&);

/// One-way bandwidth from one half of the nodes to the other, in units of one node's NICs: the maximum flow over all
/// cables, regardless of routing. `nodes` is the size of the first half.
struct Bisection {
  int nodes = 0;
  int flow = 0;
};
[[nodiscard]] Bisection bisection(const Topology&);

}  // namespace busbar::platform
