// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/network_gradients.hpp"

namespace busbar {

std::vector<Gradient> gradients_in_order(const Network& network) {
  double all_flop = 0;
  for (const Layer& layer : network.layers) all_flop += network.backward_flop(layer);
  const auto parameters = network.parameters();
  std::vector<Gradient> gradients;
  double done = 0;
  auto p = parameters.rbegin();
  for (std::size_t i = network.layers.size(); i-- > 0;) {
    done += network.backward_flop(network.layers[i]);
    for (; p != parameters.rend() && p->layer == static_cast<int>(i); ++p)
      gradients.push_back({.name = p->name, .elements = p->elements, .ready = done / all_flop});
  }
  return gradients;
}

}  // namespace busbar
