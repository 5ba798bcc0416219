// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/stages.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::pipeline {
namespace {

/// A possible stage boundary: before the first layer, at an allowed cut, or after the last layer.
struct Border {
  std::size_t layer = 0;     ///< the first layer after it
  double cost_before_s = 0;  ///< sum over all layers before it
};

std::vector<Border> borders_of(std::span<const double> layer_costs_s, const std::vector<bool>& may_cut_after) {
  if (may_cut_after.size() != layer_costs_s.size())
    throw Error(fmt::format("costs of {} layers, but cuts for {}", layer_costs_s.size(), may_cut_after.size()));
  std::vector<Border> all{Border{}};
  double sum_s = 0;
  for (std::size_t i = 0; i < layer_costs_s.size(); ++i) {
    sum_s += layer_costs_s[i];
    if (may_cut_after[i] || i + 1 == layer_costs_s.size()) all.push_back({.layer = i + 1, .cost_before_s = sum_s});
  }
  return all;
}

/// The best division that ends at a border.
struct Best {
  double largest_s = std::numeric_limits<double>::infinity();  ///< cost of its slowest stage; infinite: impossible
  std::size_t from = 0;                                        ///< border at which its last stage starts
};

/// Extends the divisions `before` by one more stage, for every border at which it may end.
std::vector<Best> one_more(const std::vector<Best>& before, const std::vector<Border>& borders) {
  std::vector<Best> all(borders.size());
  for (std::size_t end = 1; end < borders.size(); ++end)
    for (std::size_t from = 0; from < end; ++from) {
      const double last_s = borders[end].cost_before_s - borders[from].cost_before_s;
      const double largest_s = std::max(before[from].largest_s, last_s);
      if (largest_s < all[end].largest_s) all[end] = {.largest_s = largest_s, .from = from};
    }
  return all;
}

void check(std::size_t layers, std::size_t most_stages, int stages) {
  if (stages >= 1 && static_cast<std::size_t>(stages) <= most_stages) return;
  if (most_stages == 0) throw UsageError("no layers to divide into stages");
  throw UsageError(fmt::format("{} layers with {} possible cuts make 1 to {} stages, not {}", layers, most_stages - 1,
                               most_stages, stages));
}

}  // namespace

std::vector<StageLayers> divide(std::span<const double> layer_costs_s, const std::vector<bool>& may_cut_after,
                                int stages) {
  const std::vector<Border> borders = borders_of(layer_costs_s, may_cut_after);
  check(layer_costs_s.size(), borders.size() - 1, stages);
  std::vector<std::vector<Best>> best(1, std::vector<Best>(borders.size()));  // [stages so far][border]
  best[0][0].largest_s = 0;
  for (int i = 0; i < stages; ++i) best.push_back(one_more(best.back(), borders));

  std::vector<StageLayers> division(static_cast<std::size_t>(stages));
  std::size_t end = borders.size() - 1;
  for (std::size_t stage = division.size(); stage-- > 0;) {
    const std::size_t from = best[stage + 1][end].from;
    division[stage] = {.begin = borders[from].layer, .end = borders[end].layer};
    end = from;
  }
  return division;
}

}  // namespace busbar::pipeline
