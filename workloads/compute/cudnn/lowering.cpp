// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/lowering.hpp"

#include <algorithm>

namespace busbar::gpu {
namespace {

/// With 4 image channels, 9 of cuDNN 9.19's first 10 plans on an H100 copy the input into a workspace of 196 to 980
/// MiB; plans for the weights' gradient use 196 to 205 MiB. With 8, the first plan needs none, the gradient at most 9
/// MiB.
constexpr int channel_multiple = 8;

constexpr double bytes_of_16_bits = 2, bits_of_a_byte = 8;

/// Number of layers that read each layer's output.
std::vector<int> readers_of(const Network& network) {
  std::vector<int> readers(network.layers.size());
  for (const Layer& l : network.layers) {
    if (l.from >= 0) ++readers[static_cast<std::size_t>(l.from)];
    if (l.kind == LayerKind::add && l.second >= 0) ++readers[static_cast<std::size_t>(l.second)];
  }
  return readers;
}

/// Counts traffic in 16-bit elements.
class Counter {
 public:
  Counter(const Network& network, int batch, NormSums sums)
      : network_(network), batch_(batch), sums_(sums), readers_(readers_of(network)) {}

  /// `add`: the add fused with a norm.
  [[nodiscard]] Traffic of(std::size_t layer, std::optional<std::size_t> add) const {
    const Layer& l = network_.layers[layer];
    switch (l.kind) {
      case LayerKind::convolution:
      case LayerKind::linear:
        return product(l);
      case LayerKind::norm:
        return add ? norm_with_add(l, *add) : norm(l, layer);
      case LayerKind::add:
        return {.forward = 3 * out(l), .backward = (2 + summands(layer)) * out(l)};
      case LayerKind::max_pool:
        return {.forward = in(l) + out(l) + places(l), .backward = in(l) + summands(layer) * out(l) + places(l)};
      case LayerKind::average_pool:
        break;
    }
    return {.forward = in(l) + out(l), .backward = in(l) + out(l)};
  }

 private:
  [[nodiscard]] double in(const Layer& l) const { return static_cast<double>(l.in.elements()) * batch_; }
  [[nodiscard]] double out(const Layer& l) const { return static_cast<double>(l.out.elements()) * batch_; }
  [[nodiscard]] double places(const Layer& l) const { return out(l) / bytes_of_16_bits; }
  [[nodiscard]] double bits(const Layer& l) const { return out(l) / bits_of_a_byte / bytes_of_16_bits; }
  /// Number of gradient summands: two if several layers read the output.
  [[nodiscard]] double summands(std::size_t layer) const { return readers_[layer] > 1 ? 2 : 1; }

  [[nodiscard]] int read_for_sums(const Layer& norm) const {
    const bool behind_convolution =
        norm.from >= 0 && network_.layers[static_cast<std::size_t>(norm.from)].kind == LayerKind::convolution;
    return sums_ == NormSums::by_convolution && behind_convolution ? 0 : 1;
  }

  [[nodiscard]] Traffic product(const Layer& l) const {
    const double window = l.kind == LayerKind::linear ? l.in.height * l.in.width : l.kernel * l.kernel;
    const double weights = window * stored_channels(l) * l.out.channels;
    const double input = in(l) / l.in.channels * stored_channels(l);
    const double once = input + weights + out(l);
    return {.forward = once, .backward = (l.from >= 0 ? 2 : 1) * once};
  }
  [[nodiscard]] Traffic norm(const Layer& l, std::size_t layer) const {
    return {.forward = (2 + read_for_sums(l)) * out(l), .backward = (3 + 2 * summands(layer)) * out(l)};
  }
  [[nodiscard]] Traffic norm_with_add(const Layer& l, std::size_t add) const {
    const bool by_bits = keeps_bits(l, network_.layers[add]);
    const double mask = by_bits ? bits(l) : network_.layers[add].relu ? out(l) : 0;
    return {.forward = (3 + read_for_sums(l)) * out(l) + (by_bits ? mask : 0),
            .backward = (5 + summands(add)) * out(l) + mask};
  }

  const Network& network_;
  double batch_;
  NormSums sums_;
  std::vector<int> readers_;
};

}  // namespace

int stored_channels(const Layer& l) {
  if (l.from >= 0) return l.in.channels;
  return (l.in.channels + channel_multiple - 1) / channel_multiple * channel_multiple;
}

std::vector<std::optional<std::size_t>> adds_of_norms(const Network& network) {
  const std::vector<int> readers = readers_of(network);
  std::vector<std::optional<std::size_t>> adds(network.layers.size());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind != LayerKind::add) continue;
    const auto first = static_cast<std::size_t>(network.layers[i].from);
    const Layer& norm = network.layers[first];
    if (norm.kind == LayerKind::norm && !norm.relu && readers[first] == 1) adds[first] = i;
  }
  return adds;
}

bool keeps_bits(const Layer& norm, const Layer& add) { return add.relu && norm.out.channels % 8 == 0; }

std::vector<Traffic> traffic_of(const Network& network, int batch, NormSums sums) {
  const auto adds = adds_of_norms(network);
  const Counter count(network, batch, sums);
  std::vector<Traffic> all(network.layers.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::ranges::find(adds, i) != adds.end()) continue;  // counted at the norm
    const Traffic elements = count.of(i, adds[i]);
    all[i] = {.forward = elements.forward * bytes_of_16_bits, .backward = elements.backward * bytes_of_16_bits};
  }
  return all;
}

}  // namespace busbar::gpu
