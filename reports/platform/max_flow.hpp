// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace busbar::platform {

/// Maximum flow between two vertices of a graph with edge capacities. Dinic's algorithm (Algorithm for solution of a
/// problem of maximum flow in networks with power estimation, Soviet Math. Doklady 11, 1970).
class MaxFlow {
 public:
  explicit MaxFlow(int vertices) : out_(static_cast<std::size_t>(vertices)) {}
  /// Adds an edge with capacity `there` from a to b and `back` from b to a.
  void add(int a, int b, int there, int back);
  /// Computes the maximum flow. Consumes the capacities: call once.
  [[nodiscard]] int between(int source, int sink);

 private:
  struct Edge {
    int to;
    int left;  ///< unused capacity; the reverse edge's index differs in the last bit
  };
  bool find_levels(int source, int sink);
  int push(int from, int sink, int most);

  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> out_;  ///< outgoing edges of each vertex
  std::vector<int> level_;
  std::vector<std::size_t> next_;  ///< per vertex, the next edge to try
};

}  // namespace busbar::platform
