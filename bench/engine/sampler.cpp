// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/sampler.hpp"

#include <algorithm>

#include "core/local_clock.hpp"

namespace busbar {
namespace {

/// Adds up the time between marks; does nothing, and reads no clock, where it is off.
class Marks {
 public:
  explicit Marks(bool on) : on_(on), last_(on ? steady_ns() : 0) {}
  void add_to(double& seconds) {
    if (!on_) return;
    const std::int64_t now = steady_ns();
    seconds += static_cast<double>(now - last_) * 1e-9;
    last_ = now;
  }

 private:
  bool on_;
  std::int64_t last_;
};

}  // namespace

bool Sampler::start(int sample, const Windows& windows, bool warming_up) const {
  if (settings_.cadence == Cadence::synchronised && !warming_up)
    return wait_until(clock_.to_local(windows.begin(sample)), settings_.yield);
  group_.barrier();
  return true;
}

/// Where a repeated call cannot be checked by its result, one single call a batch is.
void Sampler::check_once(const Case& spec, const Prepared& p, Checker& checker) const {
  Call once = p.call;
  once.repeat = 1;
  checker.reset(p);
  group_.barrier();
  (backend_.*spec.collective->call)(once);
  [[maybe_unused]] const Stretch untimed = backend_.complete();
  checker.verify(p, false, true);
}

Batch Sampler::take(const Case& spec, const Prepared& p, Checker& checker, int n, const Windows& windows,
                    bool warming_up) const {
  const auto call = spec.collective->call;
  const bool by_result = p.call.repeat == 1 || spec.collective->repeatable(p.call.in_place);
  const bool check = settings_.check != Checking::off;
  Batch batch;
  batch.samples.reserve(static_cast<std::size_t>(n));
  batch.late.reserve(static_cast<std::size_t>(n));
  const Phase phase = warming_up ? Phase::warm_up : Phase::timed;
  progress_.set_calls(n);
  const std::int64_t begin = steady_ns();
  Marks marks(settings_.costs);
  for (int i = 0; i < n; ++i) {
    progress_.at(phase, i + 1);
    if (check) checker.reset(p);
    marks.add_to(batch.costs.data_s);
    const bool on_time = start(i, windows, warming_up);
    marks.add_to(batch.costs.start_s);
    (backend_.*call)(p.call);
    batch.samples.push_back(backend_.complete());
    marks.add_to(batch.costs.inside_s);
    if (const auto device_s = backend_.device_seconds()) batch.device_s.push_back(*device_s);
    batch.late.push_back(!on_time);
    progress_.at(phase, i + 1, true);
    if (check && by_result) checker.verify(p, warming_up, settings_.check == Checking::whole || i + 1 == n);
    marks.add_to(batch.costs.data_s);
  }
  batch.cycle_s = seconds_since(begin) / std::max(n, 1);
  if (check && !by_result) check_once(spec, p, checker);  // never a warm-up call: those are not repeated
  return batch;
}

Combined Sampler::combine(const Batch& batch, int repeat, bool wrong, bool contended) const {
  const std::size_t n = batch.samples.size();
  const std::int64_t base = batch.samples.empty() ? 0 : clock_.to_global(batch.samples[0].begin_ns);
  // Rank 0's first sample is where time starts: seconds since then fit a double. MAX of x and of -x are all it takes.
  const std::int64_t origin = group_.broadcast(base);
  const auto since = [&](std::int64_t local) { return static_cast<double>(clock_.to_global(local) - origin) * 1e-9; };
  const bool by_device = settings_.clock == SampleClock::device, two_clocks = !batch.device_s.empty();
  std::vector<double> mine(5 * n + 4);
  std::vector<double> other(two_clocks ? n : 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Stretch& s = batch.samples[i];
    mine[i] = (by_device ? batch.device_s[i] : s.seconds()) / repeat;
    if (two_clocks) other[i] = (by_device ? s.seconds() : batch.device_s[i]) / repeat;
    mine[n + i] = since(s.begin_ns);
    mine[2 * n + i] = -mine[n + i];
    mine[3 * n + i] = since(s.end_ns);
    mine[4 * n + i] = batch.late[i] ? 1 : 0;
  }
  mine[5 * n] = batch.cycle_s;
  mine[5 * n + 1] = wrong ? 1 : 0;
  mine[5 * n + 2] = contended ? 1 : 0;
  mine[5 * n + 3] = batch.pace_s;
  std::vector<double> most = mine;
  group_.max(most);
  if (two_clocks) group_.max(other);

  Combined all{.pace_s = most[5 * n + 3],
               .cycle_s = most[5 * n],
               .wrong = most[5 * n + 1] > 0,
               .contended = most[5 * n + 2] > 0};
  for (std::size_t i = 0; i < n; ++i) {
    if (most[4 * n + i] > 0) {
      ++all.invalid;
      continue;
    }
    const double first_start = -most[2 * n + i], last_start = most[n + i], last_end = most[3 * n + i];
    all.slowest_s.push_back(most[i]);
    if (two_clocks) all.other_s.push_back(other[i]);
    all.skew_s.push_back(last_start - first_start);
    all.transfer_s.push_back((last_end - last_start) / repeat);
    all.own_s.push_back(mine[i]);
    all.behind_s.push_back(mine[n + i] - first_start);
    if (mine[n + i] >= last_start) all.last += 1;
  }
  if (!all.slowest_s.empty()) all.last /= static_cast<double>(all.slowest_s.size());
  return all;
}

}  // namespace busbar
