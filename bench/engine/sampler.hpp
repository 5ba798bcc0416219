// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "bench/engine/cadence.hpp"
#include "bench/engine/checker.hpp"
#include "bench/engine/clock_sync.hpp"
#include "bench/engine/cold_caches.hpp"
#include "bench/engine/window.hpp"
#include "core/job/guard/progress.hpp"

namespace busbar {

/// How much of the results is compared with what it must be, outside the timed part.
enum class Checking {
  off,
  sampled,     ///< every call: one element in 4 KiB; of a visit the first call and one at random: all
  first_last,  ///< of a visit the first call and the last: all; no other
  all,         ///< every element of every call
};
inline constexpr std::array<std::string_view, 4> checking_names{"off", "sampled", "first-last", "all"};

/// Where the time around the collective went, on one rank, in seconds. Taken only where asked for: it costs reads of
/// the clock between the calls.
struct Costs {
  double inside_s = 0;  ///< the timed part
  double start_s = 0;   ///< waiting for the start: barrier or window
  double data_s = 0;    ///< poisoning, filling and checking buffers
};

/// Which clock a sample is read from.
enum class SampleClock {
  host,    ///< this rank's, around the call
  device,  ///< the device's own, where the backend has one (Backend::gated_times)
};

/// What a batch leaves on this rank.
struct Batch {
  std::vector<Stretch> samples;   ///< each over all repetitions of its call
  std::vector<GatedTimes> gated;  ///< of calls behind the gate: the samples, or some more; empty: there is no gate
  std::vector<double> host_s;     ///< where samples are by the device's clock: of some more calls by the host's
  std::vector<bool> late;         ///< synchronised: this rank was not ready when the window opened
  std::uint64_t calls = 0;        ///< all that were made: repetitions, and those by the other clock or for a check
  double pace_s = 0;              ///< of this rank's CPU before and behind it (Pace)
  double cycle_s = 0;             ///< what a sample took with everything around it
  double shortest_cycle_s = 0;    ///< of two samples or more; else cycle_s
  Costs costs;
};

/// What all ranks did in a batch, sample by sample; the same on every rank. Samples whose window was missed by a rank
/// are left out and counted.
struct Combined {
  std::vector<double> slowest_s;   ///< one call: the slowest rank's time, over the repetitions; cold: transfer_s
  std::vector<double> other_s;     ///< some calls by the clock that the samples are not read from; empty: none
  std::vector<GatedTimes> gated;   ///< of calls behind the gate, each part the slowest rank's
  std::vector<double> skew_s;      ///< from the first rank's start to the last one's
  std::vector<double> transfer_s;  ///< from the last rank's start to the last one's end
  std::vector<double> own_s;       ///< one call, this rank's own time; cold: from the last rank's start
  std::vector<double> behind_s;    ///< this rank's start behind the first rank's
  double last = 0;                 ///< share of the samples in which this rank started last
  std::uint64_t invalid = 0;       ///< samples whose window was missed
  double pace_s = 0;               ///< largest over ranks
  double cycle_s = 0;              ///< largest over ranks
  double shortest_cycle_s = 0;     ///< largest over ranks
  bool wrong = false;              ///< some rank saw wrong data
  bool contended = false;          ///< some rank had to share its processor
};

/// Whether there is time for more calls, asked between calls that take long.
struct Look {
  int every = 0;               ///< calls; 0: never
  std::function<bool()> more;  ///< collective, the same answer on every rank
};

/// Takes batches of samples. Collective but for the constructor.
class Sampler {
 public:
  struct Settings {
    Checking check = Checking::sampled;
    SampleClock clock = SampleClock::host;
    bool yield = false;  ///< let others run while waiting for a window
    bool costs = false;  ///< fill Batch::costs
    bool gated = false;  ///< the backend has a device's clock: some calls of a batch are made by either clock
  };
  /// `progress`: where this rank is written down, call by call.
  Sampler(Group& group, Backend& backend, const ClockSync& clock, Progress& progress, Settings settings);

  /// n samples of p.call, which is repeated p.call.repeat times for each, or fewer where `look` says so. Warm-up has a
  /// barrier before each sample under every cadence.
  [[nodiscard]] Batch take_batch(const Case&, const Prepared& p, Checker&, int n, const Windows&, bool warming_up,
                                 const Look& look = {});

  /// Puts together what all ranks did. `contended`: what this rank knows of itself.
  [[nodiscard]] Combined combine(const Case&, const Batch&, int repeat, bool wrong, bool contended) const;

 private:
  void combine_clocks(const Batch&, int repeat, Combined&) const;
  /// Together with the other ranks; without windows behind a barrier. Whether this rank was in time.
  [[nodiscard]] bool start(Cadence, int sample, const Windows*);
  [[nodiscard]] bool call_behind_gate(const Case&, const Prepared&, int sample, const Windows*);
  void take_batch_by_other_clock(const Case&, const Prepared&, Checker&, Batch&);
  void wait_by_chance();
  [[nodiscard]] int pick_whole(int n, bool warming_up);
  [[nodiscard]] Extent usual_extent() const;
  void check_once(const Prepared&, Checker&) const;

  Group& group_;
  Backend& backend_;
  const ClockSync& clock_;
  Progress& progress_;
  Settings settings_;
  std::mt19937 random_{24};  ///< the same on every rank: all wait for the same checks
  std::mt19937 own_random_;  ///< another on every rank
  std::optional<ColdCaches> caches_;
};

}  // namespace busbar
