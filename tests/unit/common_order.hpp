// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "workloads/compute/compute.hpp"
#include "workloads/networks/network.hpp"

/// Compares gradients of two engines with different layouts of parameters.
namespace busbar::test {

/// Every kind of layer: a residual block with its last norm in the sum, one with a convolution in its shortcut, and a
/// sum of two ReLUs.
inline Network small_network() {
  NetworkBuilder net("small", {.channels = 3, .height = 16, .width = 16});
  int x = net.norm("bn", net.convolution("conv", -1, 16, 7, 2), true);
  x = net.max_pool("pool", x, 3, 2, 1);
  int y = net.norm("a.bn1", net.convolution("a.conv1", x, 16, 3), true);
  y = net.norm("a.bn2", net.convolution("a.conv2", y, 16, 3), false);
  x = net.add("a", y, x);
  y = net.norm("b.bn", net.convolution("b.conv", x, 32, 3, 2), false);
  const int shortcut = net.norm("b.down.bn", net.convolution("b.down.conv", x, 32, 1, 2), false);
  x = net.add("b", y, shortcut);
  y = net.norm("c.bn", net.convolution("c.conv", x, 32, 1), true);
  x = net.add("c", y, x);
  net.linear("fc", net.average_pool("mean", x), 10);
  return std::move(net).finish();
}

/// Without ReLU and max pooling: rounding across 0, or to another maximum of a window, would change gradients by whole
/// elements.
inline Network smooth_network() {
  NetworkBuilder net("smooth", {.channels = 3, .height = 12, .width = 12});
  int x = net.norm("bn1", net.convolution("conv1", -1, 16, 5, 2), false);
  x = net.norm("bn2", net.convolution("conv2", x, 24, 3), false);
  x = net.norm("bn3", net.convolution("conv3", x, 32, 1, 2), false);
  net.linear("fc", net.average_pool("mean", x), 10);
  return std::move(net).finish();
}

/// The values of one parameter in an order that both engines agree on: by its first values, where these are unlike;
/// zeros between them are left out, as they are no parameters.
inline std::vector<float> in_common_order(std::span<const float> first, std::span<const float> values, bool matrix) {
  std::vector<std::size_t> order(first.size());
  std::iota(order.begin(), order.end(), 0);
  if (matrix) {
    std::erase_if(order, [&](std::size_t i) { return first[i] == 0; });
    std::ranges::sort(order, {}, [&](std::size_t i) { return first[i]; });
  }
  std::vector<float> sorted;
  for (const std::size_t i : order) sorted.push_back(values[i]);
  return sorted;
}

inline std::span<const float> part(std::span<const float> all, const Stripe& s) {
  return all.subspan(s.begin, s.elements);
}

inline double length(std::span<const float> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}
inline double distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  return std::sqrt(sum);
}

}  // namespace busbar::test
