// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/pipeline_parallel.hpp"

#include <algorithm>

#include "core/machine/local_clock.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "workloads/pipeline/executor.hpp"
#include "workloads/pipeline/stages.hpp"

namespace busbar {
namespace {

using pipeline::Pass;

/// Messages to the neighbours, one pending per direction. Sizes are per micro-batch; the content is meaningless.
class MpiLink final : public pipeline::Link {
 public:
  MpiLink(const Communicator& team, std::uint64_t bytes_before, std::uint64_t bytes_behind)
      : ranks_(team.duplicate()),
        before_{
            .rank = ranks_.rank() - 1, .in = std::vector<char>(bytes_before), .out = std::vector<char>(bytes_before)},
        behind_{
            .rank = ranks_.rank() + 1, .in = std::vector<char>(bytes_behind), .out = std::vector<char>(bytes_behind)} {}
  ~MpiLink() override = default;

  void send_forward(int /*micro_batch*/) override { send(behind_); }
  void receive_forward(int /*micro_batch*/) override { receive(before_); }
  void send_backward(int /*micro_batch*/) override { send(before_); }
  void receive_backward(int /*micro_batch*/) override { receive(behind_); }
  void finish() override {
    for (Neighbour* n : {&before_, &behind_}) mpi_check(MPI_Wait(&n->sending, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  /// Open MPI progresses messages only inside MPI calls.
  void progress() {
    int done = 0;
    for (Neighbour* n : {&before_, &behind_})
      mpi_check(MPI_Request_get_status(n->sending, &done, MPI_STATUS_IGNORE), "MPI_Request_get_status");
  }

 private:
  struct Neighbour {
    int rank = 0;
    std::vector<char> in, out;
    MPI_Request sending = MPI_REQUEST_NULL;
  };
  void send(Neighbour& to) {
    mpi_check(MPI_Wait(&to.sending, MPI_STATUS_IGNORE), "MPI_Wait");
    mpi_check(
        MPI_Isend(to.out.data(), static_cast<int>(to.out.size()), MPI_CHAR, to.rank, 0, ranks_.handle(), &to.sending),
        "MPI_Isend");
  }
  void receive(Neighbour& from) {
    mpi_check(MPI_Recv(from.in.data(), static_cast<int>(from.in.size()), MPI_CHAR, from.rank, 0, ranks_.handle(),
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
  }

  Communicator ranks_;
  Neighbour before_, behind_;
};

/// Replays the compute time of a stage's layers.
class ReplayedStage final : public pipeline::StageWork {
 public:
  ReplayedStage(const Profile& stage, int micro_batches, Pace pace, MpiLink& link)
      : forward_us_(forward_s(stage) * 1e6 / micro_batches),
        backward_us_(backward_s(stage) * 1e6 / micro_batches),
        optimiser_us_(stage.optimiser_us),
        device_(pace),
        link_(link) {}
  void forward(int /*micro_batch*/) override { compute(forward_us_); }
  void backward(int /*micro_batch*/) override { compute(backward_us_); }
  void update() { compute(optimiser_us_); }

 private:
  void compute(double us) {
    constexpr double slice_us = 500;
    device_.begin();
    for (double left = us; left > 0; left -= slice_us) {
      device_.compute(std::min(left, slice_us));
      link_.progress();
    }
  }

  double forward_us_, backward_us_, optimiser_us_;
  ReplayDevice device_;
  MpiLink& link_;
};

class PipelineParallel final : public Trainee {
 public:
  PipelineParallel(const Profile& profile, const pipeline::ScheduleKind& kind, Pace pace, const Communicator& team,
                   int micro_batches)
      : place_{.stage = team.rank(), .stages = team.size()},
        micro_batches_(micro_batches),
        operations_(kind.operations(place_.stages, place_.stage, micro_batches)),
        stages_(stages_of(profile, place_.stages)),
        mine_(stage_of(profile, place_.stage)),
        back_bytes_(place_.stage == 0 ? 0 : stage_of(profile, place_.stage - 1).forward.back().cut_bytes.value_or(0)),
        link_(team, back_bytes_ / static_cast<std::uint64_t>(micro_batches),
              bytes_behind() / static_cast<std::uint64_t>(micro_batches)),
        work_(mine_, micro_batches, pace, link_),
        team_(team.duplicate()) {}

  void reset() override {}

  StepTimes step() override {
    StepTimes t;
    const std::int64_t begin_ns = steady_ns();
    origin_ns_ = begin_ns;
    last_ = pipeline::run_step(operations_, place_, link_, work_, begin_ns);
    for (const auto& op : last_)
      (op.operation.pass == Pass::forward ? t.forward_s : t.backward_s) += op.end_s - op.start_s;
    const std::int64_t update_ns = steady_ns();
    work_.update();
    t.optimiser_s = seconds_since(update_ns);
    // All stages end a step together: what follows reads the weights of all stages.
    mpi_check(MPI_Barrier(team_.handle()), "MPI_Barrier");
    t.step_s = seconds_since(begin_ns);
    t.exposed_s = std::max(0.0, t.step_s - t.forward_s - t.backward_s - t.optimiser_s);
    return t;
  }

  [[nodiscard]] int reductions() const override { return 0; }
  [[nodiscard]] std::uint64_t wire_bytes() const override { return back_bytes_ + bytes_behind(); }

  [[nodiscard]] std::optional<Pipeline> pipeline(Group& group) override;

 private:
  [[nodiscard]] static std::vector<pipeline::StageLayers> stages_of(const Profile& profile, int stages);
  [[nodiscard]] Profile stage_of(const Profile& profile, int stage) const {
    const auto [begin, end] = stages_[static_cast<std::size_t>(stage)];
    return part(profile, begin, end);
  }

  /// Bytes sent to the next stage per step.
  [[nodiscard]] std::uint64_t bytes_behind() const {
    return place_.stage + 1 == place_.stages ? 0 : mine_.forward.back().cut_bytes.value_or(0);
  }

  pipeline::Place place_;
  int micro_batches_;
  std::vector<pipeline::Operation> operations_;
  std::vector<pipeline::StageLayers> stages_;
  Profile mine_;
  std::uint64_t back_bytes_;  // bytes sent to the previous stage per step
  MpiLink link_;
  ReplayedStage work_;
  Communicator team_;
  std::int64_t origin_ns_ = 0;
  std::vector<pipeline::TimedOperation> last_;
};

std::vector<pipeline::StageLayers> PipelineParallel::stages_of(const Profile& profile, int stages) {
  std::vector<double> costs;
  std::vector<bool> cuts;
  for (const auto& f : profile.forward) {
    double us = f.us;
    for (const auto& b : profile.backward)
      if (b.layer == f.layer) us += b.us;
    costs.push_back(us * 1e-6);
    cuts.push_back(f.cut_bytes.has_value());
  }
  return pipeline::divide(costs, cuts, stages);
}

/// Ranks of one host share a clock; across hosts, each stage's operations are relative to its own start of the step.
std::optional<Pipeline> PipelineParallel::pipeline(Group& group) {
  const std::int64_t common_ns = group.broadcast(origin_ns_);
  const double late_s = static_cast<double>(origin_ns_ - common_ns) * 1e-9;
  std::vector<pipeline::TimedOperation> mine = last_;
  for (auto& op : mine) {
    op.start_s += late_s;
    op.end_s += late_s;
  }
  const double p = place_.stages, m = micro_batches_;
  Pipeline made{.stages = place_.stages, .micro_batches = micro_batches_, .ideal_bubble = (p - 1) / (m + p - 1)};
  made.most_in_flight = static_cast<int>(group.broadcast(static_cast<double>(pipeline::most_in_flight(operations_))));
  const pipeline::Timetable table = pipeline::gather(group, mine);
  for (std::size_t stage = 0; stage < table.stages.size(); ++stage)
    for (const auto& op : table.stages[stage])
      made.operations.push_back({.stage = static_cast<int>(stage),
                                 .pass = std::string(name(op.operation.pass)),
                                 .micro_batch = op.operation.micro_batch,
                                 .start_s = op.start_s,
                                 .end_s = op.end_s});
  return made;
}

}  // namespace

MakeTrainee pipeline_parallel(const Profile& profile, const pipeline::ScheduleKind& schedule, Pace pace) {
  return [&profile, &schedule, pace](const TrainCase& plan, const Communicator& team, int /*host*/) {
    return std::make_unique<PipelineParallel>(profile, schedule, pace, team, plan.key.training->micro_batches);
  };
}

pipeline::Timetable timetable_of(const Pipeline& p) {
  pipeline::Timetable table{.stages =
                                std::vector<std::vector<pipeline::TimedOperation>>(static_cast<std::size_t>(p.stages))};
  for (const PipelineOperation& op : p.operations)
    table.stages[static_cast<std::size_t>(op.stage)].push_back(
        {.operation = {.pass = op.pass == name(Pass::forward) ? Pass::forward : Pass::backward,
                       .micro_batch = op.micro_batch},
         .start_s = op.start_s,
         .end_s = op.end_s});
  return table;
}

}  // namespace busbar
