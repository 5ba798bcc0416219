// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/platform/topology.hpp"

namespace busbar::platform {
namespace {

/// All nodes on one non-blocking switch with any number of ports.
class SingleSwitch : public Topology {
 public:
  explicit SingleSwitch(int nodes) : Topology(nodes, {{.name = "switch", .switches = 1}}) {}
  [[nodiscard]] std::string words() const override { return "single-switch"; }
  [[nodiscard]] std::string_view routing() const override { return "through the one switch"; }
  [[nodiscard]] int switch_of(int) const override { return 0; }
  void append_way(int, int, std::vector<Hop>&) const override {}
  [[nodiscard]] std::optional<Place> place(int) const override { return Place{.x = 0.5, .y = 0}; }
};

std::unique_ptr<Topology> make_single_switch(const Request& r) {
  if (!r.shape.empty()) throw UsageError(fmt::format("--topology: single-switch has no shape '{}'", r.shape));
  if (r.nodes < 1) throw UsageError("--nodes: single-switch needs the number of nodes");
  return std::make_unique<SingleSwitch>(r.nodes);
}

}  // namespace
}  // namespace busbar::platform

namespace busbar {

extern const platform::Family single_switch{
    .name = "single-switch", .words = "single-switch", .of_switches = false, .make = platform::make_single_switch};

}  // namespace busbar
