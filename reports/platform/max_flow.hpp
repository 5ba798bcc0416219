// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace busbar::platform {

/// The most that can flow between two vertices of a graph whose edges have limits. Dinic's algorithm (Algorithm for
/// solution of a problem of maximum flow in networks with power estimation, Soviet Math. Doklady 11, 1970).
class MaxFlow {
 public:
  explicit MaxFlow(int vertices) : out_(static_cast<std::size_t>(vertices)) {}
  /// An edge that carries `there` from a to b and `back` from b to a.
  void add(int a, int b, int there, int back);
  /// Uses the capacities up: to be called once.
  [[nodiscard]] int between(int source, int sink);

 private:
  struct Edge {
    int to;
    int left;  ///< capacity that is not used yet; its reverse is the edge whose index differs in the last bit
  };
  bool find_levels(int source, int sink);
  int push(int from, int sink, int most);

  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> out_;  ///< of each vertex, edges that leave it
  std::vector<int> level_;
  std::vector<std::size_t> next_;  ///< of each vertex, which of its edges to try next
};

}  // namespace busbar::platform
