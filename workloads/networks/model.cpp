// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/model.hpp"

#include <numeric>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/network.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_model_bytes = 16 << 20;                        ///< per file
constexpr std::uint64_t most_gradient_elements = std::uint64_t{1} << 40;  ///< per gradient
constexpr int most = 1'000'000;                                           ///< of pixels, tokens and other counts

/// Reads an operation count; it must be above 0.
double operations(const nlohmann::json& j, const char* key) {
  const double flop = j.at(key);
  if (!(flop > 0 && flop < 1e30)) throw Error(fmt::format("{} is not above 0", key));
  return flop;
}

int count(const nlohmann::json& j, const char* key) {
  const auto value = j.at(key).get<std::int64_t>();
  if (value < 1 || value > most) throw Error(fmt::format("{} is not from 1 to {}", key, most));
  return static_cast<int>(value);
}

Gradient read_gradient(const nlohmann::json& j, double backward_flop) {
  Gradient g{.name = j.at("name"), .elements = 1, .ready = j.at("backward_flop").get<double>() / backward_flop};
  for (const auto& extent : j.at("shape")) {
    const auto n = extent.get<std::uint64_t>();
    if (n == 0) throw Error(fmt::format("gradient {} has no elements", g.name));
    if (n > most_gradient_elements / g.elements)
      throw Error(fmt::format("gradient {} has over {} elements", g.name, most_gradient_elements));
    g.elements *= n;
  }
  if (!(g.ready >= 0 && g.ready <= 1))
    throw Error(fmt::format("gradient {} is ready outside of the backward pass", g.name));
  return g;
}

std::vector<Gradient> read_gradients(const nlohmann::json& rows, double backward_flop) {
  std::vector<Gradient> gradients;
  for (const auto& row : rows) {
    gradients.push_back(read_gradient(row, backward_flop));
    if (gradients.size() > 1 && gradients.back().ready < gradients[gradients.size() - 2].ready)
      throw Error(fmt::format("gradient {} is ready before the one in front of it", gradients.back().name));
  }
  if (gradients.empty()) throw Error("no gradients");
  return gradients;
}

Blocks read_blocks(const nlohmann::json& j) {
  return {.count = count(j, "count"),
          .hidden = count(j, "hidden"),
          .tokens = count(j, "tokens"),
          .heads = j.contains("heads") ? std::optional(count(j, "heads")) : std::nullopt,
          .forward_allreduce = j.at("forward_allreduce"),
          .backward_allreduce = j.at("backward_allreduce")};
}

Model model_of(const nlohmann::json& j) {
  Model model{.name = j.at("model"), .source = j.at("source"), .gradients = {}};
  model.backward_flop = operations(j, "backward_flop_per_sample");
  model.gradients = read_gradients(j.at("gradients"), model.backward_flop);
  model.forward_flop = operations(j, "forward_flop_per_sample");
  read(j, "sample", model.sample);
  if (model.sample != "image" && model.sample != "sequence") throw Error("sample is neither image nor sequence");
  if (j.contains("image")) model.image = count(j, "image");
  if (j.contains("block")) model.blocks = read_blocks(j.at("block"));
  return model;
}

}  // namespace

Model parse_model(std::string_view text, std::string_view file) {
  if (text.size() > most_model_bytes)
    throw UsageError(fmt::format("{}: is longer than {} bytes", file, most_model_bytes));
  try {
    return model_of(parse_json(text));
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{}: not a model file: {}", file, describe_json_error(e)));
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", file, e.what()));
  }
}

Model read_model(const std::filesystem::path& path) {
  return parse_model(read_beginning(path, most_model_bytes + 1), path.string());
}

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

std::uint64_t parameters(const Model& model) {
  return std::accumulate(model.gradients.begin(), model.gradients.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Gradient& g) { return sum + g.elements; });
}

}  // namespace busbar
