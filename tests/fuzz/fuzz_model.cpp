// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "workloads/networks/model.hpp"

/// Any bytes as a model: they are refused, or become gradients in the order in which they are ready.
namespace busbar::fuzz {
namespace {

void as_model(std::string_view text) {
  const Model model = parse_model(text, "input");
  require(!model.gradients.empty() && parameters(model) >= model.gradients.size(), "gradients without elements");
  require(model.forward_flop > 0 && model.backward_flop > 0, "no operations");
  double before = 0;
  for (const Gradient& g : model.gradients) {
    require(g.elements > 0 && g.ready >= before && g.ready <= 1, "gradient " + g.name);
    before = g.ready;
  }
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_model(text); });
}

}  // namespace busbar::fuzz
