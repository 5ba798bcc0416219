// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/network.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {

std::string_view name(LayerKind kind) {
  static constexpr std::array<std::string_view, layer_kinds> names{"convolution", "batch norm",   "add",
                                                                   "max pool",    "average pool", "linear"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Parameter> Network::parameters() const {
  std::vector<Parameter> all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& l = layers[i];
    const auto have = [&](const char* what, std::uint64_t elements) {
      all.push_back({.name = l.name + what, .layer = static_cast<int>(i), .elements = elements});
    };
    const auto outputs = static_cast<std::uint64_t>(l.out.channels);
    if (l.kind == LayerKind::convolution)
      have(".weight", outputs * static_cast<std::uint64_t>(l.in.channels * l.kernel * l.kernel));
    if (l.kind == LayerKind::linear) have(".weight", outputs * l.in.elements());
    if (l.kind == LayerKind::norm) have(".weight", outputs);
    if (l.kind == LayerKind::linear || l.kind == LayerKind::norm) have(".bias", outputs);
  }
  return all;
}

double Network::forward_flop(const Layer& l) const {
  const double per_output = l.kind == LayerKind::convolution ? 2.0 * l.in.channels * l.kernel * l.kernel
                            : l.kind == LayerKind::linear    ? 2.0 * static_cast<double>(l.in.elements())
                                                             : 0.0;
  return per_output * static_cast<double>(l.out.elements());
}

/// The gradients of weights and input each cost as much as the forward pass.
double Network::backward_flop(const Layer& l) const { return forward_flop(l) * (l.from < 0 ? 1 : 2); }

double Network::step_flop() const {
  double sum = 0;
  for (const Layer& l : layers) sum += forward_flop(l) + backward_flop(l);
  return sum;
}

NetworkBuilder::NetworkBuilder(std::string name, Shape image)
    : network_{.name = std::move(name), .image = image, .layers = {}} {}

Shape NetworkBuilder::shape_of(int layer) const {
  return layer < 0 ? network_.image : network_.layers.at(static_cast<std::size_t>(layer)).out;
}

int NetworkBuilder::append(Layer layer) {
  network_.layers.push_back(std::move(layer));
  return static_cast<int>(network_.layers.size()) - 1;
}

namespace {

/// Output size of a window that slides over `extent` with `pad` zeros on each side.
int slid(int extent, int kernel, int stride, int pad) { return (extent + 2 * pad - kernel) / stride + 1; }

Shape slid(Shape in, int channels, int kernel, int stride, int pad) {
  return {.channels = channels,
          .height = slid(in.height, kernel, stride, pad),
          .width = slid(in.width, kernel, stride, pad)};
}

}  // namespace

int NetworkBuilder::slide(LayerKind kind, const std::string& name, int from, int channels, int kernel, int stride,
                          int pad) {
  const Shape in = shape_of(from);
  return append({.kind = kind,
                 .name = name,
                 .from = from,
                 .kernel = kernel,
                 .stride = stride,
                 .pad = pad,
                 .in = in,
                 .out = slid(in, channels, kernel, stride, pad)});
}

int NetworkBuilder::convolution(const std::string& name, int from, int channels, int kernel, int stride) {
  return slide(LayerKind::convolution, name, from, channels, kernel, stride, kernel / 2);
}

int NetworkBuilder::norm(const std::string& name, int from, bool relu) {
  const Shape shape = shape_of(from);
  return append({.kind = LayerKind::norm, .name = name, .from = from, .relu = relu, .in = shape, .out = shape});
}

int NetworkBuilder::add(const std::string& name, int first, int second) {
  const Shape shape = shape_of(first);
  return append(
      {.kind = LayerKind::add, .name = name, .from = first, .second = second, .relu = true, .in = shape, .out = shape});
}

int NetworkBuilder::max_pool(const std::string& name, int from, int kernel, int stride, int pad) {
  return slide(LayerKind::max_pool, name, from, shape_of(from).channels, kernel, stride, pad);
}

int NetworkBuilder::average_pool(const std::string& name, int from) {
  const Shape in = shape_of(from);
  return append({.kind = LayerKind::average_pool,
                 .name = name,
                 .from = from,
                 .kernel = in.height,
                 .in = in,
                 .out = {.channels = in.channels}});
}

int NetworkBuilder::linear(const std::string& name, int from, int outputs) {
  return append(
      {.kind = LayerKind::linear, .name = name, .from = from, .in = shape_of(from), .out = {.channels = outputs}});
}

namespace {

struct Depth {
  int layers;
  bool bottleneck;
  std::array<int, 4> blocks;
};
constexpr std::array<Depth, 5> depths{{{18, false, {2, 2, 2, 2}},
                                       {34, false, {3, 4, 6, 3}},
                                       {50, true, {3, 4, 6, 3}},
                                       {101, true, {3, 4, 23, 3}},
                                       {152, true, {3, 8, 36, 3}}}};

/// Appends a residual block after layer `from` with `in` channels: main path, shortcut, then their sum.
int block(NetworkBuilder& net, const std::string& at, int from, int in, int width, int stride, bool bottleneck) {
  const int out = bottleneck ? 4 * width : width;
  int x = from;
  if (bottleneck) {
    x = net.norm(at + ".bn1", net.convolution(at + ".conv1", x, width, 1), true);
    x = net.norm(at + ".bn2", net.convolution(at + ".conv2", x, width, 3, stride), true);
    x = net.norm(at + ".bn3", net.convolution(at + ".conv3", x, out, 1), false);
  } else {
    x = net.norm(at + ".bn1", net.convolution(at + ".conv1", x, width, 3, stride), true);
    x = net.norm(at + ".bn2", net.convolution(at + ".conv2", x, out, 3), false);
  }
  int shortcut = from;
  if (stride != 1 || in != out)
    shortcut = net.norm(at + ".downsample.1", net.convolution(at + ".downsample.0", from, out, 1, stride), false);
  return net.add(at, x, shortcut);
}

}  // namespace

std::vector<std::string> networks() {
  std::vector<std::string> names;
  for (const Depth& d : depths) names.push_back(fmt::format("resnet{}", d.layers));
  return names;
}

std::optional<Network> find_network(const std::string& name, int image, int classes) {
  for (const Depth& d : depths)
    if (name == fmt::format("resnet{}", d.layers)) return resnet(d.layers, image, classes);
  return std::nullopt;
}

Network resnet(int depth, int image, int classes) {
  const auto found = std::ranges::find(depths, depth, &Depth::layers);
  if (found == depths.end()) throw UsageError(fmt::format("unknown ResNet-{}; known: 18, 34, 50, 101, 152", depth));
  if (image < 32)
    throw UsageError(fmt::format("images of {0}x{0} are too small for ResNet; 32x32 is the least", image));
  NetworkBuilder net(fmt::format("resnet{}", depth), {.channels = 3, .height = image, .width = image});
  int x = net.norm("bn1", net.convolution("conv1", -1, 64, 7, 2), true);
  x = net.max_pool("maxpool", x, 3, 2, 1);
  int channels = 64, width = 64;
  for (std::size_t stage = 0; stage < found->blocks.size(); ++stage, width *= 2)
    for (int b = 0; b < found->blocks[stage]; ++b) {
      const int stride = b == 0 && stage > 0 ? 2 : 1;
      x = block(net, fmt::format("layer{}.{}", stage + 1, b), x, channels, width, stride, found->bottleneck);
      channels = found->bottleneck ? 4 * width : width;
    }
  net.linear("fc", net.average_pool("avgpool", x), classes);
  return std::move(net).finish();
}

}  // namespace busbar
