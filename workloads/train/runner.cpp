// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/runner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>
#include <sys/resource.h>

#include "core/job/usage.hpp"
#include "core/mpi/group.hpp"
#include "core/sampling/shuffle.hpp"
#include "workloads/optimiser.hpp"
#include "workloads/reducer/mpi.hpp"

namespace busbar {
namespace {

constexpr double round_s = 0.5;  ///< of a case: a round has as many steps as take so long, two at least
constexpr int least_steps = 2, most_steps = 100;

/// Largest resident set of this process so far (ru_maxrss: in KiB on Linux).
std::uint64_t peak_resident_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::unique_ptr<Reducer> make_reducer(const Communicator& team, int host, const TrainSettings& s) {
  if (team.size() == 1) return nullptr;
  if (s.sharded) return make_sharded(team, s.wire);
  return s.hierarchical ? make_hierarchical(team, host, s.wire) : make_allreduce(team, s.wire);
}

int steps_of_round(double step_s) {
  return std::clamp(static_cast<int>(std::ceil(round_s / std::max(step_s, 1e-6))), least_steps, most_steps);
}

}  // namespace

/// This rank's part in a case.
class TrainRunner::Member {
 public:
  Member(Communicator team, int host, Worker& its_worker, int micro_batches, const TrainSettings& s)
      : group_(group_of(team.split(0).value())),
        reducer_(make_reducer(team, host, s)),
        buckets_(fuse(its_worker.compute().stripes(), size_of(s.wire), s.fusion)),
        worker(its_worker),
        replica(its_worker.compute(), micro_batches, reducer_.get(), *s.overlap, buckets_) {}

  [[nodiscard]] Group& team() { return *group_; }
  [[nodiscard]] std::size_t buckets() const { return reducer_ ? buckets_.size() : 0; }

 private:
  std::unique_ptr<Group> group_;
  std::unique_ptr<Reducer> reducer_;
  std::vector<Bucket> buckets_;

 public:
  Worker& worker;
  Replica replica;
};

/// A case on its way through the rounds.
struct TrainRunner::Running {
  const TrainCase& plan;
  std::unique_ptr<Member> member;  ///< none: this rank has no part in it
  int steps = 0;                   ///< of a round; the same on all ranks
  std::uint64_t taken = 0;
  double spent_s = 0;
  std::optional<double> loss_first;
  std::vector<TrainRound> rounds;
  std::vector<double> step_s;  ///< of the rounds
  std::optional<std::string> problem;
  Usage usage;
};

TrainRunner::TrainRunner(Group& group, Ranks ranks, TrainSettings settings, MakeWorker make_worker,
                         std::optional<Peak> peak)
    : group_(group),
      world_(Communicator::world()),
      ranks_(std::move(ranks)),
      settings_(std::move(settings)),
      rules_(rules_of(settings_.stop, settings_.steps)),
      make_worker_(std::move(make_worker)),
      peak_(std::move(peak)),
      before_bytes_(peak_resident_bytes()) {}

TrainRunner::~TrainRunner() = default;

Worker* TrainRunner::worker(int micro_batch) {
  const auto it = workers_.find(micro_batch);
  return it == workers_.end() ? nullptr : it->second.get();
}

void TrainRunner::prepare(const TrainCase& plan, Running& running) {
  std::optional<int> job;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j)
    if (std::ranges::find(plan.jobs[j], group_.rank()) != plan.jobs[j].end()) job = static_cast<int>(j);
  auto team = world_.split(job);
  const int micro_batches = plan.key.training->micro_batches, at_once = plan.batch / micro_batches;
  const Verdict built = agree(group_, attempt([&] {
                                if (team && !workers_[at_once]) workers_[at_once] = make_worker_(at_once);
                              }));
  if (!built.ok()) throw UsageError(built.reason);
  if (team)
    running.member = std::make_unique<Member>(std::move(*team), ranks_.hosts[static_cast<std::size_t>(group_.rank())],
                                              *workers_[at_once], micro_batches, settings_);
}

/// Tells how many steps a round has, by the slowest rank's last step.
void TrainRunner::warm_up(Running& running) {
  std::array<double, 2> slowest{0, 0};
  if (running.member) {
    running.member->worker.compute().reset();
    for (int i = 0; i < std::max(1, settings_.warmup); ++i) {
      slowest[0] = running.member->replica.step().step_s;
      if (i == 0) slowest[1] = running.member->replica.loss().value_or(0);
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

RankReport TrainRunner::report(Member& member, int steps) {
  Compute& compute = member.worker.compute();
  compute.reset();
  static_cast<void>(member.replica.step());  // not timed: caches and pages are those of another case
  RankReport r;
  const LayerSums layers = member.worker.layers();
  member.team().barrier();
  const std::int64_t begin_ns = steady_ns();
  for (int i = 0; i < steps; ++i) {
    const StepTimes t = member.replica.step();
    r.times += t;
    r.step_s.push_back(t.step_s);
  }
  r.wall_s = seconds_since(begin_ns);
  r.layers = member.worker.layers() - layers;
  r.loss = member.replica.loss().value_or(std::numeric_limits<double>::quiet_NaN());
  r.state = hash_of(member.replica.state());
  return r;
}

void TrainRunner::visit(Running& running, double at_s) {
  const std::int64_t begin_ns = steady_ns();
  int steps = running.steps;
  if (settings_.steps) steps = std::min(steps, *settings_.steps - static_cast<int>(running.taken));
  const Usage before = meter_.whole();
  RankReport mine{.step_s = std::vector<double>(static_cast<std::size_t>(steps))};
  if (running.member) mine = report(*running.member, steps);
  running.usage += meter_.whole() - before;
  group_.barrier_asleep();
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
  running.spent_s += seconds_since(begin_ns);
  if (!running.problem) running.problem = difference(running.plan, running.rounds.back());
}

/// One decision for all ranks, rank 0's: empty, or what ended the case that went on longest.
std::string_view TrainRunner::ended(const std::vector<std::unique_ptr<Running>>& all, const TrainObserver& observer) {
  static constexpr std::array<std::string_view, 8> words{"",           "count",       "converged",  "time_budget",
                                                         "run_budget", "max_samples", "wrong_data", "interrupted"};
  std::string_view mine;
  for (const auto& r : all) {
    if (r->problem) mine = "wrong_data";
    if (mine == "wrong_data") break;
    const double now_s = seconds_since(start_ns_);
    const auto one = ended_by(rules_, {.round_medians_s = r->step_s,
                                       .samples = r->taken,
                                       .spent_s = r->spent_s,
                                       .span_s = now_s - r->rounds.front().at_s,
                                       .run_s = now_s - all.front()->rounds.front().at_s});
    mine = one.value_or("");
    if (!one) break;
  }
  if (observer.interrupted()) mine = "interrupted";
  const auto code = std::ranges::find(words, mine) - words.begin();
  return words[static_cast<std::size_t>(group_.broadcast(static_cast<double>(code)))];
}

std::optional<Memory> TrainRunner::memory_of(const std::optional<Memory>& sizes) {
  const std::array mine{static_cast<double>(peak_resident_bytes()), static_cast<double>(before_bytes_)};
  const auto all = group_.all_gather(std::span<const double>(mine));
  if (!sizes) return std::nullopt;
  Memory m = *sizes;
  for (std::size_t r = 0; r < all.size(); r += 2)
    if (static_cast<double>(m.peak_bytes) < all[r]) {
      m.peak_bytes = static_cast<std::uint64_t>(all[r]);
      m.before_bytes = static_cast<std::uint64_t>(all[r + 1]);
    }
  m.needed_bytes = m.weights_bytes + m.gradients_bytes + m.momenta_bytes + m.activations_bytes;
  return m;
}

/// What is known of a case before its rounds are looked at. Rank 0 has a part in every case.
Training TrainRunner::facts_of(Running& running) {
  Training t;
  const int micro_batches = running.plan.key.training->micro_batches;
  Worker* const mine = worker(running.plan.batch / micro_batches);
  t.memory = memory_of(mine == nullptr ? std::nullopt : mine->memory());
  if (mine != nullptr) t.arithmetic = mine->arithmetic();
  if (!t.arithmetic) return t;
  t.arithmetic->flop_per_step *= micro_batches;
  for (LayerCost& cost : t.arithmetic->layers) cost.flop *= micro_batches;
  if (peak_) {
    t.arithmetic->peak_flop_per_s = peak_->flop_per_s;
    t.arithmetic->peak_instructions = std::string(peak_->instructions);
  }
  return t;
}

CaseRecord TrainRunner::conclude(const std::vector<std::unique_ptr<Running>>& all, std::size_t index,
                                 std::string_view ended_by) {
  Running& running = *all[index];
  CaseRecord record{.index = static_cast<int>(index), .key = running.plan.key, .training = facts_of(running)};
  record.warmup_iterations = settings_.warmup;
  record.ended_by = ended_by;
  record.calls_per_sample = 1;
  record.wall_s = running.spent_s;
  record.started_s = running.rounds.front().at_s;
  record.check = {.state = running.problem ? "failed" : "passed", .calls_checked = running.rounds.size()};
  if (running.problem) {
    record.status = Status::failed;
    record.reason = running.problem;
  }
  std::span<const TrainRound> alone;
  for (const auto& other : all)
    if (running.plan.jobs.size() > 1 && other->plan.jobs.size() == 1 &&
        other->plan.jobs.front().size() == running.plan.jobs.front().size())
      alone = other->rounds;
  CaseFacts facts{.reduced_bytes = running.plan.key.ranks > 1 ? running.plan.key.bytes : 0,
                  .buckets = running.member ? static_cast<int>(running.member->buckets()) : 0,
                  .loss_first = running.loss_first};
  if (settings_.sharded && running.member) facts.spread_bytes = running.member->replica.state().size_bytes();
  summarise(record,
            {.plan = running.plan,
             .rounds = running.rounds,
             .baseline = all.front()->plan,
             .baseline_rounds = all.front()->rounds,
             .alone_rounds = alone},
            facts, rules_, settings_.stop.confidence, ranks_.places);
  add_usage(group_, running.usage, ranks_, record);
  return record;
}

void TrainRunner::run(const std::vector<TrainCase>& plan, TrainObserver& observer) {
  std::vector<std::unique_ptr<Running>> all;
  for (const TrainCase& c : plan) {
    all.push_back(std::make_unique<Running>(Running{.plan = c}));
    prepare(c, *all.back());
  }
  or_abort(group_, [&] {
    const auto what = [](const TrainCase& c) {
      return c.jobs.size() == 1 ? fmt::format("{} on {} ranks", c.key.collective, c.key.ranks)
                                : fmt::format("{} jobs of {} ranks", c.jobs.size(), c.jobs.front().size());
    };
    for (const auto& r : all) {
      observer.visit(0, all.size(), seconds_since(start_ns_), what(r->plan));
      warm_up(*r);
    }
    std::string_view end;
    for (int number = 1; end.empty(); ++number) {
      std::vector<std::size_t> order(all.size());
      std::iota(order.begin(), order.end(), 0);
      shuffle(std::span(order), static_cast<std::uint32_t>(number));
      for (const std::size_t i : order) {
        observer.visit(number, all.size(), seconds_since(start_ns_), what(all[i]->plan));
        visit(*all[i], group_.broadcast(seconds_since(start_ns_)));
      }
      end = ended(all, observer);
    }
    for (std::size_t i = 0; i < all.size(); ++i) observer.take(conclude(all, i, end));
  });
}

}  // namespace busbar
