// SPDX-License-Identifier: Apache-2.0
#include "workloads/model.hpp"

#include <fstream>
#include <numeric>

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/json.hpp"

namespace busbar {
namespace {

Gradient read_gradient(const nlohmann::json& j, double backward_flop) {
  Gradient g{.name = j.at("name"), .elements = 1, .ready = j.at("backward_flop").get<double>() / backward_flop};
  for (const auto& extent : j.at("shape")) g.elements *= extent.get<std::uint64_t>();
  if (g.elements == 0) throw Error(fmt::format("gradient {} has no elements", g.name));
  if (!(g.ready >= 0 && g.ready <= 1))
    throw Error(fmt::format("gradient {} is ready outside of the backward pass", g.name));
  return g;
}

}  // namespace

Model read_model(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw UsageError(fmt::format("{}: cannot be read", path.string()));
  try {
    const auto j = nlohmann::json::parse(in);
    Model model{.name = j.at("model"), .source = j.at("source"), .gradients = {}};
    const double backward_flop = j.at("backward_flop_per_sample");
    for (const auto& row : j.at("gradients")) model.gradients.push_back(read_gradient(row, backward_flop));
    if (model.gradients.empty()) throw Error("no gradients");
    return model;
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{}: not a model file: {}", path.string(), e.what()));
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

std::uint64_t parameters(const Model& model) {
  return std::accumulate(model.gradients.begin(), model.gradients.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Gradient& g) { return sum + g.elements; });
}

std::vector<Fused> fuse(const Model& model, std::size_t bytes_per_element, std::uint64_t first_limit,
                        std::uint64_t limit) {
  std::vector<Fused> buckets;
  bool open = false;
  for (const Gradient& g : model.gradients) {
    if (!open) buckets.emplace_back();
    Fused& bucket = buckets.back();
    bucket.bytes += g.elements * bytes_per_element;
    ++bucket.gradients;
    bucket.ready = g.ready;
    open = bucket.bytes < (buckets.size() == 1 ? first_limit : limit);
  }
  return buckets;
}

}  // namespace busbar
