// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/runner.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "core/environment.hpp"
#include "core/nvml/own_gpu.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "core/sampling/shuffle.hpp"
#include "core/statistics.hpp"

namespace busbar {
namespace {

constexpr double clock_check_every_s = 5;
constexpr double keep_share = 0.01;    ///< of the time, at most, is spent on keeping cases that go on
constexpr std::size_t few_cases = 64;  ///< are kept after each visit of the first round
constexpr int most_missed_rounds = 5;  ///< without one valid sample; windows grow after each

BatchSize batch_of(const Settings& s) {
  BatchSize batch{.limit = s.stop.most_samples};
  if (s.fixed_count) batch.fixed = static_cast<std::uint64_t>(*s.fixed_count);
  return batch;
}

}  // namespace

Runner::Runner(Group& group, Backend& backend, const BackendFactory& kind, Settings settings, Ranks ranks, Team team,
               ClockSync& clock, Progress& progress)
    : group_(group),
      backend_(backend),
      kind_(kind),
      settings_(std::move(settings)),
      rules_(rules_of(settings_.stop, settings_.fixed_count)),
      batch_(batch_of(settings_)),
      ranks_(std::move(ranks)),
      team_(std::move(team)),
      clock_(clock),
      sampler_(group, backend, clock_, progress,
               {.cadence = settings_.cadence,
                .check = settings_.check,
                .clock = settings_.clock,
                .yield = ranks_.yield,
                .costs = settings_.costs}),
      buffers_(backend.memory(), settings_.offsets) {
  if (settings_.settle) settler_.emplace(group_, ranks_.hosts);
  const BackendFacts facts = backend_.facts();
  gpu_ = nvml::open_gpu(facts.device_uuid, facts.device_bus);
}

double Runner::since_start() const { return seconds_since(start_ns_); }

const Pattern& Runner::pattern(const Case& spec) {
  const auto key = std::pair(spec.type, spec.op);
  const bool checking = settings_.check != Checking::off;
  return patterns_.try_emplace(key, spec.type, spec.op, team_.rank, team_.world.ranks, checking).first->second;
}

Layout Runner::layout(const Case& c) const {
  return c.collective->layout({.count = c.count, .rank = team_.rank, .ranks = team_.world.ranks, .root = c.root});
}

CaseRecord Runner::blank(const Case& spec, int index) const {
  CaseRecord record{.index = index,
                    .key = key_of(spec, team_, kind_.name, backend_.memory().kind(), settings_.cadence),
                    .count = spec.count};
  record.check.state = spec.bytes == 0 ? "none" : "off";
  return record;
}

/// Bytes that each case wants of the memory of this rank: its own buffers and those of ranks that share it, and as much
/// again as a library may want for copies of its own.
std::vector<double> Runner::needs(const std::vector<Case>& plan) const {
  std::vector<double> mine;
  for (const Case& c : plan) {
    const Layout l = layout(c);
    const std::size_t buffers = c.in_place ? l.in_place_total() : l.send + l.recv;
    mine.push_back(static_cast<double>(buffers + std::max(l.send, l.recv)) * static_cast<double>(size_of(c.type)));
  }
  const auto all = group_.all_gather(mine);
  const auto places = group_.all_gather(backend_.memory().place());
  const auto me = static_cast<std::size_t>(group_.rank());
  std::vector<double> needed(plan.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const std::size_t r = i / plan.size(); ranks_.hosts[r] == ranks_.hosts[me] && places[r] == places[me])
      needed[i % plan.size()] += all[i];
  return needed;
}

/// Makes room for a case and asks the backend whether it can do it. Collective.
Verdict Runner::reserve(const Case& spec, const Layout& its_layout, double need, double available) {
  return agree(
      group_, attempt([&] {
        if (need > available)
          throw Unsupported(
              fmt::format("needs {:.1f} GB on {}, buffers and the library's copies together; {:.1f} GB are free",
                          need * 1e-9, backend_.memory().place(), available * 1e-9));
        buffers_.reserve(its_layout, spec);
        backend_.prepare(*spec.collective, buffers_.view(spec, its_layout, team_.rank, team_.world.ranks).call);
      }));
}

/// The cases that can be measured, the largest tried first; the others go to the observer with their reasons.
Runner::Active Runner::admit(const std::vector<Case>& plan, Observer& observer) {
  const auto needed = needs(plan);
  const auto free = backend_.memory().available();
  const double available = free ? static_cast<double>(*free) : std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(plan.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return plan[i].bytes; });
  std::vector<Verdict> verdicts(plan.size());
  for (const std::size_t i : order)
    verdicts[i] = plan[i].skip ? Verdict{Severity::skipped, *plan[i].skip}
                               : reserve(plan[i], layout(plan[i]), needed[i], available);
  Active active;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    CaseRecord record = blank(plan[i], static_cast<int>(i));
    if (verdicts[i].ok()) {
      active.push_back(std::make_unique<CaseRun>(plan[i], std::move(record), layout(plan[i]),
                                                 Checker(backend_.memory(), plan[i], pattern(plan[i])),
                                                 ranks_.timer.resolution_s));
      active.back()->telemetry = TelemetryMeter(gpu_.get());
    } else {
      record.status = verdicts[i].severity == Severity::skipped ? Status::skipped : Status::failed;
      record.reason = verdicts[i].reason;
      observer.take(record);
    }
  }
  return active;
}

Prepared Runner::begin(CaseRun& run) {
  Prepared p = buffers_.view(run.spec, run.layout, team_.rank, team_.world.ranks);
  backend_.prepare(*run.spec.collective, p.call);
  run.checker.prepare(p);
  return p;
}

int Runner::calls_a_sample(double call_s, double timer_s) const {
  if (settings_.graph_calls > 0) return settings_.graph_calls;
  return settings_.cadence == Cadence::streaming ? settings_.streaming_calls : group_size(call_s, timer_s);
}

/// The calls before a batch: as many as asked for in the first round, which also tell how long a sample takes; in later
/// ones for a while, unless none were asked for.
void Runner::warm_up(CaseRun& run, Prepared& p) {
  const bool first = run.repeat == 0;
  const int calls = first || settings_.warmup == 0 ? settings_.warmup : batch_.warm_up(run.cycle_s / run.repeat);
  if (first) backend_.listen();
  const Batch mine = sampler_.take(run.spec, p, run.checker, calls, {}, true);
  if (first) {
    run.record.choice = backend_.choice();
    const Combined all = sampler_.combine(mine, 1, run.checker.wrong(), false);
    const double call_s = all.slowest_s.empty() ? 1.0 : median(all.slowest_s);
    const double timer_s = std::max(ranks_.timer.resolution_s, ranks_.timer.cost_s);
    run.repeat = static_cast<int>(group_.broadcast(static_cast<double>(calls_a_sample(call_s, timer_s))));
    if (calls > 0) run.cycle_s = all.cycle_s + (run.repeat - 1) * call_s;
    run.window.emplace(std::array{std::max(run.cycle_s, 1e-5)});
  }
  p.call.repeat = run.repeat;
  if (p.call.repeat > 1) backend_.prepare(*run.spec.collective, p.call);
}

void Runner::visit(CaseRun& run) {
  const double pace_before_s = pace_.measure();
  Prepared p = begin(run);
  const double at_s = since_start();
  run.telemetry.begin_visit();
  warm_up(run, p);
  const int n = static_cast<int>(group_.broadcast(static_cast<double>(batch_(run.cycle_s, run.taken()))));
  Windows windows;
  if (settings_.cadence == Cadence::synchronised)
    windows = {.start_ns = clock_.agree_on_start(group_, run.window->lead_s()),
               .length_ns = static_cast<std::int64_t>(run.window->seconds() * 1e9)};
  const Usage before = meter_.whole();
  Batch mine = sampler_.take(run.spec, p, run.checker, n, windows, false);
  const Usage used = meter_.whole() - before;
  mine.pace_s = 0.5 * (pace_before_s + pace_.measure());
  run.telemetry.end_visit();
  const Combined all = sampler_.combine(mine, run.repeat, run.checker.wrong(), contention_in_batch(used).contended());
  run.window->after_batch(static_cast<double>(all.invalid) / n);
  run.add(mine, all, used, at_s, since_start() - at_s, group_.rank() == 0);
}

/// One decision for all ranks: rank 0's, but for an interruption, of which any rank may have been told.
std::optional<std::string_view> Runner::ended(const CaseRun& run, const Observer& observer) {
  static constexpr std::array<std::string_view, 9> words{
      "",           "count",       "converged",     "time_budget", "run_budget", "max_samples",
      "wrong_data", "interrupted", "missed_windows"};
  std::string_view mine;
  if (observer.interrupted())
    mine = "interrupted";
  else if (run.wrong())
    mine = "wrong_data";
  else if (run.missed() >= most_missed_rounds)
    mine = "missed_windows";
  else
    mine = ended_by(rules_, run.sampling(since_start(), since_start() - sampling_since_s_)).value_or("");
  const auto code = [](std::string_view word) { return std::ranges::find(words, word) - words.begin(); };
  const auto all = group_.all_gather(static_cast<double>(code(mine)));
  const auto interrupted = static_cast<double>(code("interrupted"));
  const bool some = std::ranges::find(all, interrupted) != all.end();
  const auto decided = static_cast<std::size_t>(some ? interrupted : all[0]);
  if (decided == 0) return std::nullopt;
  return words[decided];
}

CaseRecord Runner::conclude(CaseRun& run, std::string_view ended_by, std::size_t samples) {
  run.record.warmup_iterations = settings_.warmup;
  if (run.spec.op) run.record.reduction = backend_.reduction(run.spec.type, *run.spec.op);
  return run.conclude(group_, {.ended_by = ended_by,
                               .rules = rules_,
                               .confidence = settings_.stop.confidence,
                               .keep = samples,
                               .clock_error_s = clock_.facts().residual_s + clock_.facts().uncertainty_s,
                               .check = settings_.check != Checking::off,
                               .costs = settings_.costs,
                               .clock = settings_.clock,
                               .ranks = ranks_});
}

void Runner::round(Active& active, int number, std::size_t cases, Observer& observer) {
  std::vector<std::size_t> order(active.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), static_cast<std::uint32_t>(number));
  bool stop = false;
  std::size_t left = active.size();
  for (const std::size_t i : order) {
    CaseRun& run = *active[i];
    observer.visit({.round = number, .key = run.record.key, .active = left, .cases = cases});
    std::optional<std::string_view> end = "interrupted";
    if (!stop) {
      visit(run);
      end = ended(run, observer);
      stop = end == "interrupted";
    }
    if (!end) {
      keep(active, number, observer);
      continue;
    }
    observer.take(conclude(run, *end, settings_.keep));
    active[i] = nullptr;
    --left;
  }
  std::erase(active, nullptr);
}

/// What is measured so far is not lost, whatever ends the run: a few cases are kept as soon as they were visited, and
/// later at most the last keep_every_s is lost, or as long as makes this cheap. Rank 0's clock decides.
void Runner::keep(const Active& active, int number, Observer& observer) {
  const bool first_visit = number == 1 && active.size() <= few_cases;
  const bool due = settings_.keep_every_s > 0 && (first_visit || since_start() >= keep_at_s_);
  if (group_.broadcast(due ? 1.0 : 0.0) == 0) return;
  const double begin_s = since_start();
  std::vector<CaseRecord> unfinished;
  for (const auto& run : active)
    if (run && run->taken() > 0) unfinished.push_back(conclude(*run, "unfinished", 0));
  observer.keep(std::move(unfinished));
  const double took_s = since_start() - begin_s;
  keep_at_s_ = since_start() + std::max(settings_.keep_every_s, took_s / keep_share);
}

/// A look at the clocks now and then, where all ranks that share them are here. Rank 0's clock decides.
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
  if (settler_) settler_->begin();
  sampling_since_s_ = since_start();
  or_abort(group_, [&] {
    for (int number = 1; !active.empty(); ++number) {
      check_clocks();
      if (settler_) settler_->look(since_start() - sampling_since_s_);
      round(active, number, plan.size(), observer);
    }
  });
}

}  // namespace busbar
