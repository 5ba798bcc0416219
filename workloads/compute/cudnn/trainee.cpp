// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/trainee.hpp"

#include <fmt/core.h>

#include "core/machine/local_clock.hpp"
#include "core/nccl/communicator.hpp"
#include "core/nccl/types.hpp"
#include "workloads/compute/cudnn/precision.hpp"

namespace busbar::gpu {
namespace {

using Kind = cuda::Event::Kind;

/// Events of one step. Times are measured between events of kind `timed`.
struct Marks {
  cuda::Event begin{Kind::timed}, forward{Kind::timed}, backward{Kind::timed}, reduced{Kind::timed}, end{Kind::timed};
  cuda::Event all_reduced, done;
};
struct BucketMarks {
  cuda::Event ready, begin{Kind::timed}, end{Kind::timed};
};

class GpuTrainee final : public Trainee {
 public:
  GpuTrainee(std::shared_ptr<NetworkEngine> engine, std::unique_ptr<Group> team, const TraineeSetup& setup)
      : engine_(std::move(engine)), team_(std::move(team)), setup_(setup) {
    const EngineFacts& facts = engine_->facts();
    if (engine_->setup().tries_cudnn_norms())
      remarks_.push_back(cudnn::describe(facts.forward_norms, facts.backward_norms));
    if (engine_->setup().tries_sums()) remarks_.push_back(cudnn::describe_sums(facts.sums));
    if (team_->size() == 1) return;
    communicator_.emplace(*team_, NcclCommunicator::Settings{.timeout_s = setup_.timeout_s});
    buckets_ = fuse(parameters().stripes(), size_of(parameters().wire()), setup_.fusion);
    bucket_marks_.resize(buckets_.size());
  }

  void reset() override { parameters().reset(); }
  StepTimes step() override;
  [[nodiscard]] std::optional<double> loss() const override { return engine_->loss(); }
  [[nodiscard]] std::span<const float> state() override { return state_ = parameters().weights_on_host(); }
  [[nodiscard]] std::optional<std::string> verify() override;
  void keep_times(bool keep) override;
  [[nodiscard]] LayerSums layers() const override { return layers_; }
  [[nodiscard]] int reductions() const override { return static_cast<int>(buckets_.size()); }
  [[nodiscard]] std::uint64_t wire_bytes() const override;
  [[nodiscard]] std::optional<Memory> memory() const override;
  [[nodiscard]] std::optional<Arithmetic> arithmetic() const override {
    return arithmetic_of(engine_->network(), engine_->setup().batch);
  }
  [[nodiscard]] std::optional<Profile> profile() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override { return remarks_; }

 private:
  [[nodiscard]] Parameters& parameters() const { return engine_->parameters(); }
  [[nodiscard]] const cuda::Stream& computing() const { return engine_->stream(); }
  [[nodiscard]] int ranks() const { return team_->size(); }

  void prepare();
  void capture_step();
  void give_step();
  void reduce(std::size_t bucket);
  void join_reductions();
  void mark(const cuda::Event& event, const cuda::Stream& on) const;
  void wait();
  [[nodiscard]] StepTimes times_of_step() const;

  std::shared_ptr<NetworkEngine> engine_;
  std::unique_ptr<Group> team_;
  TraineeSetup setup_;
  std::vector<Bucket> buckets_;
  cuda::Stream communicating_{true};
  std::optional<NcclCommunicator> communicator_;  // empty: trains alone
  Marks marks_;
  std::vector<BucketMarks> bucket_marks_;
  std::optional<cuda::Graph> graph_;  // declared after the communicator: NCCL requires graphs to be destroyed first
  bool prepared_ = false, capturing_ = false, keep_ = false;
  LayerSums layers_, of_pass_;
  std::vector<float> state_;
  std::vector<std::string> remarks_;
};

/// Inside a graph, each launch must set the events whose times are read.
void GpuTrainee::mark(const cuda::Event& event, const cuda::Stream& on) const {
  if (capturing_)
    event.record_in_graph(on);
  else
    event.record(on);
}

void GpuTrainee::reduce(std::size_t i) {
  const Bucket& bucket = buckets_[i];
  const BucketMarks& marks = bucket_marks_[i];
  marks.ready.record(computing());
  marks.ready.hold(communicating_);
  mark(marks.begin, communicating_);
  auto* const at = static_cast<std::byte*>(parameters().gradients()) + bucket.begin * size_of(parameters().wire());
  communicator_->await(ncclAllReduce(at, at, bucket.size(), nccl_type(parameters().wire()), ncclSum,
                                     communicator_->handle(), communicating_.handle()),
                       "ncclAllReduce");
  mark(marks.end, communicating_);
}

void GpuTrainee::join_reductions() {
  marks_.all_reduced.record(communicating_);
  marks_.all_reduced.hold(computing());
}

/// Submits a whole step to the streams, captured or not.
void GpuTrainee::give_step() {
  std::size_t next = 0;
  const auto reduce_below = [&](std::size_t end) {
    for (; next < buckets_.size() && buckets_[next].end <= end; ++next) reduce(next);
  };
  mark(marks_.begin, computing());
  engine_->forward();
  mark(marks_.forward, computing());
  engine_->backward([&](std::size_t end) {
    if (setup_.overlap) reduce_below(end);
  });
  mark(marks_.backward, computing());
  reduce_below(parameters().elements());
  if (communicator_) join_reductions();
  mark(marks_.reduced, computing());
  parameters().update(ranks());
  mark(marks_.end, computing());
}

void GpuTrainee::wait() {
  marks_.done.record(computing());
  if (communicator_)
    communicator_->await(marks_.done, "a training step");
  else
    marks_.done.wait();
}

/// Does not capture the first step: it loads kernels and opens NCCL's connections, which cannot be captured.
void GpuTrainee::prepare() {
  prepared_ = true;
  give_step();
  wait();
  if (setup_.graphs) capture_step();
  reset();
  wait();
}

/// Ranks launch graphs all together or not at all, as NCCL requires. Collective over the team.
void GpuTrainee::capture_step() {
  const Verdict captured = agree(*team_, attempt([&] {
    capturing_ = true;
    graph_.emplace(cuda::capture(computing(), [&] { give_step(); }));
  }));
  capturing_ = false;
  if (captured.ok()) return;
  if (communicator_ && communicator_->handle() == nullptr) throw Error(captured.reason);
  graph_.reset();
  remarks_.push_back(
      fmt::format("steps are launched piece by piece, as no CUDA graph could be made of one: {}", captured.reason));
}

StepTimes GpuTrainee::step() {
  if (!prepared_) prepare();
  const std::int64_t begin_ns = steady_ns();
  if (graph_)
    graph_->launch(computing());
  else
    give_step();
  wait();
  const double step_s = seconds_since(begin_ns);
  if (keep_) layers_ += of_pass_;
  StepTimes times = times_of_step();
  times.step_s = step_s;
  return times;
}

StepTimes GpuTrainee::times_of_step() const {
  using cuda::seconds_between;
  StepTimes times{.forward_s = seconds_between(marks_.begin, marks_.forward),
                  .backward_s = seconds_between(marks_.forward, marks_.backward),
                  .optimiser_s = seconds_between(marks_.reduced, marks_.end)};
  if (!communicator_) return times;
  times.exposed_s = seconds_between(marks_.backward, marks_.reduced);
  for (const BucketMarks& m : bucket_marks_) times.communicating_s += seconds_between(m.begin, m.end);
  return times;
}

std::optional<std::string> GpuTrainee::verify() {
  if (!communicator_) return std::nullopt;
  parameters().fill_known(team_->rank(), ranks());
  for (std::size_t i = 0; i < buckets_.size(); ++i) reduce(i);
  join_reductions();
  wait();
  const auto wrong = parameters().find_unexpected();
  if (!wrong) return std::nullopt;
  return fmt::format("rank {} of the group: the sum of gradient {} is {}, not {}", team_->rank(), wrong->index,
                     wrong->found, wrong->expected);
}

void GpuTrainee::keep_times(bool keep) {
  keep_ = keep && setup_.time_layers;
  if (!keep_) return;
  const std::vector<LayerTime> before(engine_->times().begin(), engine_->times().end());
  engine_->time_layers();
  of_pass_ = {};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto kind = static_cast<std::size_t>(engine_->network().layers[i].kind);
    of_pass_.forward_s[kind] += engine_->times()[i].forward_s - before[i].forward_s;
    of_pass_.backward_s[kind] += engine_->times()[i].backward_s - before[i].backward_s;
  }
}

/// As in DataParallel: the volume of a ring, which is a lower bound.
std::uint64_t GpuTrainee::wire_bytes() const {
  const auto n = static_cast<std::uint64_t>(ranks());
  return 2 * static_cast<std::uint64_t>(parameters().elements()) * size_of(parameters().wire()) * (n - 1) / n;
}

std::optional<Memory> GpuTrainee::memory() const {
  std::size_t free = 0, all = 0;
  cuda::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return Memory{.peak_bytes = all - free,
                .before_bytes = setup_.before_bytes,
                .weights_bytes = parameters().weights_bytes(),
                .gradients_bytes = parameters().gradients_bytes(),
                .momenta_bytes = parameters().momenta_bytes(),
                .activations_bytes = engine_->facts().activation_bytes};
}

std::optional<Profile> GpuTrainee::profile() const {
  if (engine_->timed_passes() == 0) return std::nullopt;
  return measured_profile(engine_->network(), engine_->times(),
                          {.batch = engine_->setup().batch,
                           .steps = engine_->timed_passes(),
                           .precision = std::string(name(engine_->setup().precision)),
                           .gradient_bytes = static_cast<int>(size_of(parameters().wire())),
                           .activation_bytes = static_cast<int>(compute_bytes)});
}

}  // namespace

std::unique_ptr<Trainee> make_trainee(std::shared_ptr<NetworkEngine> engine, std::unique_ptr<Group> team,
                                      const TraineeSetup& setup) {
  return std::make_unique<GpuTrainee>(std::move(engine), std::move(team), setup);
}

}  // namespace busbar::gpu
