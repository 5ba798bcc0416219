// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "workloads/networks/model.hpp"
#include "workloads/networks/profile.hpp"

namespace busbar {
namespace {

/// Returns "layer1.0.conv1" for "layer1.0.conv1.weight"; always a single word.
std::string layer_of(const Gradient& g) {
  std::string layer = g.name.substr(0, g.name.rfind('.'));
  for (char& c : layer)
    if (c <= ' ' || c == '\x7f') c = '_';
  return layer.empty() ? "_" : layer;
}

/// Returns 7 for "7.fc1"; empty for a layer outside of all blocks.
std::optional<int> block_of(const Blocks& blocks, std::string_view layer) {
  int number = 0;
  const auto [end, problem] = std::from_chars(layer.data(), layer.data() + layer.size(), number);
  if (problem != std::errc{} || end == layer.data() + layer.size() || *end != '.') return {};
  return number >= 0 && number < blocks.count ? std::optional(number) : std::nullopt;
}

/// Size of the activations between a transformer's blocks.
std::uint64_t activation_bytes(const Blocks& blocks, int batch, int element_bytes) {
  const double bytes = 1.0 * batch * blocks.tokens * blocks.hidden * element_bytes;
  if (bytes > 0x1p50) throw UsageError(fmt::format("batch {}: a block's output would have {:.1e} bytes", batch, bytes));
  return static_cast<std::uint64_t>(bytes);
}

/// One event per run of gradients of the same layer. `s_per_pass`: seconds of the whole backward pass.
std::vector<BackwardEvent> backward_of(const Model& model, double s_per_pass) {
  std::vector<BackwardEvent> events;
  double done = 0;
  for (const Gradient& g : model.gradients) {
    const std::string layer = layer_of(g);
    if (events.empty() || events.back().layer != layer) events.push_back({.layer = layer});
    events.back().us += (g.ready - done) * s_per_pass * 1e6;
    events.back().gradients.push_back(g.elements);
    done = g.ready;
  }
  return events;
}

/// Layers of backward in reverse order, each once, with `ratio` times its backward time.
std::vector<ForwardEvent> forward_of(const std::vector<BackwardEvent>& backward, double ratio) {
  std::vector<ForwardEvent> events;
  for (const BackwardEvent& b : backward) {
    const auto known = std::ranges::find(events, b.layer, &ForwardEvent::layer);
    if (known == events.end())
      events.push_back({.layer = b.layer, .us = b.us * ratio});
    else
      known->us += b.us * ratio;
  }
  std::ranges::reverse(events);
  return events;
}

bool named(const std::vector<std::string>& names, std::string_view layer) {
  return std::ranges::find(names, layer.substr(layer.find('.') + 1)) != names.end();
}

/// Adds the bytes sent between pipeline stages and summed over ranks with divided matrices.
void add_transfers(Profile& p, const Blocks& blocks, std::uint64_t bytes) {
  for (std::size_t i = 0; i < p.forward.size(); ++i) {
    const auto block = block_of(blocks, p.forward[i].layer);
    if (!block) continue;
    if (named(blocks.forward_allreduce, p.forward[i].layer)) p.forward[i].allreduce_bytes = bytes;
    if (i + 1 < p.forward.size() && block_of(blocks, p.forward[i + 1].layer) != block) p.forward[i].cut_bytes = bytes;
  }
  for (BackwardEvent& e : p.backward)
    if (block_of(blocks, e.layer) && named(blocks.backward_allreduce, e.layer)) e.allreduce_bytes = bytes;
}

}  // namespace

Profile profile_of(const Model& model, int batch, const UniformDevice& device) {
  if (batch < 1) throw UsageError(fmt::format("batch {}: a step has at least 1 sample", batch));
  if (!(device.flop_per_s >= 1e6 && device.flop_per_s <= 1e21))
    throw UsageError(fmt::format("{} FLOP/s: a device computes 1e6 to 1e21 FLOP/s", device.flop_per_s));
  Profile p{.model = model.name,
            .device = device.name,
            .precision = device.precision,
            .batch = batch,
            .sample = model.sample,
            .image = model.image,
            .heads = model.blocks ? model.blocks->heads : std::nullopt,
            .element_bytes = device.element_bytes,
            .provenance = fmt::format("model's operation counts at {:g} TFLOP/s", device.flop_per_s * 1e-12),
            .source = model.source};
  p.backward = backward_of(model, batch * model.backward_flop / device.flop_per_s);
  p.forward = forward_of(p.backward, model.forward_flop / model.backward_flop);
  if (model.blocks) add_transfers(p, *model.blocks, activation_bytes(*model.blocks, batch, device.element_bytes));
  return p;
}

}  // namespace busbar
