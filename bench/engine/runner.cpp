// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/runner.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/core.h>

#include "core/environment/environment.hpp"
#include "core/nvml/device.hpp"
#include "core/record/case_record.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double clock_check_every_s = 5;
constexpr double keep_share = 0.01;        ///< largest share of the time for keep()
constexpr double first_keep_share = 0.02;  ///< the same in the first round, of the time left
constexpr std::size_t few_cases = 64;      ///< so few cases are kept after each visit of the first round
constexpr double look_every_s = 0.05;      ///< interval between checks of the time left, during a batch
constexpr int look_every_calls = 3;        ///< the same in calls if CPUs are shared: one call can take 30 ms then
constexpr int rounds_aimed_at = 12, rounds_left = 4;
constexpr double line_s = 0.005;        ///< concluding a case: agreement, and one synced line of the record
constexpr double end_s = 0.8;           ///< ending the run and its processes beside busy loops
constexpr double end_share = 0.015;     ///< additional share of the time for that
constexpr double most_of_time = 0.1;    ///< upper limit of the reserve, as a share of the time
constexpr int enough_where_unsure = 9;  ///< samples whose median tolerates waits for a CPU
constexpr double enough_s = 0.03;       ///< time limit for them, and for the calls before them
constexpr double long_sample_s = 1e-3;  ///< of a stream between pairs
constexpr int most_missed_rounds = 5;   ///< rounds without a valid sample that end a case; windows grow after each

BatchSize batch_of(const Settings& s) {
  BatchSize batch{.limit = s.stop.most_samples};
  if (s.fixed_count) batch.fixed = static_cast<std::uint64_t>(*s.fixed_count);
  return batch;
}

/// The second call of an alternating case.
Case second_of(Case c) {
  c.count = c.second_count;
  return c;
}

}  // namespace

Runner::Runner(Group& group, Backend& backend, const BackendFactory& kind, Settings settings, Ranks ranks, Team team,
               ClockSync& clock, Progress& progress, std::optional<SecondKind> second)
    : group_(group),
      library_(kind),
      settings_(std::move(settings)),
      rules_(rules_of(settings_.stop, settings_.fixed_count)),
      batch_(batch_of(settings_)),
      ranks_(std::move(ranks)),
      first_{backend, std::move(team), Buffers(backend.memory(), settings_.offsets)},
      clock_(clock),
      progress_(progress),
      sampler_(group, clock_, progress,
               {.check = settings_.check,
                .clock = settings_.clock,
                .yield = ranks_.yield,
                .costs = settings_.costs,
                .gated = backend.facts().device_clock}),
      work_(first_.backend.work()),
      meter_("/", group.threads() != nullptr) {
  if (second) {
    second_.emplace(
        Kind{second->backend, std::move(second->team), Buffers(second->backend.memory(), settings_.offsets)});
    both_ = std::move(second->both);
  }
  note_contention(settings_.cpus_shared);
  if (settings_.settle) settler_.emplace(group_, ranks_.hosts, settings_.known_barrier_s);
  const BackendFacts facts = backend.facts();
  gpu_ = nvml::open_gpu(facts.device_uuid, facts.device_bus);
}

double Runner::since_start() const { return seconds_since(start_ns_); }

/// Time until sampling must end for the launch to end in time. Rank 0's counts.
double Runner::left_s() const {
  if (!settings_.end_ns) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*settings_.end_ns - steady_ns()) * 1e-9 - reserve_s_;
}

/// Reserve for ending the run with `cases` cases to conclude. It grows with the time: longer launches can spare more,
/// and on a busy machine the end waits for CPUs (2 of 20 launches of 60 s were more than 1 s late).
double Runner::end_reserve(std::size_t cases) const {
  return std::min(end_s + end_share * time_s_ + line_s * static_cast<double>(cases), most_of_time * time_s_);
}

/// Returns a collective check: true while time is left of the launch and of `limit_s` from now on.
std::function<bool()> Runner::more_within(double limit_s) {
  return [this, end_s = since_start() + limit_s] {
    return group_.broadcast(left_s() > 0 && since_start() < end_s ? 1.0 : 0.0) > 0;
  };
}

/// True if a visit may meet only samples that waited for a CPU. Such a visit does not count, and ends early.
bool Runner::is_unsure() const { return unsure_visits_ > 0 && settings_.end_ns; }

void Runner::note_contention(bool contended) {
  constexpr int visits = 20;  // others can pause for some
  contended_ = contended;
  unsure_visits_ = contended ? visits : std::max(0, unsure_visits_ - 1);
  group_.sleep_in_waits(unsure_visits_ > 0);
}

Look Runner::look_during(const CaseRun& run) {
  if (!settings_.end_ns) return {};
  const double limit_s = is_unsure() ? enough_s : std::numeric_limits<double>::infinity();
  const double calls = run.cycle_s > 0 ? look_every_s / run.cycle_s : 1, most = is_unsure() ? look_every_calls : 1e9;
  return {.every = static_cast<int>(std::clamp(calls, 1.0, most)), .more = more_within(limit_s)};
}

const Pattern& Runner::pattern(Kind& kind, const Case& spec) const {
  const bool checking = settings_.check != Checking::off;
  const int all = kind.team.world.ranks, reducing = spec.op ? spec.collective->reducing(all) : all;
  const int rank = reducing == all                                                                  ? kind.team.rank
                   : spec.collective->peers(spec.geometry(kind.team.rank, all)).to < kind.team.rank ? 1
                                                                                                    : 0;
  const auto key = std::tuple(spec.type, spec.op, reducing);
  return kind.patterns.try_emplace(key, spec.type, spec.op, rank, reducing, checking).first->second;
}

/// The kinds of teams that a case calls, in order; empty if that is one team of all ranks.
std::vector<const Team*> Runner::teams_of(const Case& c) const {
  if (c.caller == Caller::alternating) return {&first_.team, &second_->team};
  const Team& team = c.caller == Caller::second ? second_->team : first_.team;
  return team.teams.size() > 1 ? std::vector{&team} : std::vector<const Team*>{};
}

Layout Runner::layout(const Kind& kind, const Case& c) {
  return c.collective->layout(c.geometry(kind.team.rank, kind.team.world.ranks, kind.backend.reduces_to_own_block()));
}

CaseRecord Runner::blank(const Case& spec) const {
  const Team& team = spec.caller == Caller::first ? first_.team : spec.caller == Caller::second ? second_->team : both_;
  CaseRecord record{.index = spec.number,
                    .key = key_of(spec, team, library_.name, first_.backend.memory().kind()),
                    .count = spec.count};
  record.check.state = spec.bytes == 0 ? CheckState::none : CheckState::off;
  return record;
}

/// Bytes that each case needs in this rank's memory: buffers of all ranks that share it, and an allowance for copies by
/// the library.
std::vector<double> Runner::needs(const std::vector<Case>& plan) const {
  const auto need = [](const Kind& kind, const Case& c) {
    const Layout l = layout(kind, c);
    const std::size_t buffers = c.in_place ? l.in_place_total() : l.send + l.recv;
    return static_cast<double>(buffers + std::max(l.send, l.recv)) * static_cast<double>(size_of(c.type));
  };
  std::vector<double> mine;
  for (const Case& c : plan) {
    mine.push_back(need(c.caller == Caller::second ? *second_ : first_, c));
    if (c.caller == Caller::alternating) mine.back() += need(*second_, second_of(c));
  }
  const auto all = group_.all_gather(mine);
  const auto places = group_.all_gather(first_.backend.memory().place());
  const auto me = static_cast<std::size_t>(group_.rank());
  std::vector<double> needed(plan.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const std::size_t r = i / plan.size(); ranks_.hosts[r] == ranks_.hosts[me] && places[r] == places[me])
      needed[i % plan.size()] += all[i];
  return needed;
}

/// Reserves buffers for a case and checks that the backend can run it. Collective over the group.
Verdict Runner::reserve(const Case& spec, double need, double available) {
  const Verdict fits = agree(
      group_, attempt([&] {
        if (need > available)
          throw Unsupported(
              fmt::format("needs {:.1f} GB on {}, buffers and the library's copies together; {:.1f} GB are free",
                          need * 1e-9, first_.backend.memory().place(), available * 1e-9));
        if (spec.cadence == Cadence::cold && first_.backend.memory().kind() != "host")
          throw Unsupported("--condition cold: empties the caches of CPUs, not of devices; measures host memory only");
      }));
  if (!fits.ok()) return fits;
  const Verdict first = reserve_in(kind_of(spec), spec);
  return first.ok() && spec.caller == Caller::alternating ? reserve_in(*second_, second_of(spec)) : first;
}

Verdict Runner::reserve_in(Kind& kind, const Case& spec) {
  const Layout its_layout = layout(kind, spec);
  const auto its_call = [&] { return kind.buffers.view(spec, its_layout, kind.team.rank, kind.team.world.ranks).call; };
  const Verdict prepared = agree(group_, attempt([&] {
                                   static_cast<void>(kind.backend.find_call(spec.collective->call, spec.form));
                                   kind.buffers.reserve(its_layout, spec);
                                   kind.backend.prepare(*spec.collective, its_call());
                                 }));
  if (!prepared.ok() || (spec.algorithm.empty() && spec.form != CallForm::persistent)) return prepared;
  return agree(group_, attempt([&] { kind.backend.try_out(*spec.collective, its_call()); }));
}

std::unique_ptr<CaseRun> Runner::make_run(const Case& spec, CaseRecord record) {
  Kind& kind = kind_of(spec);
  auto run =
      std::make_unique<CaseRun>(spec, std::move(record), layout(kind, spec),
                                Checker(kind.backend.memory(), spec, pattern(kind, spec)), ranks_.timer.resolution_s);
  if (spec.caller == Caller::alternating)
    run->second = std::make_unique<SecondSpec>(spec, layout(*second_, second_of(spec)), second_->backend.memory(),
                                               pattern(*second_, spec));
  run->telemetry = TelemetryMeter(gpu_.get());
  return run;
}

/// Gives peers access to the buffers, once they no longer grow, if there are one-sided cases, and tries each of these.
/// Those that cannot be measured get the reason. Collective over the group.
void Runner::expose(const std::vector<Case>& plan, std::vector<Verdict>& verdicts) {
  std::vector<std::size_t> one_sided;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (verdicts[i].ok() && plan[i].collective->family == Family::one_sided) one_sided.push_back(i);
  if (one_sided.empty()) return;
  const Verdict all = expose_in(first_);
  for (const std::size_t i : one_sided) verdicts[i] = all.ok() ? try_out(plan[i]) : all;
}

/// Collective over the group.
Verdict Runner::expose_in(Kind& kind) {
  const Verdict verdict =
      agree(group_, attempt([&] { kind.backend.expose(kind.buffers.send(), kind.buffers.recv()); }));
  kind.exposed = verdict.ok();
  return verdict;
}

/// Collective over the group.
Verdict Runner::try_out(const Case& spec) {
  Kind& kind = kind_of(spec);
  return agree(group_, attempt([&] {
                 const Call call =
                     kind.buffers.view(spec, layout(kind, spec), kind.team.rank, kind.team.world.ranks).call;
                 kind.backend.prepare(*spec.collective, call);
                 kind.backend.try_out(*spec.collective, call);
               }));
}

/// Returns the cases that can be measured, after trying the largest first; the observer gets the others, with reasons.
Runner::Active Runner::admit(const std::vector<Case>& plan, Observer& observer) {
  const auto needed = needs(plan);
  const auto free = first_.backend.memory().available();
  const double available = free ? static_cast<double>(*free) : std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(plan.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return plan[i].all_bytes(); });
  std::vector<Verdict> verdicts(plan.size());
  for (const std::size_t i : order) {
    progress_.step("start-up: trying " + to_string(blank(plan[i]).key));
    verdicts[i] = plan[i].skip ? Verdict{Severity::skipped, *plan[i].skip} : reserve(plan[i], needed[i], available);
  }
  expose(plan, verdicts);
  Active active;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    CaseRecord record = blank(plan[i]);
    if (verdicts[i].ok()) {
      active.push_back(make_run(plan[i], std::move(record)));
    } else {
      record.status = verdicts[i].severity == Severity::skipped ? Status::skipped : Status::failed;
      record.reason = verdicts[i].reason;
      observer.add_case(record);
    }
  }
  return active;
}

Prepared Runner::begin(Kind& kind, const Case& spec, const Layout& its_layout, Checker& checker) {
  Prepared p = kind.buffers.view(spec, its_layout, kind.team.rank, kind.team.world.ranks);
  p.backend = &kind.backend;
  kind.backend.prepare(*spec.collective, p.call);
  kind.backend.create_request(*spec.collective, p.call);
  p.make = kind.backend.find_call(spec.collective->call, spec.form);
  checker.prepare(p);
  return p;
}

std::optional<SecondCall> Runner::begin_second(CaseRun& run) {
  if (!run.second) return std::nullopt;
  SecondSpec& second = *run.second;
  return SecondCall{.prepared = begin(*second_, second.spec, second.layout, second.checker), .checker = second.checker};
}

int Runner::calls_a_sample(const Case& spec, double call_s, double timer_s) const {
  if (settings_.graph_calls > 0) return settings_.graph_calls;
  if (spec.cadence == Cadence::cold) return 1;  // caches would be warm for a second call
  if (spec.cadence != Cadence::streaming) return group_size(call_s, timer_s);
  if (!spec.collective->between_pairs()) return settings_.streaming_calls;
  // In streams between pairs only the start of the first call differs: more calls do not change long samples.
  return static_cast<int>(std::clamp(long_sample_s / call_s, 1.0, static_cast<double>(settings_.streaming_calls)));
}

/// Duration of a sample, estimated from the first calls of a case.
double Runner::believable_cycle(const Case& spec, const Combined& first_calls) const {
  if (!first_calls.contended) return first_calls.cycle_s;
  return std::min(first_calls.shortest_cycle_s, longest_cycle(spec.all_bytes(), last_));
}

/// Makes the calls before a batch. In the first round these are the requested number, and show how long a sample takes;
/// in later rounds few, or none if none were requested. Returns the number of calls, including a graph's first launch.
std::uint64_t Runner::warm_up(CaseRun& run, Prepared& p, SecondCall* second) {
  const bool first = run.repeat == 0;
  const int calls = first || settings_.warmup == 0 ? settings_.warmup : batch_.warm_up(run.cycle_s / run.repeat);
  if (first && second == nullptr) p.backend->listen();
  Look look = look_during(run);
  if (first && settings_.warmup_s) look = {.every = 1, .more = more_within(*settings_.warmup_s)};
  const Usage before = first ? meter_.whole() : Usage{};
  const Batch mine = sampler_.sample_batch(run.spec, p, run.checker, calls, {}, true, look, second);
  if (first) {
    run.warmup_calls = static_cast<int>(mine.samples.size());
    if (second == nullptr) run.record.choice = p.backend->choice();
    if (const auto function = p.backend->library_call(); !function.empty()) run.record.library_call = function;
    const bool contended = contention_in_batch(meter_.whole() - before).contended();
    const Combined all = sampler_.combine(run.spec, mine, 1, run.wrong_here(), contended);
    note_contention(all.contended);
    const double call_s = all.slowest_s.empty() ? 1.0 : median(all.slowest_s);
    const double timer_s = std::max(ranks_.timer.resolution_s, ranks_.timer.cost_s);
    const int together = run.spec.advance ? 1 : calls_a_sample(run.spec, call_s, timer_s);
    run.repeat = static_cast<int>(group_.broadcast(static_cast<double>(together)));
    if (calls > 0) run.cycle_s = believable_cycle(run.spec, all) + (run.repeat - 1) * call_s;
    run.window.emplace(std::array{std::max(run.cycle_s, 1e-5)});
  }
  if (second != nullptr) {
    second->pairs = run.repeat;
    return mine.calls;
  }
  p.call.repeat = run.repeat;
  if (p.call.repeat > 1) p.backend->prepare(*run.spec.collective, p.call);
  return mine.calls + static_cast<std::uint64_t>(settings_.graph_calls > 1 ? run.repeat : 0);
}

/// Sets the work beside the calls of a visit, by the time that the call alone took in the previous visit. Before the
/// first visit it makes some calls to know it: warm-up calls are slower. If ranks share CPUs, the shortest call counts:
/// work of the length of a wait for a CPU would make ranks wait for each other all the time.
void Runner::set_work(CaseRun& run, Prepared& p) {
  constexpr int calls = 9;
  constexpr double most_s = 0.03;
  if (run.alone_s == 0) {
    const Look look{.every = 1, .more = more_within(most_s)};
    const Batch mine = sampler_.sample_batch(run.spec, p, run.checker, calls, {}, true, look);
    const auto alone_s = sampler_.combine(run.spec, mine, 1, run.checker.wrong(), contended_).slowest_s;
    run.alone_s = contended_ ? std::min(std::ranges::min(alone_s), longest_cycle(run.spec.bytes, {})) : median(alone_s);
    run.cycle_s += run.alone_s * (1 + 0.02 * run.spec.work);  // the call alone, and the work twice
  }
  work_.begin(*run.spec.advance, run.alone_s * 0.01 * run.spec.work);
  p.work = &work_;
}

void Runner::visit(CaseRun& run) {
  const double pace_before_s = pace_.measure();
  Prepared p = begin(kind_of(run.spec), run.spec, run.layout, run.checker);
  std::optional<SecondCall> also = begin_second(run);
  SecondCall* second = also ? &*also : nullptr;
  const double at_s = since_start();
  run.telemetry.begin_visit();
  const std::uint64_t warmup_calls = warm_up(run, p, second);
  if (run.spec.advance) set_work(run, p);
  const bool unsure = is_unsure();
  const int wanted = left_s() > 0 ? batch_(run.cycle_s, run.taken(), unsure ? enough_where_unsure : 1) : 0;
  const int n = static_cast<int>(group_.broadcast(static_cast<double>(wanted)));
  if (n == 0) return work_.rest();  // no time is left
  Windows windows;
  if (run.spec.cadence == Cadence::synchronised)
    windows = {.start_ns = clock_.agree_on_start(group_, run.window->lead_s()),
               .length_ns = static_cast<std::int64_t>(run.window->seconds() * 1e9)};
  const Usage before = meter_.whole();
  const Look look = look_during(run);
  Batch mine = sampler_.sample_batch(run.spec, p, run.checker, n, windows, false, look, second);
  const Usage used = meter_.whole() - before;
  work_.rest();
  mine.pace_s = 0.5 * (pace_before_s + pace_.measure());
  run.telemetry.end_visit(warmup_calls + mine.calls);
  const int parts = run.repeat * run.spec.parts();
  Combined all = sampler_.combine(run.spec, mine, parts, run.wrong_here(), contention_in_batch(used).contended());
  sampler_.combine_teams(mine, parts, teams_of(run.spec), all);
  all.barrier_s = barrier_s_;
  note_contention(all.contended);
  if (unsure && !all.wrong && mostly_waits(all.slowest_s, run.cycle_s / parts)) return run.leave_out_waits();
  run.window->after_batch(static_cast<double>(all.invalid) / static_cast<double>(mine.samples.size()));
  run.add(mine, all, used, at_s, since_start() - at_s, group_.rank() == 0);
  last_ = {.bytes = run.spec.all_bytes(), .cycle_s = run.cycle_s};
}

/// `next_s`: duration of the next visit.
std::optional<EndedBy> Runner::ended(const CaseRun& run, double next_s) const {
  if (run.wrong()) return EndedBy::wrong_data;
  if (run.missed() >= most_missed_rounds) return EndedBy::missed_windows;
  return ended_by(rules_, run.sampling(since_start(), left_s() - next_s));
}

CaseRecord Runner::conclude(CaseRun& run, EndedBy by, std::size_t samples) {
  run.record.warmup_iterations = run.warmup_calls;
  if (run.spec.op) run.record.reduction = kind_of(run.spec).backend.reduction(run.spec.type, *run.spec.op);
  const auto kinds = teams_of(run.spec);
  return run.conclude(group_, {.ended_by = by,
                               .rules = rules_,
                               .confidence = settings_.stop.confidence,
                               .keep = samples,
                               .clock_error_s = clock_.facts().residual_s + clock_.facts().uncertainty_s,
                               .check = settings_.check != Checking::off,
                               .costs = settings_.costs,
                               .clock = settings_.clock,
                               .ranks = ranks_,
                               .kinds = kinds});
}

/// Settles ranks and sets the length of visits, by rank 0's clock. `last_round_s`: duration of the last round; 0: none.
void Runner::plan_round(int number, double last_round_s) {
  const std::array mine{left_s(), last_round_s};
  const auto all = group_.all_gather(std::span<const double>(mine));
  if (settler_ && number > 1) settler_->watch_barrier(since_start() - sampling_since_s_, all[0], !contended_);
  const bool one_host = world_of(ranks_.hosts).nodes == 1;
  barrier_s_ = settler_ && one_host ? std::optional(settler_->last_barrier_s()) : std::nullopt;
  if (settings_.end_ns) batch_.fit(all[0], all[1], std::max(rounds_aimed_at - number, rounds_left));
}

/// The cases of a run on their way through the rounds.
class Runner::Rounds final : public RoundTask {
 public:
  Rounds(Runner& runner, Active& active, std::size_t cases, Observer& observer)
      : runner_(runner), active_(active), cases_(cases), observer_(observer) {}

  void begin_round(int round, double last_s) override {
    runner_.check_clocks();
    runner_.plan_round(round, last_s);
  }
  void sort(std::span<std::size_t> cases, int round) override {
    RoundTask::sort(cases, round);
    if (!runner_.settings_.end_ns) return;
    // If time is short, more cases get some of it.
    if (round == 1)
      std::ranges::stable_sort(cases, {}, [&](std::size_t i) { return active_[i]->spec.all_bytes(); });
    else
      std::ranges::stable_partition(cases, [&](std::size_t i) { return active_[i]->taken() == 0; });
  }
  void visit(const Turn& turn) override {
    CaseRun& run = *active_[turn.at];
    observer_.visit({.round = turn.round, .key = run.record.key, .active = turn.active, .cases = cases_});
    runner_.visit(run);
  }
  [[nodiscard]] std::optional<EndedBy> ended(const Turn& turn) override {
    const CaseRun* next = active_[turn.next].get();
    return runner_.ended(*active_[turn.at], next != nullptr ? next->visit_s() : 0);
  }
  [[nodiscard]] bool interrupted() const override { return observer_.interrupted(); }
  void keep(const Turn& turn) override { runner_.keep(active_, turn, observer_); }
  void conclude(std::size_t at, EndedBy by) override {
    observer_.add_case(runner_.conclude(*active_[at], by, runner_.settings_.keep));
    active_[at] = nullptr;
  }

 private:
  Runner& runner_;
  Active& active_;
  std::size_t cases_;
  Observer& observer_;
};

/// Hands intermediate results to the observer, so that a killed run loses at most the last keep_every_s. In the first
/// round, few cases are kept after each visit. Both only while that is cheap: if CPUs are shared, each agreement waits
/// for every rank. Rank 0's clock decides.
void Runner::keep(const Active& active, const Turn& turn, Observer& observer) {
  const bool first_visit =
      turn.round == 1 && active.size() <= few_cases && first_keeps_s_ < first_keep_share * left_s();
  const bool due = settings_.keep_every_s > 0 && (first_visit || since_start() >= keep_at_s_);
  if (group_.broadcast(due ? 1.0 : 0.0) == 0) return;
  const double begin_s = since_start();
  std::vector<CaseRecord> unfinished;
  for (const auto& run : active)
    if (run && run->taken() > 0) unfinished.push_back(conclude(*run, EndedBy::unfinished, 0));
  observer.keep(std::move(unfinished));
  const double took_s = since_start() - begin_s;
  reserve_s_ = end_reserve(turn.active) + 1.5 * took_s;
  keep_at_s_ = since_start() + std::max(settings_.keep_every_s, took_s / keep_share);
  if (turn.round == 1) first_keeps_s_ += took_s;
}

/// Checks the synchronised clocks periodically, if all their ranks are in this group. Rank 0's clock decides.
void Runner::check_clocks() {
  if (group_.size() < clock_.ranks()) return;
  const double now_s = group_.broadcast(since_start());
  if (now_s - clock_checked_s_ < clock_check_every_s) return;
  clock_.check(now_s);
  clock_checked_s_ = now_s;
}

std::optional<Settling> Runner::settling() const { return settler_ ? std::optional(settler_->facts()) : std::nullopt; }

void Runner::run(const std::vector<Case>& plan, Observer& observer) {
  Active active = admit(plan, observer);
  time_s_ = left_s();
  reserve_s_ = end_reserve(active.size());
  if (settings_.end_ns)
    batch_.fit(group_.broadcast(left_s()), batch_.seconds * static_cast<double>(active.size()), rounds_aimed_at);
  if (settler_) settler_->begin(group_.broadcast(left_s()), !contended_);
  sampling_since_s_ = since_start();
  or_abort(group_, [&] {
    Rounds rounds(*this, active, plan.size(), observer);
    run_rounds(group_, rounds, active.size());
    if (first_.exposed) first_.backend.withdraw();
  });
}

}  // namespace busbar
