// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/replayer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/job/usage.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi/group.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/parts.hpp"
#include "core/statistics/modes.hpp"
#include "core/statistics/remarks.hpp"
#include "core/statistics/summary.hpp"

namespace busbar::replay {
namespace {

constexpr double shortest_s = 1e-9;  ///< the clock's step: a call can end on all ranks when the last rank begins it

/// Number of ranks of the job that share this rank's memory.
double sharers(Group& job, const Ranks& ranks, const std::string& place) {
  const auto places = job.all_gather(place);
  const auto me = static_cast<std::size_t>(job.rank());
  double n = 0;
  for (std::size_t r = 0; r < places.size(); ++r)
    if (ranks.hosts[r] == ranks.hosts[me] && places[r] == place) n += 1;
  return n;
}

}  // namespace

/// This rank's groups of a level: their backend and buffers.
struct Replayer::Part {
  Group* everyone = nullptr;  ///< all teams of the level
  Group* members = nullptr;   ///< this rank's team
  std::unique_ptr<Group> own_everyone, own_members;
  Backend* backend = nullptr;
  std::unique_ptr<Backend> own_backend;
  std::optional<std::string> problem;  ///< why there is no backend
  Team team;
  Ranks ranks;  ///< of the level
  /// Per type, so that a buffer contains numbers of its calls' type: reductions of denormal numbers are slow.
  std::map<DType, Buffers> buffers;
  std::map<DType, Layout> largest;  ///< elements of these buffers
  std::map<std::pair<DType, std::optional<Op>>, Pattern> patterns;
  std::optional<Sampler> sampler;

  /// Bytes of all buffers, with the library's copy of the larger of a pair.
  [[nodiscard]] double bytes() const {
    double sum = 0;
    for (const auto& [type, l] : largest)
      sum += static_cast<double>((l.send + l.recv + std::max(l.send, l.recv)) * size_of(type));
    return sum;
  }
};

/// A case on this rank.
struct Replayer::Entry {
  Entry(const Planned& its_plan, Part* its_part) : plan(its_plan), part(its_part) {}

  const Planned& plan;
  Part* part;  ///< null: other ranks make it
  Layout layout;
  Verdict verdict;
  std::optional<CaseRun> run;  ///< empty: it cannot be made
  Prepared prepared;
  std::vector<Stretch> samples;  ///< of a pass
};

Replayer::Replayer(ReplaySetup setup)
    : setup_(setup),
      rules_(rules_of(setup.settings.stop, setup.settings.fixed_count)),
      list_(setup.schedule.list_of(setup.job.rank())),
      start_ns_(steady_ns()) {}

Replayer::~Replayer() = default;

double Replayer::left_s() const {
  if (!setup_.settings.end_ns) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*setup_.settings.end_ns - steady_ns()) * 1e-9;
}

void Replayer::visit(const std::string& what, int pass) { setup_.watch.visit(what, fmt::format("pass {}", pass)); }

/// Makes the groups of all levels, in their order.
void Replayer::join_levels() {
  for (const Level& level : setup_.schedule.levels) {
    visit(fmt::format("{} begins", level.name), 0);
    const auto team = team_with(level.teams, setup_.job.rank());
    const auto everyone = members_of(level.teams);
    const bool of_all = static_cast<int>(everyone.size()) == setup_.job.size();
    auto part = std::make_unique<Part>();
    part->everyone = part->members = &setup_.job;
    if (!of_all) part->own_everyone = split(setup_.job, team ? std::optional(0) : std::nullopt);
    if (!of_all || level.teams.size() > 1) {
      part->own_members = split(setup_.job, team ? std::optional(static_cast<int>(*team)) : std::nullopt);
      if (setup_.backend_options.comm_split)
        part->own_backend = setup_.backend.split(part->own_members.get(), static_cast<int>(team.value_or(0)));
    }
    parts_.push_back(nullptr);
    if (!team) continue;
    if (part->own_everyone) part->everyone = part->own_everyone.get();
    if (part->own_members) part->members = part->own_members.get();
    part->ranks = setup_.ranks.part(everyone);
    part->team = {.rank = part->members->rank(),
                  .world = world_of(setup_.ranks.part(level.teams[*team]).hosts),
                  .level = level.name};
    make_backend(*part);
    parts_.back() = std::move(part);
  }
}

/// Collective over the level.
void Replayer::make_backend(Part& part) {
  part.backend = &setup_.backend;
  if (part.own_members && !part.own_backend) {
    BackendOptions options = setup_.backend_options;
    options.place = setup_.ranks.place_of(setup_.job.rank());
    const Verdict made =
        agree(*part.everyone, attempt([&] { part.own_backend = setup_.kind.make(*part.members, options); }));
    if (!made.ok()) {
      part.problem = fmt::format("--backend {}: {}", setup_.kind.name, made.reason);
      return;
    }
  }
  if (part.own_backend) part.backend = part.own_backend.get();
  part.sampler.emplace(*part.members, setup_.clock, setup_.watch.progress(),
                       Sampler::Settings{.check = setup_.settings.check, .yield = setup_.ranks.yield});
}

/// Collective over the level. Reserves buffers for a case, beside those of all others.
Verdict Replayer::reserve(Part& part, const Case& spec, const Layout& layout, double available) {
  if (part.problem) return {Severity::failed, *part.problem};
  Layout& largest = part.largest[spec.type];
  const Layout before = largest;
  const std::size_t whole = spec.in_place ? layout.in_place_total() : layout.recv;
  largest.send = std::max(largest.send, spec.in_place ? 0 : layout.send);
  largest.recv = std::max(largest.recv, whole);
  const Verdict verdict = agree(*part.everyone, attempt([&] {
    double needed = 0;
    for (const auto& other : parts_)
      if (other) needed += other->bytes();
    if (needed > available)
      throw Unsupported(
          fmt::format("with it, the buffers of a rank and the library's copies need {:.1f} GB; the "
                      "rank's share of {} has {:.1f} GB free",
                      needed * 1e-9, part.backend->memory().place(), available * 1e-9));
    static_cast<void>(part.backend->find_call(spec.collective->call));
    Buffers& buffers =
        part.buffers.try_emplace(spec.type, part.backend->memory(), setup_.settings.offsets).first->second;
    buffers.reserve(layout, spec);
    part.backend->prepare(*spec.collective, buffers.view(spec, layout, part.team.rank, part.team.world.ranks).call);
  }));
  if (!verdict.ok()) largest = before;
  return verdict;
}

/// Decides which cases can be made, the smallest first, so that a large one takes no other's memory.
void Replayer::admit() {
  for (const Planned& plan : setup_.schedule.cases) entries_.emplace_back(plan, parts_[plan.level].get());
  std::vector<std::size_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return entries_[i].plan.spec.bytes; });
  const MemorySpace& memory = setup_.backend.memory();
  const auto free = memory.available();
  const double share = sharers(setup_.job, setup_.ranks, memory.place());
  const double available = free ? static_cast<double>(*free) / share : std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) {
    Entry& e = entries_[i];
    const Case& spec = e.plan.spec;
    visit(fmt::format("{} {} begins", spec.collective->name, format_size(spec.bytes)), 0);
    if (e.part == nullptr) continue;
    e.layout = spec.collective->layout(
        spec.geometry(e.part->team.rank, e.part->team.world.ranks, e.part->backend->reduces_to_own_block()));
    e.verdict = reserve(*e.part, spec, e.layout, available);
  }
  // Buffers move while they grow, so calls are prepared when all have their size.
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].part != nullptr && entries_[i].verdict.ok()) begin(entries_[i], static_cast<int>(i));
}

void Replayer::begin(Entry& e, int index) {
  const Case& spec = e.plan.spec;
  const Team& team = e.part->team;
  const bool checking = setup_.settings.check != Checking::off;
  const Pattern& pattern =
      e.part->patterns.try_emplace({spec.type, spec.op}, spec.type, spec.op, team.rank, team.world.ranks, checking)
          .first->second;
  CaseRecord record{.index = index,
                    .key = key_of(spec, team, setup_.kind.name, e.part->backend->memory().kind()),
                    .count = spec.count};
  record.check.state = spec.bytes == 0 ? CheckState::none : CheckState::off;
  e.run.emplace(spec, std::move(record), e.layout, Checker(e.part->backend->memory(), spec, pattern),
                setup_.ranks.timer.resolution_s);
  e.run->repeat = e.run->warmup_calls = 1;
  e.prepared = e.part->buffers.at(spec.type).view(spec, e.layout, team.rank, team.world.ranks);
  e.prepared.make = e.part->backend->find_call(spec.collective->call);
  e.samples.reserve(e.plan.calls);
  e.run->checker.prepare(e.prepared);  // no call ever reads memory that nobody wrote
}

/// Makes one call and waits for it.
void Replayer::call(Entry& e) {
  Backend& backend = *e.part->backend;
  backend.prepare(*e.plan.spec.collective, e.prepared.call);
  (backend.*e.prepared.make)(e.prepared.call);
  e.samples.push_back(backend.complete());
}

/// A pass in which every result is checked whole, unless checks are off. Not timed.
void Replayer::check_pass(int pass, bool warming_up) {
  visit(warming_up ? "warm-up" : "check", pass);
  const bool check = setup_.settings.check != Checking::off;
  Progress& progress = setup_.watch.progress();
  std::int64_t calls = 0, seen_ns = steady_ns();
  progress.set_calls(static_cast<std::int64_t>(list_.size()));
  for (Entry& e : entries_) e.samples.clear();
  for (const Step& step : list_) {
    Entry& e = entries_[step.at];
    if (!e.run) continue;
    progress.at(Phase::warm_up, ++calls);
    if (check) e.run->checker.prepare(e.prepared);
    call(e);
    progress.at(Phase::warm_up, calls, true);
    if (check) e.run->checker.verify(e.prepared, warming_up, Extent::whole);
    if (const auto function = e.part->backend->library_call(); warming_up && !function.empty())
      e.run->record.library_call = function;
    progress.extend(steady_ns() - std::exchange(seen_ns, steady_ns()));
  }
}

/// Makes all calls of this rank, each at once after the one before, or with the trace's gaps. Returns its duration.
double Replayer::timed_pass(int pass) {
  visit(setup_.schedule.name, pass);
  Progress& progress = setup_.watch.progress();
  progress.set_calls(static_cast<std::int64_t>(list_.size()));
  for (Entry& e : entries_) e.samples.clear();
  setup_.job.barrier();
  const std::int64_t begin_ns = steady_ns();
  Stretch before{.begin_ns = begin_ns, .end_ns = begin_ns};
  std::int64_t calls = 0;
  for (const Step& step : list_) {
    Entry& e = entries_[step.at];
    if (!e.run) continue;
    progress.at(Phase::timed, ++calls);
    if (setup_.gaps && step.pause_s)
      (void)wait_until(
          (step.from_start ? before.begin_ns : before.end_ns) + static_cast<std::int64_t>(*step.pause_s * 1e9),
          setup_.ranks.yield);
    call(e);
    progress.extend(e.samples.back().end_ns - before.end_ns);  // --timeout is the limit of a call, not of a pass
    before = e.samples.back();
  }
  return static_cast<double>(steady_ns() - begin_ns) * 1e-9;
}

/// Adds a timed pass to the cases as a round.
void Replayer::combine(const Usage& used, double at_s, double pace_s) {
  const bool contended = contention_in_batch(used).contended();
  for (std::size_t level = 0; level < parts_.size(); ++level) {
    Part* const part = parts_[level].get();
    for (Entry& e : entries_) {
      if (part == nullptr || e.part != part || !e.run) continue;
      const std::size_t n = e.samples.size();
      double own_s = 0;
      for (const Stretch& s : e.samples) own_s += s.seconds();
      const Batch batch{.samples = e.samples, .late = std::vector<bool>(n, false), .calls = n, .pace_s = pace_s};
      Combined all = part->sampler->combine(e.plan.spec, batch, 1, e.run->checker.wrong(), contended);
      std::vector<double> most = all.slowest_s;  // of this team; the level's other teams made the same calls
      most.insert(most.end(), all.skew_s.begin(), all.skew_s.end());
      if (part->everyone != part->members) part->everyone->max(most);
      for (std::size_t i = 0; i < all.slowest_s.size(); ++i) {
        all.slowest_s[i] = all.transfer_s[i] = std::max(most[i], shortest_s);
        all.skew_s[i] = most[all.slowest_s.size() + i];
      }
      if (n > 0) e.run->add(batch, all, used, at_s, own_s, part->everyone->rank() == 0);
    }
  }
}

/// The first pass is checked as the warm-up. Then passes 1, 2, 4, 8, ... are followed by a check, so that checks of a
/// long replay take little time; with --check all, every pass.
bool Replayer::checks_after(int pass) const {
  const auto n = static_cast<unsigned>(pass);
  const Checking check = setup_.settings.check;
  return check == Checking::all || (check == Checking::sampled && (n & (n - 1)) == 0);
}

/// Collective over the job. Rank 0 decides. `pass_s`: duration of the last pass, with its checks.
std::optional<EndedBy> Replayer::ended(double pass_s) {
  std::optional<EndedBy> mine;
  const bool wrong = std::ranges::any_of(entries_, [](const Entry& e) { return e.run && e.run->checker.wrong(); });
  if (setup_.job.any(wrong)) mine = EndedBy::wrong_data;
  if (!mine)
    mine = ended_by(rules_, {.round_medians_s = passes_s_,
                             .samples = passes_s_.size(),
                             .spent_s = spent_s_,
                             .span_s = rounds_.empty() ? 0 : seconds_since(start_ns_) - rounds_.front().at_s,
                             .left_s = left_s() - pass_s});
  return agree_on_end(setup_.job, mine, setup_.watch.interrupted());
}

void Replayer::make_passes() {
  std::optional<Settler> settler;
  if (setup_.settings.settle) settler.emplace(setup_.job, setup_.ranks.hosts);
  const auto left_of_all = [&] { return setup_.job.broadcast(std::min(left_s(), 1e6)); };
  if (settler) settler->begin(left_of_all(), !setup_.settings.cpus_shared);
  const std::int64_t warm_up_ns = steady_ns();
  check_pass(0, true);
  std::optional<EndedBy> end = ended(seconds_since(warm_up_ns));
  const std::int64_t timed_ns = steady_ns();
  int checked = 0;
  for (int pass = 1; !end; ++pass) {
    if (settler && pass > 1) settler->watch_barrier(seconds_since(timed_ns), left_of_all());
    const std::int64_t begin_ns = steady_ns();
    const double at_s = seconds_since(start_ns_), pace_before_s = pace_.measure();
    const Usage before = meter_.whole();
    const double mine_s = timed_pass(pass);
    const Usage used = meter_.whole() - before;
    usage_ += used;
    std::array<double, 3> most{mine_s, 0.5 * (pace_before_s + pace_.measure()),
                               contention_in_batch(used).contended() ? 1.0 : 0.0};
    combine(used, at_s, most[1]);
    setup_.job.max(most);
    passes_s_.push_back(most[0]);
    rounds_.push_back(
        {.at_s = at_s, .samples = 1, .kept = 1, .median_s = most[0], .pace_s = most[1], .contended = most[2] > 0});
    if (checks_after(pass)) check_pass(checked = pass, false);
    spent_s_ += seconds_since(begin_ns);
    end = ended(seconds_since(begin_ns));
    const bool checks_last =
        setup_.settings.check != Checking::off && end && *end != EndedBy::interrupted && *end != EndedBy::wrong_data;
    if (checks_last && checked != pass) check_pass(pass, false);
    if (!end) keep_results();
  }
  ended_by_ = *end;
  if (settler) settling_ = settler->facts();
}

/// Collective over the level of the case; empty on other ranks. `by`: why it ends, or unfinished. `keep`: most samples
/// in the record.
CaseRecord Replayer::conclude_case(std::size_t at, EndedBy by, std::size_t keep) {
  Entry& e = entries_[at];
  if (e.part == nullptr) return {};
  if (e.run) {
    if (e.plan.spec.op) e.run->record.reduction = e.part->backend->reduction(e.plan.spec.type, *e.plan.spec.op);
    return e.run->conclude(*e.part->everyone,
                           {.ended_by = by,
                            .rules = rules_,
                            .confidence = setup_.settings.stop.confidence,
                            .keep = keep,
                            .clock_error_s = setup_.clock.facts().residual_s + setup_.clock.facts().uncertainty_s,
                            .check = setup_.settings.check != Checking::off,
                            .ranks = e.part->ranks});
  }
  CaseRecord record{.index = static_cast<int>(at),
                    .key = key_of(e.plan.spec, e.part->team, setup_.kind.name, setup_.backend.memory().kind()),
                    .count = e.plan.spec.count};
  record.status = e.verdict.severity == Severity::skipped ? Status::skipped : Status::failed;
  record.reason = e.verdict.reason;
  record.check.state = e.plan.spec.bytes == 0 ? CheckState::none : CheckState::off;
  return record;
}

/// Every rank learns the results of all cases from the first rank of their level.
std::vector<CaseRecord> Replayer::collect_cases(EndedBy by, std::size_t keep) {
  std::vector<CaseRecord> all;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const int first = members_of(setup_.schedule.levels[entries_[i].plan.level].teams)[0];
    const CaseRecord mine = conclude_case(i, by, keep);
    const bool leads = first == setup_.job.rank();
    const std::string text = setup_.job.broadcast(leads ? nlohmann::json(mine).dump() : std::string(), first);
    all.push_back(nlohmann::json::parse(text).get<CaseRecord>());
  }
  return all;
}

/// Now and then hands the results so far to Watch, so that a killed replay keeps them. Rank 0's clock decides.
void Replayer::keep_results() {
  constexpr double most_of_time = 0.01;
  const bool due = setup_.settings.keep_every_s > 0 && seconds_since(start_ns_) >= keep_at_s_;
  if (setup_.job.broadcast(due ? 1.0 : 0.0) == 0) return;
  const std::int64_t begin_ns = steady_ns();
  std::vector<CaseRecord> unfinished = collect_cases(EndedBy::unfinished, 0);
  std::erase_if(unfinished, [](const CaseRecord& c) { return !c.time_s; });
  setup_.watch.keep(unfinished);
  const double took_s = seconds_since(begin_ns);
  keep_at_s_ = seconds_since(start_ns_) + std::max(setup_.settings.keep_every_s, took_s / most_of_time);
}

void Replayer::set_times(CaseRecord& record) const {
  record.ended_by = ended_by_;
  record.warmup_iterations = 1;
  record.wall_s = spent_s_;
  if (passes_s_.empty()) {
    if (record.status != Status::ok) return;
    record.status = Status::skipped;
    record.reason = ended_by_ == EndedBy::run_budget ? "no time was left for a timed pass: give a longer --run-budget"
                                                     : "interrupted before the first timed pass";
    return;
  }
  record.time_s = median(passes_s_);
  if (record.key.bytes > 0) record.algbw_GBps = static_cast<double>(record.key.bytes) / *record.time_s * 1e-9;
  record.started_s = rounds_.front().at_s;
  record.samples_taken = passes_s_.size();
  record.samples_s = passes_s_;
  record.statistics = busbar::summarise(passes_s_);
  record.interval_s = stated_interval(rules_, passes_s_, setup_.settings.stop.confidence);
  record.paced = paced_time(rounds_);
  record.modes = two_modes(passes_s_);
  record.rounds = rounds_;
  record.calls_per_sample = 1;
  const auto from_rounds = remarks(rounds_);
  record.remarks.insert(record.remarks.end(), from_rounds.begin(), from_rounds.end());
  if (record.status == Status::ok && is_cut_off(ended_by_) && passes_s_.size() < least_rounds) {
    record.status = Status::partial;
    record.reason = fmt::format("{} of the {} passes that an interval needs", passes_s_.size(), least_rounds);
  }
}

/// The record of whole passes.
CaseRecord Replayer::conclude_pass(const std::vector<CaseRecord>& cases, const Replay& totals) const {
  const World world = world_of(setup_.ranks.hosts);
  std::uint64_t bytes = 0;
  for (const auto& list : setup_.schedule.lists) {
    std::uint64_t sum = 0;
    for (const Step& step : list) sum += setup_.schedule.cases[step.at].spec.bytes;
    bytes = std::max(bytes, sum);
  }
  CaseRecord record{.index = this->cases() - 1,
                    .key = {.kind = CaseKind::replay,
                            .collective = setup_.schedule.name,
                            .backend = std::string(setup_.kind.name),
                            .memory = std::string(setup_.backend.memory().kind()),
                            .bytes = bytes,
                            .ranks = world.ranks,
                            .nodes = world.nodes,
                            .ranks_per_node = world.ranks_per_node,
                            .cadence = std::string(name(setup_.gaps ? Cadence::replay_gaps : Cadence::replay)),
                            .group = "world"}};
  record.check.state = setup_.settings.check == Checking::off ? CheckState::off : CheckState::passed;
  std::size_t wrong = 0, missing = 0;
  for (const CaseRecord& c : cases) {
    if (c.check.state == CheckState::failed) ++wrong;
    if (!is_measured(c.status) && c.check.state != CheckState::failed) ++missing;
  }
  if (wrong > 0) {
    record.check.state = CheckState::failed;
    record.status = Status::failed;
    record.reason = fmt::format("wrong data in {} of its {}", wrong, plural(cases.size(), "case"));
  }
  if (missing > 0 && !passes_s_.empty())
    record.remarks.push_back(fmt::format("{} of its {} could not be made: the pass is without these", missing,
                                         plural(cases.size(), "case")));
  set_times(record);
  record.replay = totals;
  return record;
}

Replay Replayer::run() {
  join_levels();
  admit();
  or_abort(setup_.job, [&] { make_passes(); });
  std::vector<CaseRecord> cases = collect_cases(ended_by_, setup_.settings.keep);
  for (CaseRecord& c : cases) {
    setup_.watch.add_case(c);
    c.samples_s.clear();
  }
  const auto pass_s = passes_s_.empty() ? std::nullopt : std::optional(median(passes_s_));
  Replay totals = summarise(setup_.schedule, cases, setup_.gaps, pass_s);
  CaseRecord pass = conclude_pass(cases, totals);
  add_usage(setup_.job, usage_, setup_.ranks, pass);
  setup_.watch.add_case(pass);
  return totals;
}

}  // namespace busbar::replay
