// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/engine.hpp"

#include <algorithm>

namespace busbar {
namespace {

/// Layers behind which a network can be cut: nothing that comes later takes the output of an earlier one.
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

/// The elements of a layer's gradients, in the order in which backward makes them ready.
std::vector<std::vector<std::uint64_t>> gradients_of(const Network& network) {
  std::vector<std::vector<std::uint64_t>> all(network.layers.size());
  const auto parameters = network.parameters();
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p)
    all[static_cast<std::size_t>(p->layer)].push_back(p->elements);
  return all;
}

Profile measured_profile(const Network& network, const OnednnCompute& compute, int batch) {
  Profile profile{.model = network.name, .precision = "fp32", .batch = batch, .image = network.image.height};
  profile.provenance = "measured";
  const auto cuts = cuts_of(network);
  const auto gradients = gradients_of(network);
  const auto mean_us = [&](double seconds) { return seconds / compute.steps() * 1e6; };
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    ForwardEvent event{.layer = l.name, .us = mean_us(compute.times()[i].forward_s)};
    if (cuts[i]) event.cut_bytes = l.out.elements() * sizeof(float) * static_cast<std::uint64_t>(batch);
    profile.forward.push_back(std::move(event));
  }
  for (std::size_t i = network.layers.size(); i-- > 0;)
    profile.backward.push_back(
        {.layer = network.layers[i].name, .us = mean_us(compute.times()[i].backward_s), .gradients = gradients[i]});
  return profile;
}

class OnednnEngine final : public Engine {
 public:
  OnednnEngine(const Network& network, const OnednnSetup& setup)
      : network_(network), batch_(setup.batch), compute_(make_onednn(network, setup)) {}

  [[nodiscard]] Compute& compute() override { return *compute_; }

  [[nodiscard]] LayerSums layers() const override {
    LayerSums sums;
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const auto kind = static_cast<std::size_t>(network_.layers[i].kind);
      const LayerTime& time = compute_->times()[i];
      sums.forward_s[kind] += time.forward_s;
      sums.backward_s[kind] += time.backward_s;
      sums.reorder_s += time.reorder_s;
    }
    return sums;
  }

  void keep_times(bool keep) override { compute_->keep_times(keep); }

  [[nodiscard]] std::optional<Profile> profile() const override {
    if (compute_->steps() == 0) return std::nullopt;
    return measured_profile(network_, *compute_, batch_);
  }

  [[nodiscard]] std::optional<Memory> memory() const override {
    const auto weights = compute_->weights().size_bytes();
    return Memory{.weights_bytes = weights,
                  .gradients_bytes = weights,
                  .momenta_bytes = weights,
                  .activations_bytes = compute_->facts().activation_bytes};
  }

  [[nodiscard]] std::optional<Arithmetic> arithmetic() const override {
    Arithmetic a{.flop_per_step = network_.step_flop() * batch_};
    for (std::size_t k = 0; k < layer_kinds; ++k) {
      LayerCost cost{.kind = std::string(name(static_cast<LayerKind>(k)))};
      for (const Layer& l : network_.layers) {
        if (l.kind != static_cast<LayerKind>(k)) continue;
        ++cost.layers;
        cost.flop += (network_.forward_flop(l) + network_.backward_flop(l)) * batch_;
      }
      if (cost.layers > 0) a.layers.push_back(cost);
    }
    return a;
  }

 private:
  Network network_;
  int batch_;
  std::unique_ptr<OnednnCompute> compute_;
};

class ReplayEngine final : public Engine {
 public:
  ReplayEngine(const Profile& profile, int rank, Pace pace) : compute_(profile, rank, pace) {}
  [[nodiscard]] Compute& compute() override { return compute_; }

 private:
  ReplayCompute compute_;
};

}  // namespace

std::unique_ptr<Engine> make_replay_engine(const Profile& profile, int rank, Pace pace) {
  return std::make_unique<ReplayEngine>(profile, rank, pace);
}

std::unique_ptr<Engine> make_onednn_engine(const Network& network, const OnednnSetup& setup) {
  return std::make_unique<OnednnEngine>(network, setup);
}

double bytes_to_train(const Network& network, int batch) {
  double kept = static_cast<double>(network.image.elements()), largest = 0, weights = 0;
  for (const Layer& l : network.layers) {
    const auto out = static_cast<double>(l.out.elements());
    const bool mask = (l.kind == LayerKind::norm && l.relu) || l.kind == LayerKind::max_pool;
    kept += out * (mask ? 1.25 : 1);  // a byte an element says where a ReLU or a pool took it from
    largest = std::max(largest, out);
  }
  for (const Parameter& p : network.parameters()) weights += static_cast<double>(p.elements);
  return sizeof(float) * ((kept + 4 * largest) * batch + 4 * weights);
}

}  // namespace busbar
