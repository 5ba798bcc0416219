// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/engine.hpp"

#include <algorithm>

#include "workloads/networks/costs.hpp"

namespace busbar {
namespace {

class OnednnEngine final : public Engine {
 public:
  OnednnEngine(const Network& network, const OnednnSetup& setup)
      : network_(network), batch_(setup.batch), precision_(setup.precision), compute_(make_onednn(network, setup)) {}

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
    return measured_profile(network_, compute_->times(),
                            {.batch = batch_,
                             .steps = compute_->steps(),
                             .precision = std::string(name(precision_)),
                             .activation_bytes = static_cast<int>(size_of(precision_))});
  }

  [[nodiscard]] std::optional<Memory> memory() const override {
    const auto weights = compute_->weights().size_bytes();
    return Memory{.weights_bytes = weights + compute_->facts().copy_bytes,
                  .gradients_bytes = weights,
                  .momenta_bytes = weights,
                  .activations_bytes = compute_->facts().activation_bytes};
  }

  [[nodiscard]] std::optional<Arithmetic> arithmetic() const override { return arithmetic_of(network_, batch_); }

 private:
  Network network_;
  int batch_;
  DType precision_;
  std::unique_ptr<OnednnCompute> compute_;
};

class ReplayEngine final : public Engine {
 public:
  ReplayEngine(const Profile& profile, int rank, Pace pace, bool with_data)
      : compute_(profile, rank, pace, with_data) {}
  [[nodiscard]] Compute& compute() override { return compute_; }

 private:
  ReplayCompute compute_;
};

}  // namespace

std::unique_ptr<Engine> make_replay_engine(const Profile& profile, int rank, Pace pace, bool with_data) {
  return std::make_unique<ReplayEngine>(profile, rank, pace, with_data);
}

std::unique_ptr<Engine> make_onednn_engine(const Network& network, const OnednnSetup& setup) {
  return std::make_unique<OnednnEngine>(network, setup);
}

double bytes_to_train(const Network& network, int batch, DType precision) {
  double kept = static_cast<double>(network.image.elements()), largest = 0, weights = 0;
  for (const Layer& l : network.layers) {
    const auto out = static_cast<double>(l.out.elements());
    const bool mask = (l.kind == LayerKind::norm && l.relu) || l.kind == LayerKind::max_pool;
    kept += out * (mask ? 1.25 : 1);  // one byte per element for the mask or argmax
    largest = std::max(largest, out);
  }
  for (const Parameter& p : network.parameters()) weights += static_cast<double>(p.elements);
  const auto bytes = static_cast<double>(size_of(precision));
  const double copies = precision == DType::f32 ? 0 : bytes * weights;
  return bytes * (kept + 4 * largest) * batch + 4 * sizeof(float) * weights + copies;
}

}  // namespace busbar
