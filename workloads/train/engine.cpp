// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/engine.hpp"

#include <algorithm>

namespace busbar {
namespace {

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
