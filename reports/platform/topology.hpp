// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/table.hpp"

/// Networks of switches as graphs, with the way that data takes between each two nodes.
namespace busbar::platform {

/// Switches of one kind. Switches are numbered from 0 through all levels, in the order of levels().
struct Level {
  std::string name;  ///< "leaf", "spine", "router"
  int switches = 0;
};

/// Joins two switches and carries data both ways at once. It stands for as many cables side by side as a node has NICs.
struct Cable {
  int a = 0, b = 0;  ///< switches
};

struct Place {
  double x = 0, y = 0;  ///< y grows downwards
};

/// One cable of a way: from its end a to its end b, or back.
struct Hop {
  int cable = 0;
  bool forward = true;
  bool operator==(const Hop&) const = default;
};

/// Nodes at switches, switches joined by cables, and one fixed way from each node to each other one.
class Topology {
 public:
  virtual ~Topology() = default;
  /// What makes the same again, with what was left open filled in: "dragonfly:16x8x4x4".
  [[nodiscard]] virtual std::string words() const = 0;
  /// How ways are chosen, in a few words.
  [[nodiscard]] virtual std::string_view routing() const = 0;
  [[nodiscard]] virtual int switch_of(int node) const = 0;
  /// Cables from the switch of one node to that of another, appended to `way`; none where both are at one switch.
  virtual void append_way(int from, int to, std::vector<Hop>& way) const = 0;
  /// Where a switch stands in a picture, whose width is 1; empty where it is not drawn, since there are too many.
  [[nodiscard]] virtual std::optional<Place> place(int a_switch) const = 0;
  /// Nodes on one side of the cut that bisection() is over. As near to half of them as whole parts of the network go.
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

/// What a topology is made from.
struct Request {
  std::string shape;            ///< what stands behind the colon: "2-level", "8x8x8"; empty where nothing does
  int nodes = 0;                ///< 0: as many as the shape makes
  int radix = 0;                ///< ports of a switch; 0: not known
  double oversubscription = 1;  ///< of a leaf switch: what its nodes can send over what its cables upwards carry
};

/// Most nodes there may be: each pair of them has a route of its own in the file.
inline constexpr int most_nodes = 1024;
/// Throws UsageError "--nodes: ..." where there are more.
void refuse_too_many(double nodes);

/// One family of topologies: one file in reports/platform/.
struct Family {
  std::string_view name;
  std::string_view words;  ///< how it is written, for help and errors
  bool of_switches;        ///< Request::radix and Request::oversubscription count
  /// Throws UsageError, naming --topology, --nodes or --radix, where there is no such network.
  std::unique_ptr<Topology> (*make)(const Request&);
};

/// "fat-tree:2-level" and the rest of the request, whose `shape` is not looked at. Throws UsageError as
/// Family::make does, and where there is no such family.
[[nodiscard]] std::unique_ptr<Topology> make_topology(std::string_view words, Request request);

/// The family that these words begin with. Throws UsageError "--topology: ..." where there is none.
[[nodiscard]] const Family& family_of(std::string_view words);

/// "8x4x2" as numbers from 1 to `most`, `least_count` to `most_count` of them. Throws UsageError that shows `words`.
[[nodiscard]] std::vector<int> parse_shape(std::string_view shape, std::size_t least_count, std::size_t most_count,
                                           std::string_view words);

/// Of all pairs of two nodes, over how many switches their ways lead.
struct Distances {
  int least = 0, most = 0;
  double mean = 0;
};
[[nodiscard]] Distances distances(const Topology&);

/// What one half of the nodes can send to the other at once, one way, in units of what one node's NICs carry together:
/// the maximum flow through all cables, whichever ways lead over them. `nodes` are in the first half.
struct Bisection {
  int nodes = 0;
  int flow = 0;
};
[[nodiscard]] Bisection bisection(const Topology&);

}  // namespace busbar::platform
