// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/tensor_parallel.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/elements/dtype.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi/communicator.hpp"
#include "workloads/reducer/mpi.hpp"

namespace busbar {
namespace {

std::size_t floats_of(const std::optional<std::uint64_t>& bytes) { return bytes.value_or(0) / sizeof(float); }

class TensorParallel final : public Trainee {
 public:
  TensorParallel(const Profile& profile, Pace pace, const Communicator& team)
      : profile_(profile), device_(pace), ranks_(team.size()) {
    if (ranks_ > 1) reducer_ = make_allreduce(team, DType::f32);
    std::size_t most = 0;
    for (const auto& e : profile_.forward) most = std::max(most, floats_of(e.allreduce_bytes));
    for (const auto& e : profile_.backward) most = std::max(most, floats_of(e.allreduce_bytes));
    activations_.resize(most);
  }

  void reset() override { std::ranges::fill(activations_, 0.0F); }

  StepTimes step() override {
    StepTimes t;
    const std::int64_t begin_ns = steady_ns();
    for (const auto& e : profile_.forward) run(e.us, e.allreduce_bytes, t.forward_s, t.exposed_s);
    for (const auto& e : profile_.backward) run(e.us, e.allreduce_bytes, t.backward_s, t.exposed_s);
    run(profile_.optimiser_us, std::nullopt, t.optimiser_s, t.exposed_s);
    t.communicating_s = t.exposed_s;
    t.step_s = seconds_since(begin_ns);
    return t;
  }

  [[nodiscard]] int reductions() const override {
    const auto sums = [](const auto& e) { return e.allreduce_bytes.value_or(0) > 0; };
    return ranks_ == 1 ? 0
                       : static_cast<int>(std::ranges::count_if(profile_.forward, sums) +
                                          std::ranges::count_if(profile_.backward, sums));
  }
  [[nodiscard]] std::uint64_t wire_bytes() const override {
    const auto n = static_cast<std::uint64_t>(ranks_);
    return 2 * tensor_parallel_bytes(profile_) * (n - 1) / n;
  }

 private:
  void run(double us, const std::optional<std::uint64_t>& bytes, double& computing_s, double& exposed_s) {
    const std::int64_t begin_ns = steady_ns();
    device_.begin();
    device_.compute(us / ranks_);
    computing_s += seconds_since(begin_ns);
    if (!reducer_ || floats_of(bytes) == 0) return;
    const std::int64_t sum_ns = steady_ns();
    reducer_->sum(std::span(activations_).first(floats_of(bytes)));
    exposed_s += seconds_since(sum_ns);
  }

  const Profile& profile_;
  ReplayDevice device_;
  int ranks_;
  std::unique_ptr<Reducer> reducer_;  // null: a single rank
  std::vector<float> activations_;
};

}  // namespace

MakeTrainee tensor_parallel(const Profile& profile, Pace pace) {
  return [&profile, pace](const TrainCase&, const Communicator& team, int /*host*/) {
    return std::make_unique<TensorParallel>(profile, pace, team);
  };
}

std::uint64_t tensor_parallel_bytes(const Profile& profile) {
  std::uint64_t bytes = 0;
  for (const auto& e : profile.forward) bytes += e.allreduce_bytes.value_or(0);
  for (const auto& e : profile.backward) bytes += e.allreduce_bytes.value_or(0);
  return bytes;
}

}  // namespace busbar
