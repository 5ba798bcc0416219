// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/data_parallel.hpp"

#include <map>

#include <fmt/core.h>

#include "core/mpi/communicator.hpp"
#include "workloads/reducer/mpi.hpp"
#include "workloads/train/replica.hpp"

namespace busbar {
namespace {

std::unique_ptr<Reducer> make_reducer(const Communicator& team, int host, const ExchangeSettings& s) {
  if (team.size() == 1) return nullptr;
  if (s.sharded) return make_sharded(team, s.wire);
  return s.hierarchical ? make_hierarchical(team, host, s.wire, s.with_data)
                        : make_allreduce(team, s.wire, s.with_data);
}

class DataParallel final : public Trainee {
 public:
  DataParallel(std::shared_ptr<Engine> engine, int micro_batches, const ExchangeSettings& settings,
               const ExchangeKind& overlap, std::unique_ptr<Reducer> reducer, int rank)
      : rank_(rank),
        engine_(std::move(engine)),
        micro_batches_(micro_batches),
        settings_(settings),
        reducer_(std::move(reducer)),
        buckets_(fuse(engine_->compute().stripes(), size_of(settings.wire), settings.fusion)),
        replica_(engine_->compute(), micro_batches, reducer_.get(), overlap, buckets_) {}

  void reset() override { engine_->compute().reset(); }
  StepTimes step() override { return replica_.step(); }
  [[nodiscard]] std::optional<double> loss() const override { return replica_.loss(); }
  [[nodiscard]] std::span<const float> state() override { return replica_.state(); }
  [[nodiscard]] std::optional<std::string> verify() override {
    const auto wrong = replica_.verify(rank_);
    if (!wrong) return std::nullopt;
    return fmt::format("rank {} of the group: the mean of gradient {} is {}, not {}", rank_, wrong->index, wrong->found,
                       wrong->expected);
  }
  void keep_times(bool keep) override { engine_->keep_times(keep); }
  [[nodiscard]] LayerSums layers() const override { return engine_->layers(); }
  [[nodiscard]] std::optional<Profile> profile() const override { return engine_->profile(); }
  [[nodiscard]] std::optional<Memory> memory() const override { return engine_->memory(); }

  [[nodiscard]] int reductions() const override { return reducer_ ? static_cast<int>(buckets_.size()) : 0; }

  /// An allreduce as reduce-scatter plus allgather sends (n - 1) / n of the data in each, which is a lower bound (P.
  /// Patarasuk, X. Yuan: Bandwidth optimal all-reduce algorithms, JPDC 2009).
  [[nodiscard]] std::uint64_t wire_bytes() const override {
    if (!reducer_) return 0;
    const auto n = static_cast<std::uint64_t>(reducer_->ranks());
    const std::uint64_t elements = engine_->compute().gradients().size();
    const std::uint64_t back = settings_.sharded ? sizeof(float) : size_of(settings_.wire);
    return elements * (size_of(settings_.wire) + back) * (n - 1) / n;
  }

  [[nodiscard]] std::optional<Arithmetic> arithmetic() const override {
    auto a = engine_->arithmetic();
    if (!a) return a;
    a->flop_per_step *= micro_batches_;
    for (LayerCost& cost : a->layers) cost.flop *= micro_batches_;
    return a;
  }

 private:
  int rank_;  // in the group
  std::shared_ptr<Engine> engine_;
  int micro_batches_;
  ExchangeSettings settings_;
  std::unique_ptr<Reducer> reducer_;
  std::vector<Bucket> buckets_;
  Replica replica_;
};

}  // namespace

MakeTrainee data_parallel(const ExchangeSettings& settings, MakeEngine make_engine) {
  auto engines = std::make_shared<std::map<int, std::shared_ptr<Engine>>>();
  return [=, make = std::move(make_engine)](const TrainCase& plan, const Communicator& team, int host) {
    const int micro_batches = plan.key.training->micro_batches, at_once = plan.batch / micro_batches;
    auto& engine = (*engines)[at_once];
    if (!engine) engine = make(at_once);
    const ExchangeKind& overlap = *try_find<ExchangeKind>(plan.key.training->overlap.value());
    return std::make_unique<DataParallel>(engine, micro_batches, settings, overlap, make_reducer(team, host, settings),
                                          team.rank());
  };
}

}  // namespace busbar
