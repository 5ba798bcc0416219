// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "bench/engine/cadence.hpp"
#include "bench/engine/checker.hpp"
#include "bench/engine/clock_sync.hpp"
#include "bench/engine/cold_caches.hpp"
#include "bench/engine/team.hpp"
#include "bench/engine/window.hpp"
#include "core/job/guard/progress.hpp"
#include "core/record/calls/overlap.hpp"

namespace busbar {

/// How much of the results is checked, outside the timed part.
enum class Checking {
  off,
  sampled,     ///< every call: one element in 4 KiB; the first and one random call of a visit: whole
  first_last,  ///< the first and the last call of a visit: whole; no others
  all,         ///< every element of every call
};
inline constexpr std::array<std::string_view, 4> checking_names{"off", "sampled", "first-last", "all"};

/// Time spent around the collective on one rank, in seconds. Optional, since it costs clock reads between calls.
struct Costs {
  double inside_s = 0;  ///< the timed part
  double start_s = 0;   ///< waiting for the start: barrier or window
  double data_s = 0;    ///< poisoning, filling and checking buffers
};

/// The clock that samples are read from.
enum class SampleClock {
  host,    ///< this rank's clock, around the call
  device,  ///< the device's clock, if the backend has one (Backend::gated_times)
};

/// Result of a batch on this rank.
struct Batch {
  std::vector<Stretch> samples;     ///< each covers all repetitions of its call
  std::vector<GatedTimes> gated;    ///< of calls behind the gate: the samples, or extra calls; empty: no gate
  std::vector<double> host_s;       ///< if samples use the device's clock: extra calls timed by the host's
  std::vector<OverlapTimes> apart;  ///< with work beside the samples: all but total_s, one for each
  std::vector<bool> late;           ///< synchronised: this rank missed the start of the window
  /// Alternating: times of each kind's calls within the samples, summed over the pairs; else empty.
  std::array<std::vector<double>, 2> kinds_s;
  std::uint64_t calls = 0;      ///< all calls made: also repetitions, extra calls and checks
  double pace_s = 0;            ///< pace of this rank's CPU before and after the batch (Pace)
  double cycle_s = 0;           ///< duration of a sample with all overhead
  double shortest_cycle_s = 0;  ///< shortest of at least two samples; else cycle_s
  Costs costs;
};

/// Times of one kind of teams in a batch, sample by sample, for one call.
struct KindTimes {
  std::vector<double> slowest_s;  ///< the slowest rank of all teams
  std::vector<double> team_s;     ///< the slowest rank of this rank's team
};

/// The second call of samples that alternate two kinds of teams.
struct SecondCall {
  Prepared prepared;
  Checker& checker;
  int pairs = 1;  ///< of calls per sample: first, second, first, ...
};

/// Result of a batch over all ranks, sample by sample. Equal on every rank, except the values of "this rank". Samples
/// whose window a rank missed are left out and counted.
struct Combined {
  std::vector<double> slowest_s;      ///< the slowest rank's time of a sample, divided by its parts; cold: transfer_s
  std::vector<double> other_s;        ///< calls timed by the other clock; empty: none
  std::vector<GatedTimes> gated;      ///< calls behind the gate; each part is the slowest rank's
  std::vector<OverlapTimes> overlap;  ///< with work beside the samples; each part is the slowest rank's
  std::vector<double> skew_s;         ///< from the first rank's start to the last rank's
  std::vector<double> transfer_s;     ///< from the last rank's start to the last rank's end
  std::vector<double> own_s;          ///< the same of this rank; cold: from the last rank's start
  std::vector<double> behind_s;       ///< this rank's start minus the first rank's
  std::vector<KindTimes> kinds;       ///< of each kind of teams in the case; empty: one team
  double last = 0;                    ///< fraction of samples in which this rank started last
  std::vector<bool> valid;            ///< of each sample of the batch: no rank missed its window
  std::uint64_t invalid = 0;          ///< number of samples whose window was missed
  double pace_s = 0;                  ///< maximum over ranks
  std::optional<double> barrier_s;    ///< before this round, by the Settler; empty as in Round
  double cycle_s = 0;                 ///< maximum over ranks
  double shortest_cycle_s = 0;        ///< maximum over ranks
  bool wrong = false;                 ///< a rank saw wrong data
  bool contended = false;             ///< a rank shared its CPU
};

/// Asks between long calls whether there is time for more.
struct Look {
  int every = 0;               ///< interval in calls; 0: never
  std::function<bool()> more;  ///< collective over the group, same answer on every rank
};

/// Takes batches of samples. Collective over the group, except for the constructor.
class Sampler {
 public:
  struct Settings {
    Checking check = Checking::sampled;
    SampleClock clock = SampleClock::host;
    bool yield = false;  ///< yield the CPU while waiting for a window
    bool costs = false;  ///< fill Batch::costs
    bool gated = false;  ///< the backend has a device clock: time some extra calls by the other clock
  };
  /// `progress` records each call of this rank.
  Sampler(Group& group, const ClockSync& clock, Progress& progress, Settings settings);

  /// Takes n samples of p.call, each repeated p.call.repeat times; fewer if `look` says so. Warm-up samples follow a
  /// barrier under every cadence, and are calls alone. If p.work is set, each sample has work between start and wait,
  /// and before it the call and the work are timed apart. `second`: each sample alternates both calls, neither of which
  /// is repeated, back to back; null: one call. A second call starts as soon as the first is complete on this rank.
  [[nodiscard]] Batch sample_batch(const Case&, const Prepared& p, Checker&, int n, const Windows&, bool warming_up,
                                   const Look& look = {}, SecondCall* second = nullptr);

  /// Combines the batches of all ranks. Times are divided by `parts`: calls per sample times Case::parts().
  /// `contended`: whether this rank shared its CPU.
  [[nodiscard]] Combined combine(const Case&, const Batch&, int parts, bool wrong, bool contended) const;

  /// Sets Combined::kinds: the slowest rank of each team. `kinds`: those that the case calls, in order. Collective over
  /// the group; each rank's teams must be its own.
  void combine_teams(const Batch&, int repeat, std::span<const Team* const> kinds, Combined&) const;

 private:
  /// The calls of a batch.
  struct Loop {
    const Case& spec;
    const Prepared& p;
    Call call;
    Checker& checker;
    int calls = 0;
    Phase phase = Phase::timed;
    int whole = 0;           ///< the call to compare whole
    bool by_result = false;  ///< each call's result shows whether it was right

    [[nodiscard]] bool warming_up() const { return phase == Phase::warm_up; }
  };
  void sample_after_barriers(const Loop&, Batch&);
  void sample_one_by_one(const Loop&, const Windows&, const Look&, SecondCall*, Batch&);
  void combine_overlap(const Batch&, Combined&) const;
  void combine_clocks(const Batch&, int parts, Combined&) const;
  /// Starts together with the other ranks: by windows if given, else after a barrier. False if this rank was late.
  [[nodiscard]] bool start(const Case&, Cadence, int sample, const Windows*);
  [[nodiscard]] bool call_behind_gate(const Case&, const Prepared&, int sample, const Windows*);
  [[nodiscard]] Stretch call_in_turn(const Prepared&, const SecondCall&, Batch&) const;
  [[nodiscard]] OverlapTimes sample_apart(const Prepared&, Checker&);
  void sample_by_other_clock(const Case&, const Prepared&, Checker&, Batch&);
  void wait_by_chance();
  [[nodiscard]] int pick_whole(int n, bool warming_up);
  [[nodiscard]] Extent usual_extent() const;
  void check_once(const Prepared&, Checker&) const;

  Group& group_;
  const ClockSync& clock_;
  Progress& progress_;
  Settings settings_;
  std::mt19937 random_{24};  ///< same seed on every rank, so that all ranks wait for the same checks
  std::mt19937 own_random_;  ///< a different seed on every rank
  std::optional<ColdCaches> caches_;
};

}  // namespace busbar
