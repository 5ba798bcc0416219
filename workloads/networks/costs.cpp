// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/costs.hpp"

#include <algorithm>

namespace busbar {
namespace {

/// Layers after which a network can be cut: no later layer reads the output of an earlier one.
std::vector<bool> cuts_of(const Network& network) {
  const auto n = static_cast<int>(network.layers.size());
  std::vector<bool> cut(network.layers.size(), true);
  for (int to = 0; to < n; ++to) {
    const Layer& l = network.layers[static_cast<std::size_t>(to)];
    for (const int from : {l.from, l.kind == LayerKind::add ? l.second : l.from})
      for (int between = from + 1; between < to; ++between) cut[static_cast<std::size_t>(std::max(between, 0))] = false;
  }
  cut.back() = false;
  return cut;
}

/// Element counts of each layer's gradients, in the order in which backward produces them.
std::vector<std::vector<std::uint64_t>> gradients_of(const Network& network) {
  std::vector<std::vector<std::uint64_t>> all(network.layers.size());
  const auto parameters = network.parameters();
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p)
    all[static_cast<std::size_t>(p->layer)].push_back(p->elements);
  return all;
}

}  // namespace

Arithmetic arithmetic_of(const Network& network, int batch) {
  Arithmetic a{.flop_per_step = network.step_flop() * batch};
  for (std::size_t k = 0; k < layer_kinds; ++k) {
    LayerCost cost{.kind = std::string(name(static_cast<LayerKind>(k)))};
    for (const Layer& l : network.layers) {
      if (l.kind != static_cast<LayerKind>(k)) continue;
      ++cost.layers;
      cost.flop += (network.forward_flop(l) + network.backward_flop(l)) * batch;
    }
    if (cost.layers > 0) a.layers.push_back(cost);
  }
  return a;
}

Profile measured_profile(const Network& network, std::span<const LayerTime> times, const ProfiledStep& step) {
  Profile profile{.model = network.name,
                  .precision = step.precision,
                  .batch = step.batch,
                  .image = network.image.height,
                  .element_bytes = step.gradient_bytes,
                  .provenance = "measured"};
  const auto cuts = cuts_of(network);
  const auto gradients = gradients_of(network);
  const auto mean_us = [&](double seconds) { return seconds / step.steps * 1e6; };
  const auto bytes = static_cast<std::uint64_t>(step.activation_bytes) * static_cast<std::uint64_t>(step.batch);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    ForwardEvent event{.layer = l.name, .us = mean_us(times[i].forward_s)};
    if (cuts[i]) event.cut_bytes = l.out.elements() * bytes;
    profile.forward.push_back(std::move(event));
  }
  for (std::size_t i = network.layers.size(); i-- > 0;)
    profile.backward.push_back(
        {.layer = network.layers[i].name, .us = mean_us(times[i].backward_s), .gradients = gradients[i]});
  return profile;
}

}  // namespace busbar
