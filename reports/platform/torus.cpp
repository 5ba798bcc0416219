// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "reports/platform/topology.hpp"

namespace busbar::platform {
namespace {

constexpr std::string_view torus_how = "torus:8x8x8 (2 to 5 numbers, each at least 2)";

int product(const std::vector<int>& sizes) {
  double all = 1;
  for (const int size : sizes) all *= size;
  return static_cast<int>(std::min(all, 1e9));
}

/// One router per node. In each dimension, cables lead to both neighbours, with wrap-around. A dimension of size 2 has
/// a single cable. Node numbers vary fastest along the first dimension.
class Torus : public Topology {
 public:
  explicit Torus(const std::vector<int>& sizes)
      : Topology(product(sizes), {{.name = "router", .switches = product(sizes)}}),
        sizes_(sizes),
        next_(static_cast<std::size_t>(nodes()) * sizes.size()) {
    for (int node = 0; node < nodes(); ++node)
      for (std::size_t d = 0; d < sizes_.size(); ++d) add_cable(node, d);
  }

  [[nodiscard]] std::string words() const override { return fmt::format("torus:{}", fmt::join(sizes_, "x")); }
  [[nodiscard]] std::string_view routing() const override { return "dimension order, the shorter way round"; }
  [[nodiscard]] int switch_of(int node) const override { return node; }

  /// Dimension-order routing (Dally and Seitz, Deadlock-free message routing in multiprocessor interconnection
  /// networks, IEEE Transactions on Computers C-36, 1987). On ties, even coordinates go up and odd ones down.
  void append_way(int from, int to, std::vector<Hop>& way) const override {
    int at = from;
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      const int size = sizes_[d], place = coordinate(at, d);
      const int ahead = (coordinate(to, d) - place + size) % size;
      const bool up = 2 * ahead < size || (2 * ahead == size && place % 2 == 0);
      for (int left = up ? ahead : size - ahead; left > 0 && ahead > 0; --left) at = step(at, d, up, way);
    }
  }

  /// Half of the longest dimension, where the cut crosses the fewest cables.
  [[nodiscard]] bool in_first_half(int node) const override {
    const auto longest = static_cast<std::size_t>(std::distance(sizes_.begin(), std::ranges::max_element(sizes_)));
    return coordinate(node, longest) < sizes_[longest] / 2;
  }

  /// Draws up to 8 routers in each of the first two dimensions.
  [[nodiscard]] std::optional<Place> place(int a_switch) const override {
    static constexpr int drawn = 8;
    const int x = coordinate(a_switch, 0), y = coordinate(a_switch, 1);
    if (a_switch >= sizes_[0] * sizes_[1] || x >= drawn || y >= drawn) return std::nullopt;
    const double step = 1.0 / std::min(sizes_[0], drawn);
    return Place{.x = (x + 0.5) * step, .y = y * std::min(step, 0.2)};
  }

 private:
  [[nodiscard]] int stride(std::size_t d) const {
    int all = 1;
    for (std::size_t i = 0; i < d; ++i) all *= sizes_[i];
    return all;
  }
  [[nodiscard]] int coordinate(int node, std::size_t d) const { return node / stride(d) % sizes_[d]; }
  [[nodiscard]] int neighbour(int node, std::size_t d, bool up) const {
    const int place = coordinate(node, d), size = sizes_[d];
    return node + ((place + (up ? 1 : size - 1)) % size - place) * stride(d);
  }
  /// Index of the cable from a node to its upper neighbour in a dimension.
  [[nodiscard]] std::size_t index(int node, std::size_t d) const {
    return static_cast<std::size_t>(node) * sizes_.size() + d;
  }
  void add_cable(int node, std::size_t d) {
    const int next = neighbour(node, d, true);
    if (sizes_[d] == 2 && next < node) {
      next_[index(node, d)] = next_[index(next, d)];
      return;
    }
    next_[index(node, d)] = static_cast<int>(cables_.size());
    cables_.push_back({.a = node, .b = next});
  }
  int step(int at, std::size_t d, bool up, std::vector<Hop>& way) const {
    const int next = neighbour(at, d, up), cable = next_[index(up ? at : next, d)];
    way.push_back({.cable = cable, .forward = cables_[static_cast<std::size_t>(cable)].a == at});
    return next;
  }

  std::vector<int> sizes_;
  std::vector<int> next_;
};

std::unique_ptr<Topology> make_torus(const Request& r) {
  const auto sizes = parse_shape(r.shape, 2, 5, torus_how);
  if (std::ranges::min(sizes) < 2)
    throw UsageError(fmt::format("--topology: '{}' has a dimension of 1; use {}", r.shape, torus_how));
  refuse_too_many(product(sizes));
  if (const int made = product(sizes); r.nodes != 0 && r.nodes != made)
    throw UsageError(fmt::format("--topology: torus:{} has {} nodes; --nodes is {}", r.shape, made, r.nodes));
  return std::make_unique<Torus>(sizes);
}

}  // namespace
}  // namespace busbar::platform

namespace busbar {

extern const platform::Family torus{
    .name = "torus", .words = "torus:8x8x8", .of_switches = false, .make = platform::make_torus};

}  // namespace busbar
