// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/sampler.hpp"

#include <algorithm>
#include <array>

#include "core/machine/local_clock.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

/// Accumulates the time between marks; if off, reads no clock.
class Marks {
 public:
  explicit Marks(bool on) : on_(on), last_(on ? steady_ns() : 0) {}
  void add_to(double& seconds) {
    if (!on_) return;
    add_until(steady_ns(), seconds);
  }
  /// The same for a mark at `ns`, a clock reading since the last mark.
  void add_until(std::int64_t ns, double& seconds) {
    if (!on_) return;
    seconds += static_cast<double>(ns - last_) * 1e-9;
    last_ = ns;
  }

 private:
  bool on_;
  std::int64_t last_;
};

/// Times between the starts of successive samples.
std::vector<double> cycles_of(const std::vector<Stretch>& samples) {
  std::vector<double> cycles_s;
  for (std::size_t i = 1; i < samples.size(); ++i)
    cycles_s.push_back(static_cast<double>(samples[i].begin_ns - samples[i - 1].begin_ns) * 1e-9);
  return cycles_s;
}

/// Sets the duration of a sample with all overhead: the median, since a sample that waited for a CPU does not predict
/// the next; the mean if there are very few samples. `begin_ns`: start of the batch.
void set_cycles(Batch& batch, std::int64_t begin_ns) {
  constexpr std::size_t few = 3;
  const auto cycles_s = cycles_of(batch.samples);
  const double mean_s = seconds_since(begin_ns) / static_cast<double>(cycles_s.size() + 1);
  batch.cycle_s = cycles_s.size() < few ? mean_s : median(cycles_s);
  batch.shortest_cycle_s = cycles_s.empty() ? mean_s : std::ranges::min(cycles_s);
}

/// Splits a sample with work between start and wait into its parts.
void add_parts(OverlapTimes& times, const Stretch& sample, const OverlapWork& work) {
  times.start_s = static_cast<double>(work.begin_ns() - sample.begin_ns) * 1e-9;
  times.work_beside_s = static_cast<double>(work.end_ns() - work.begin_ns()) * 1e-9;
  times.wait_s = static_cast<double>(sample.end_ns - work.end_ns()) * 1e-9;
}

}  // namespace

Sampler::Sampler(Group& group, const ClockSync& clock, Progress& progress, Settings settings)
    : group_(group),
      clock_(clock),
      progress_(progress),
      settings_(settings),
      own_random_(static_cast<unsigned>(group.rank())) {}

void Sampler::wait_by_chance() {
  const double ns = std::uniform_real_distribution<double>(0, 1e9 * cold_skew_s)(own_random_);
  (void)wait_until(steady_ns() + static_cast<std::int64_t>(ns), settings_.yield);
}

bool Sampler::start(const Case& spec, Cadence cadence, int sample, const Windows* windows) {
  // A one-sided access does not wait for its peer, which must have written its buffer before.
  const bool one_sided = spec.collective->family == Family::one_sided;
  if (cadence == Cadence::synchronised && windows != nullptr && one_sided) group_.barrier();
  if (cadence == Cadence::synchronised && windows != nullptr)
    return wait_until(clock_.to_local(windows->begin(sample)), settings_.yield);
  if (cadence == Cadence::cold) caches_->evict();
  group_.barrier();
  if (cadence == Cadence::cold) wait_by_chance();
  return true;
}

/// All ranks enqueue their calls on the device before any call starts.
bool Sampler::call_behind_gate(const Case& spec, const Prepared& p, int sample, const Windows* windows) {
  p.backend->close_gate();
  (p.backend->*p.make)(p.call);
  const bool on_time = start(spec, windows != nullptr ? spec.cadence : Cadence::barrier, sample, windows);
  p.backend->open_gate();
  return on_time;
}

/// Makes some calls timed by the other clock, after a barrier, and checks them like samples.
void Sampler::sample_by_other_clock(const Case& spec, const Prepared& p, Checker& checker, Batch& batch) {
  constexpr std::size_t most = 11;
  const bool check = settings_.check != Checking::off;
  const bool by_result = p.call.repeat == 1 || spec.collective->repeatable(p.call.in_place);
  const std::size_t calls = std::min(most, batch.samples.size());
  batch.calls += calls * static_cast<std::uint64_t>(p.call.repeat);
  for (std::size_t i = 0; i < calls; ++i) {
    if (check) checker.reset(p);
    if (settings_.clock == SampleClock::device) {
      group_.barrier();
      (p.backend->*p.make)(p.call);
      batch.host_s.push_back(p.backend->complete().seconds());
    } else {
      (void)call_behind_gate(spec, p, 0, nullptr);
      [[maybe_unused]] const Stretch since_opened = p.backend->complete();
      batch.gated.push_back(p.backend->gated_times());
    }
    if (check && by_result) checker.verify(p, false, usual_extent());
  }
}

/// Times the call and the work one after the other, before a sample of both together.
OverlapTimes Sampler::sample_apart(const Prepared& p, Checker& checker) {
  const bool check = settings_.check != Checking::off;
  if (check) checker.reset(p);
  group_.barrier();
  (p.backend->*p.make)(p.call);
  const double alone_s = p.backend->complete().seconds();
  if (check) checker.verify(p, false, usual_extent());
  return {.alone_s = alone_s, .work_s = p.work->time_alone()};
}

/// Checks one single call per batch if repeated calls cannot be checked by their result.
void Sampler::check_once(const Prepared& p, Checker& checker) const {
  Call once = p.call;
  once.repeat = 1;
  checker.reset(p);
  group_.barrier();
  (p.backend->*p.make)(once);
  [[maybe_unused]] const Stretch untimed = p.backend->complete();
  checker.verify(p, false, Extent::whole);
}

/// One sample of alternating calls: from the begin of the first to the end of the last.
Stretch Sampler::call_in_turn(const Prepared& p, const SecondCall& second, Batch& batch) const {
  Stretch whole;
  double first_s = 0, second_s = 0;
  for (int pair = 0; pair < second.pairs; ++pair) {
    (p.backend->*p.make)(p.call);
    const Stretch one = p.backend->complete();
    (second.prepared.backend->*second.prepared.make)(second.prepared.call);
    const Stretch other = second.prepared.backend->complete();
    if (pair == 0) whole.begin_ns = one.begin_ns;
    whole.end_ns = other.end_ns;
    first_s += one.seconds();
    second_s += other.seconds();
  }
  batch.kinds_s[0].push_back(first_s);
  batch.kinds_s[1].push_back(second_s);
  return whole;
}

/// The call of a batch to compare whole, in addition to the first call of the visit, a warm-up call.
int Sampler::pick_whole(int n, bool warming_up) {
  constexpr int none = -1;
  if (settings_.check == Checking::first_last) return warming_up ? none : n - 1;
  if (settings_.check != Checking::sampled || warming_up || n == 0) return none;
  return static_cast<int>(random_() % static_cast<unsigned>(n));
}

Extent Sampler::usual_extent() const {
  if (settings_.check == Checking::all) return Extent::whole;
  return settings_.check == Checking::sampled ? Extent::sampled : Extent::nothing;
}

/// Calls alone, each after a barrier. Does as little as possible between two calls: it slows the next one down.
void Sampler::sample_after_barriers(const Loop& loop, Batch& batch) {
  const bool check = settings_.check != Checking::off, verify = check && loop.by_result;
  const Extent usual = usual_extent();
  for (int i = 0; i < loop.calls; ++i) {
    progress_.at(loop.phase, i + 1);
    if (check) loop.checker.reset(loop.p);
    (loop.p.backend->*loop.p.make)(loop.call);
    batch.samples[static_cast<std::size_t>(i)] = loop.p.backend->complete();
    progress_.at(loop.phase, i + 1, true);
    if (verify) loop.checker.verify(loop.p, loop.warming_up(), i == loop.whole ? Extent::whole : usual);
  }
  batch.late.resize(batch.samples.size());
}

/// Calls of every kind and start.
void Sampler::sample_one_by_one(const Loop& loop, const Windows& windows, const Look& look, SecondCall* second,
                                Batch& batch) {
  const Prepared& p = loop.p;
  OverlapWork* const work = loop.call.beside != nullptr ? p.work : nullptr;
  const bool check = settings_.check != Checking::off;
  const bool gated = settings_.clock == SampleClock::device && !loop.warming_up();
  Marks marks(settings_.costs);
  for (int i = 0; i < loop.calls; ++i) {
    if (look.every > 0 && i > 0 && i % look.every == 0 && !look.more()) break;
    progress_.at(loop.phase, i + 1);
    if (work != nullptr) batch.apart.push_back(sample_apart(p, loop.checker));
    if (check) loop.checker.reset(p);
    if (check && second != nullptr) second->checker.reset(second->prepared);
    marks.add_to(batch.costs.data_s);
    bool on_time = true;
    if (gated)
      on_time = call_behind_gate(loop.spec, p, i, &windows);
    else if (loop.call.start == nullptr)
      on_time = start(loop.spec, loop.spec.cadence, i, loop.warming_up() ? nullptr : &windows);
    Stretch& sample = batch.samples[batch.late.size()];
    if (second != nullptr) {
      sample = call_in_turn(p, *second, batch);
    } else {
      if (!gated) (p.backend->*p.make)(loop.call);
      sample = p.backend->complete();
    }
    marks.add_until(sample.begin_ns, batch.costs.start_s);
    if (work != nullptr) add_parts(batch.apart.back(), sample, *work);
    marks.add_to(batch.costs.inside_s);
    if (gated) batch.gated.push_back(p.backend->gated_times());
    batch.late.push_back(!on_time);
    progress_.at(loop.phase, i + 1, true);
    const Extent extent = i == loop.whole ? Extent::whole : usual_extent();
    if (check && loop.by_result) loop.checker.verify(p, loop.warming_up(), extent);
    if (check && loop.by_result && second != nullptr)
      second->checker.verify(second->prepared, loop.warming_up(), extent);
    marks.add_to(batch.costs.data_s);
  }
  batch.samples.resize(batch.late.size());
}

Batch Sampler::sample_batch(const Case& spec, const Prepared& p, Checker& checker, int n, const Windows& windows,
                            bool warming_up, const Look& look, SecondCall* second) {
  const int repeat = second != nullptr ? second->pairs : p.call.repeat;
  const bool gated = settings_.clock == SampleClock::device && !warming_up;
  Loop loop{.spec = spec,
            .p = p,
            .call = p.call,
            .checker = checker,
            .calls = n,
            .phase = warming_up ? Phase::warm_up : Phase::timed,
            .whole = pick_whole(n, warming_up),
            .by_result = repeat == 1 || spec.collective->repeatable(p.call.in_place)};
  loop.call.beside = warming_up ? nullptr : p.work;
  if (!gated && second == nullptr && starts_by_barrier(spec.cadence)) loop.call.start = &group_;
  const bool alone = loop.call.start != nullptr && loop.call.beside == nullptr && look.every == 0;
  if (spec.cadence == Cadence::cold && !caches_) caches_.emplace();
  Batch batch;
  batch.samples.resize(static_cast<std::size_t>(n));
  batch.late.reserve(static_cast<std::size_t>(n));
  for (auto& times : batch.kinds_s) times.reserve(second != nullptr ? static_cast<std::size_t>(n) : 0);
  progress_.set_calls(n);
  const std::int64_t begin = steady_ns();
  if (alone && !settings_.costs)
    sample_after_barriers(loop, batch);
  else
    sample_one_by_one(loop, windows, look, second, batch);
  batch.calls = batch.samples.size() * static_cast<std::uint64_t>(repeat) + batch.apart.size();
  set_cycles(batch, begin);
  if (settings_.gated && !warming_up && second == nullptr) sample_by_other_clock(spec, p, checker, batch);
  if (settings_.check != Checking::off && !loop.by_result) {  // never in a warm-up, whose calls are not repeated
    check_once(p, checker);
    if (second != nullptr) check_once(second->prepared, second->checker);
    ++batch.calls;
  }
  return batch;
}

/// Only without windows: then no sample is left out.
void Sampler::combine_overlap(const Batch& batch, Combined& all) const {
  constexpr std::array parts{&OverlapTimes::alone_s, &OverlapTimes::work_s, &OverlapTimes::start_s,
                             &OverlapTimes::work_beside_s, &OverlapTimes::wait_s};
  std::vector<double> values;
  for (const OverlapTimes& times : batch.apart)
    for (const auto part : parts) values.push_back(times.*part);
  if (values.empty()) return;
  group_.max(values);
  all.overlap.resize(batch.apart.size());
  for (std::size_t i = 0; i < values.size(); ++i) all.overlap[i / parts.size()].*parts[i % parts.size()] = values[i];
  for (std::size_t i = 0; i < all.overlap.size(); ++i) all.overlap[i].total_s = all.slowest_s[i];
}

/// Combines the parts of calls behind the gate and the calls by the other clock.
void Sampler::combine_clocks(const Batch& batch, int parts, Combined& all) const {
  std::vector<double> times_s;
  for (const GatedTimes& g : batch.gated)
    times_s.insert(times_s.end(), {g.launch_s / parts, g.device_s / parts, g.notice_s / parts});
  for (const double host_s : batch.host_s) times_s.push_back(host_s / parts);
  if (times_s.empty()) return;
  group_.max(times_s);
  for (std::size_t i = 0; i < batch.gated.size(); ++i)
    all.gated.push_back({.launch_s = times_s[3 * i], .device_s = times_s[3 * i + 1], .notice_s = times_s[3 * i + 2]});
  all.other_s.assign(times_s.begin() + static_cast<std::ptrdiff_t>(3 * batch.gated.size()), times_s.end());
  if (settings_.clock == SampleClock::host)
    for (const GatedTimes& g : all.gated) all.other_s.push_back(g.device_s);
}

Combined Sampler::combine(const Case& spec, const Batch& batch, int parts, bool wrong, bool contended) const {
  const std::size_t n = batch.samples.size();
  const std::int64_t base = batch.samples.empty() ? 0 : clock_.to_global(batch.samples[0].begin_ns);
  // Times count from rank 0's first sample: such seconds fit a double. MAX of x and -x gives maximum and minimum.
  const std::int64_t origin = group_.broadcast(base);
  const auto since = [&](std::int64_t local) { return static_cast<double>(clock_.to_global(local) - origin) * 1e-9; };
  const bool by_device = settings_.clock == SampleClock::device && !batch.gated.empty();  // false for warm-up calls
  std::vector<double> mine(5 * n + 5);
  for (std::size_t i = 0; i < n; ++i) {
    const Stretch& s = batch.samples[i];
    mine[i] = (by_device ? batch.gated[i].device_s : s.seconds()) / parts;
    mine[n + i] = since(s.begin_ns);
    mine[2 * n + i] = -mine[n + i];
    mine[3 * n + i] = since(s.end_ns);
    mine[4 * n + i] = batch.late[i] ? 1 : 0;
  }
  mine[5 * n] = batch.cycle_s;
  mine[5 * n + 1] = wrong ? 1 : 0;
  mine[5 * n + 2] = contended ? 1 : 0;
  mine[5 * n + 3] = batch.pace_s;
  mine[5 * n + 4] = batch.shortest_cycle_s;
  std::vector<double> most = mine;
  group_.max(most);

  Combined all{.pace_s = most[5 * n + 3],
               .cycle_s = most[5 * n],
               .shortest_cycle_s = most[5 * n + 4],
               .wrong = most[5 * n + 1] > 0,
               .contended = most[5 * n + 2] > 0};
  for (std::size_t i = 0; i < n; ++i) {
    all.valid.push_back(!(most[4 * n + i] > 0));
    if (!all.valid.back()) {
      ++all.invalid;
      continue;
    }
    const double first_start = -most[2 * n + i], last_start = most[n + i], last_end = most[3 * n + i];
    const bool cold = from_last_start(spec.cadence);
    all.slowest_s.push_back(cold ? (last_end - last_start) / parts : most[i]);
    all.skew_s.push_back(last_start - first_start);
    all.transfer_s.push_back((last_end - last_start) / parts);
    all.own_s.push_back(cold ? std::max(mine[3 * n + i] - last_start, 0.0) / parts : mine[i]);
    all.behind_s.push_back(mine[n + i] - first_start);
    if (mine[n + i] >= last_start) all.last += 1;
  }
  combine_clocks(batch, parts, all);
  combine_overlap(batch, all);
  if (!all.slowest_s.empty()) all.last /= static_cast<double>(all.slowest_s.size());
  return all;
}

void Sampler::combine_teams(const Batch& batch, int repeat, std::span<const Team* const> kinds, Combined& all) const {
  const bool alternating = kinds.size() > 1;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    KindTimes times{.slowest_s = all.slowest_s, .team_s = all.own_s};
    if (alternating) {
      times.team_s.clear();
      for (std::size_t i = 0; i < all.valid.size(); ++i)
        if (all.valid[i]) times.team_s.push_back(batch.kinds_s[k][i] / repeat);
      times.slowest_s = times.team_s;
      group_.max(times.slowest_s);
    }
    if (kinds[k]->members != nullptr && kinds[k]->teams.size() > 1) kinds[k]->members->max(times.team_s);
    all.kinds.push_back(std::move(times));
  }
}

}  // namespace busbar
