// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/runner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>
#include <sys/resource.h>

#include "core/base/units.hpp"
#include "core/job/usage.hpp"
#include "core/mpi/group.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "workloads/networks/optimiser.hpp"

namespace busbar {
namespace {

constexpr double round_s = 0.5;  ///< length of a visit, which has at least two steps
constexpr double keep_every_s = 5;
constexpr int least_steps = 2, most_steps = 100;

/// Largest resident set of this process so far (ru_maxrss: in KiB on Linux).
std::uint64_t peak_resident_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

int steps_of_round(double step_s) {
  return std::clamp(static_cast<int>(std::ceil(round_s / std::max(step_s, 1e-6))), least_steps, most_steps);
}

/// Adds all peaks, and marks the one of the type that the step computes in.
void add_peaks(Arithmetic& a, const std::vector<Peak>& peaks, std::string_view precision) {
  for (const Peak& p : peaks) {
    a.peaks.push_back(
        {.type = std::string(name(p.type)), .instructions = std::string(p.instructions), .flop_per_s = p.flop_per_s});
    if (name(p.type) != precision) continue;
    a.peak_flop_per_s = p.flop_per_s;
    a.peak_instructions = std::string(p.instructions);
  }
}

std::string describe(const TrainCase& c) {
  const std::string group = plural(c.jobs.front().size(), "rank");
  return c.jobs.size() == 1 ? fmt::format("{} on {}", c.key.collective, group)
                            : fmt::format("{}, {} jobs of {}", c.key.collective, c.jobs.size(), group);
}

}  // namespace

/// A case on its way through the rounds.
struct TrainRunner::Running {
  const TrainCase& plan;
  std::unique_ptr<Group> team;       ///< this rank's job; null if the rank has no part in the case
  std::unique_ptr<Trainee> trainee;  ///< null likewise
  int steps = 0;                     ///< per round; the same on all ranks
  std::uint64_t taken = 0;
  double spent_s = 0, visit_s = 0;
  std::optional<double> loss_first;
  std::vector<TrainRound> rounds;
  std::vector<double> step_s;  ///< per round
  std::optional<std::string> problem;
  Usage usage;
  TelemetryMeter telemetry{nullptr};  ///< of this rank's GPU
};

TrainRunner::TrainRunner(Group& group, Ranks ranks, TrainSettings settings, MakeTrainee make_trainee,
                         std::vector<Peak> peaks, const GpuProbe* gpu, Progress& progress)
    : group_(group),
      world_(Communicator::world()),
      ranks_(std::move(ranks)),
      settings_(std::move(settings)),
      rules_(rules_of(settings_.stop, settings_.steps)),
      make_trainee_(std::move(make_trainee)),
      peaks_(std::move(peaks)),
      gpu_(gpu),
      progress_(progress),
      before_bytes_(peak_resident_bytes()) {}

TrainRunner::~TrainRunner() = default;

void TrainRunner::prepare(const TrainCase& plan, Running& running) {
  std::optional<int> job;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j)
    if (std::ranges::find(plan.jobs[j], group_.rank()) != plan.jobs[j].end()) job = static_cast<int>(j);
  const auto team = world_.split(job);
  const Verdict made = agree(group_, attempt([&] {
                               const int host = ranks_.hosts[static_cast<std::size_t>(group_.rank())];
                               if (team) running.trainee = make_trainee_(plan, *team, host);
                             }));
  if (!made.ok()) throw UsageError(made.reason);
  running.telemetry = TelemetryMeter(gpu_);
  if (team) running.team = group_of(team->duplicate(), group_);
}

/// Sets the number of steps per round from the slowest rank's last step.
void TrainRunner::warm_up(Running& running) {
  std::array<double, 2> slowest{0, 0};
  if (running.trainee) {
    running.trainee->reset();
    running.trainee->keep_times(false);
    const int steps = std::max(1, settings_.warmup);
    progress_.set_calls(steps);
    for (int i = 0; i < steps; ++i) {
      progress_.at(Phase::warm_up, i + 1);
      slowest[0] = running.trainee->step().step_s;
      if (i == 0) slowest[1] = running.trainee->loss().value_or(0);
    }
  }
  group_.barrier_asleep();
  const auto all = group_.all_gather(std::span<const double>(slowest));
  double step_s = 0, loss = 0;
  for (std::size_t r = 0; r < all.size(); r += 2) {
    step_s = std::max(step_s, all[r]);
    loss += all[r + 1];
  }
  running.steps = steps_of_round(step_s);
  if (loss > 0) running.loss_first = loss / running.plan.key.ranks;
}

/// Trains one round on a rank that has a part in the case.
RankReport TrainRunner::report(Running& running, int steps, std::optional<std::string>& wrong) {
  Trainee& trainee = *running.trainee;
  trainee.reset();
  trainee.keep_times(false);
  running.telemetry.begin_visit();
  progress_.set_calls(1);
  progress_.at(Phase::warm_up, 1);
  static_cast<void>(trainee.step());  // untimed: caches and pages still belong to another case
  trainee.keep_times(true);
  RankReport r;
  const LayerSums layers = trainee.layers();
  progress_.set_calls(steps);
  running.team->barrier();
  const std::int64_t begin_ns = steady_ns();
  for (int i = 0; i < steps; ++i) {
    progress_.at(Phase::timed, i + 1);
    const StepTimes t = trainee.step();
    r.times += t;
    r.step_s.push_back(t.step_s);
    r.compute_s.push_back(t.forward_s + t.backward_s);
  }
  r.wall_s = seconds_since(begin_ns);
  progress_.at(Phase::timed, steps, true);
  running.telemetry.end_visit(1 + static_cast<std::uint64_t>(steps));
  r.layers = trainee.layers() - layers;
  r.loss = trainee.loss().value_or(std::numeric_limits<double>::quiet_NaN());
  if (const auto state = trainee.state(); !state.empty()) r.state = hash_of(state);
  wrong = trainee.verify();
  r.wrong = wrong ? 1 : 0;
  return r;
}

/// Steps in the next round. A fixed number is split over equally many rounds for all cases, so that they end together.
int TrainRunner::steps_of(const Running& running) const {
  if (!settings_.steps) return running.steps;
  const int all = *settings_.steps, round = static_cast<int>(running.rounds.size());
  return all / fixed_rounds_ + (round < all % fixed_rounds_ ? 1 : 0);
}

void TrainRunner::visit(Running& running, double at_s) {
  const std::int64_t begin_ns = steady_ns();
  const int steps = steps_of(running);
  const Usage before = meter_.whole();
  const std::vector<double> no_times(static_cast<std::size_t>(steps));
  RankReport mine{.step_s = no_times, .compute_s = no_times};
  std::optional<std::string> wrong;
  if (running.trainee) {
    mine = report(running, steps, wrong);
  }
  group_.barrier_asleep();
  running.usage += meter_.whole() - before;
  const auto numbers = to_numbers(mine);
  const auto all = group_.all_gather(std::span<const double>(numbers));
  std::vector<RankReport> reports;
  for (const auto& job : running.plan.jobs)
    for (const int r : job)
      reports.push_back(
          to_report(std::span(all).subspan(static_cast<std::size_t>(r) * numbers.size(), numbers.size())));
  running.rounds.push_back(combine(reports, static_cast<int>(running.plan.jobs.front().size()), at_s));
  running.step_s.push_back(running.rounds.back().step_s);
  running.taken += static_cast<std::uint64_t>(steps);
  running.visit_s = seconds_since(begin_ns);
  running.spent_s += running.visit_s;
  if (running.problem) return;
  running.problem = difference(running.plan, running.rounds.back());
  if (!std::ranges::any_of(reports, [](const RankReport& r) { return r.wrong > 0; })) return;
  for (const std::string& text : group_.all_gather(wrong.value_or("")))
    if (!text.empty() && !running.problem) running.problem = text;
}

/// Time until the last visit must end for the launch to end in time. Rank 0's counts.
double TrainRunner::left_s() const {
  if (!settings_.end_ns) return std::numeric_limits<double>::infinity();
  const double reserve_s = 0.25 + 1.5 * conclusion_s_;
  return static_cast<double>(*settings_.end_ns - steady_ns()) * 1e-9 - reserve_s;
}

/// Cases end together: the reason of the one that goes on longest, or empty.
std::optional<EndedBy> TrainRunner::ended(const Cases& all) const {
  double round_s = 0;
  for (const auto& r : all) round_s += r->visit_s;
  std::optional<EndedBy> reason;
  for (const auto& r : all) {
    if (r->problem) return EndedBy::wrong_data;
    reason = ended_by(rules_, {.round_medians_s = r->step_s,
                               .samples = r->taken,
                               .spent_s = r->spent_s,
                               .span_s = seconds_since(start_ns_) - r->rounds.front().at_s,
                               .left_s = left_s() - round_s});
    if (!reason) break;
  }
  return reason;
}

std::optional<Memory> TrainRunner::memory_of(const std::optional<Memory>& sizes) {
  // A trainee that does not use host memory reports its own use.
  const bool told = sizes && sizes->peak_bytes > 0;
  const std::array mine{static_cast<double>(told ? sizes->peak_bytes : peak_resident_bytes()),
                        static_cast<double>(told ? sizes->before_bytes : before_bytes_)};
  const auto all = group_.all_gather(std::span<const double>(mine));
  if (!sizes) return std::nullopt;
  Memory m = *sizes;
  m.peak_bytes = 0;
  for (std::size_t r = 0; r < all.size(); r += 2)
    if (static_cast<double>(m.peak_bytes) < all[r]) {
      m.peak_bytes = static_cast<std::uint64_t>(all[r]);
      m.before_bytes = static_cast<std::uint64_t>(all[r + 1]);
    }
  m.needed_bytes = m.weights_bytes + m.gradients_bytes + m.momenta_bytes + m.activations_bytes;
  return m;
}

/// Facts of a case apart from its rounds. Rank 0 has a part in every case.
Training TrainRunner::facts_of(Running& running) {
  Training t{.sample = running.plan.sample, .loss_first = running.loss_first};
  Trainee* const mine = running.trainee.get();
  t.memory = memory_of(mine == nullptr ? std::nullopt : mine->memory());
  if (mine == nullptr) return t;
  t.buckets = mine->reductions();
  t.wire_bytes = mine->wire_bytes();
  if (!mine->state().empty()) t.weights_hash = fmt::format("{:016x}", running.rounds.back().states.front());
  t.pipeline = mine->pipeline(*running.team);
  t.arithmetic = mine->arithmetic();
  if (t.arithmetic) add_peaks(*t.arithmetic, peaks_, running.plan.key.training->precision.value_or("fp32"));
  return t;
}

/// Finds the case with a single job of `ranks_of_job` ranks that exchanges gradients like `running`. A single rank
/// exchanges none, so its case matches all.
const TrainRunner::Running& TrainRunner::like(const Cases& all, const Running& running, std::size_t ranks_of_job) {
  for (const auto& other : all) {
    const auto& [key, theirs] = std::pair(*running.plan.key.training, *other->plan.key.training);
    if (other->plan.jobs.size() == 1 && other->plan.jobs.front().size() == ranks_of_job &&
        (ranks_of_job == 1 || key.overlap == theirs.overlap))
      return *other;
  }
  return *all.front();
}

CaseRecord TrainRunner::conclude(const Cases& all, std::size_t index, EndedBy by) {
  Running& running = *all[index];
  CaseRecord record{.index = static_cast<int>(index), .key = running.plan.key};
  record.warmup_iterations = settings_.warmup;
  record.ended_by = by;
  record.calls_per_sample = 1;
  record.wall_s = running.spent_s;
  if (running.rounds.empty()) {
    record.status = Status::skipped;
    record.reason = by == EndedBy::run_budget ? "no time was left for it: give a longer --run-budget"
                                              : "interrupted before the first round";
    return record;
  }
  record.training = facts_of(running);
  record.started_s = running.rounds.front().at_s;
  record.check = {.state = running.problem ? CheckState::failed : CheckState::passed,
                  .calls_checked = running.rounds.size()};
  if (!settings_.with_data) record.check = {.state = CheckState::off};
  if (running.problem) {
    record.status = Status::failed;
    record.reason = running.problem;
  }
  if (record.status == Status::ok && is_cut_off(by) && running.rounds.size() < least_rounds) {
    record.status = Status::partial;
    record.reason = fmt::format("{} of the {} rounds that an interval needs", running.rounds.size(), least_rounds);
  }
  const Running& baseline = like(all, running, all.front()->plan.jobs.front().size());
  std::span<const TrainRound> alone;
  if (running.plan.jobs.size() > 1) alone = like(all, running, running.plan.jobs.front().size()).rounds;
  summarise(record,
            {.plan = running.plan,
             .rounds = running.rounds,
             .baseline = baseline.plan,
             .baseline_rounds = baseline.rounds,
             .alone_rounds = alone},
            rules_, settings_.stop.confidence, ranks_.places);
  add_usage(group_, running.usage, ranks_, record);
  add_telemetry(group_, running.telemetry.summary(), record);
  if (running.trainee)
    for (std::string& remark : running.trainee->remarks()) record.remarks.push_back(std::move(remark));
  if (index == 0 && running.trainee) profile_ = running.trainee->profile();
  if (profile_ && index == 0) profile_->optimiser_us = record.training->split->optimiser_s * 1e6;
  return record;
}

int TrainRunner::rounds_for(int steps, const Cases& all) {
  int fewest = most_steps;
  for (const auto& r : all) fewest = std::min(fewest, r->steps);
  return (steps + fewest - 1) / fewest;
}

/// Cases end together. A round that ends early leaves some cases with one more visit than others.
class TrainRunner::Rounds final : public RoundTask {
 public:
  Rounds(TrainRunner& runner, const Cases& all, TrainObserver& observer)
      : runner_(runner), all_(all), observer_(observer) {}

  void visit(const Turn& turn) override {
    Running& running = *all_[turn.at];
    observer_.visit(turn.round, describe(running.plan));
    runner_.visit(running, runner_.group_.broadcast(seconds_since(runner_.start_ns_)));
  }
  [[nodiscard]] std::optional<EndedBy> ended(const Turn& turn) override {
    if (turn.last) return runner_.ended(all_);
    return runner_.left_s() < all_[turn.next]->visit_s ? std::optional(EndedBy::run_budget) : std::nullopt;
  }
  [[nodiscard]] bool interrupted() const override { return observer_.interrupted(); }
  [[nodiscard]] bool ends_all(EndedBy /*by*/) const override { return true; }
  void keep(const Turn& turn) override {
    if (turn.last) runner_.keep(all_, observer_);
  }
  void conclude(std::size_t at, EndedBy by) override { observer_.add_case(runner_.conclude(all_, at, by)); }

 private:
  TrainRunner& runner_;
  const Cases& all_;
  TrainObserver& observer_;
};

void TrainRunner::keep(const Cases& all, TrainObserver& observer) {
  const double now_s = group_.broadcast(seconds_since(start_ns_));
  if (now_s - kept_s_ < keep_every_s) return;
  kept_s_ = now_s;
  std::vector<CaseRecord> cases;
  const std::int64_t begin_ns = steady_ns();
  for (std::size_t i = 0; i < all.size(); ++i) cases.push_back(conclude(all, i, EndedBy::unfinished));
  conclusion_s_ = seconds_since(begin_ns);
  observer.keep(cases);
}

/// Why the run ends during warm-up; empty if it does not.
std::optional<EndedBy> TrainRunner::warm_up_all(const Cases& all, TrainObserver& observer) {
  for (const auto& running : all) {
    observer.visit(0, describe(running->plan));
    warm_up(*running);
    const auto mine = left_s() > 0 ? std::nullopt : std::optional(EndedBy::run_budget);
    if (const auto end = agree_on_end(group_, mine, observer.interrupted())) return end;
  }
  return std::nullopt;
}

void TrainRunner::run(const std::vector<TrainCase>& plan, TrainObserver& observer) {
  Cases all;
  for (const TrainCase& c : plan) {
    all.push_back(std::make_unique<Running>(Running{.plan = c}));
    observer.visit(0, describe(c));
    prepare(c, *all.back());
  }
  or_abort(group_, [&] {
    Rounds rounds(*this, all, observer);
    if (const auto end = warm_up_all(all, observer)) {
      for (std::size_t i = 0; i < all.size(); ++i) rounds.conclude(i, *end);
      return;
    }
    if (settings_.steps) fixed_rounds_ = rounds_for(*settings_.steps, all);
    run_rounds(group_, rounds, all.size());
  });
}

}  // namespace busbar
