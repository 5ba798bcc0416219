// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/machine/contention.hpp"
#include "core/machine/usage.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_key.hpp"
#include "core/record/check.hpp"
#include "core/record/gated_times.hpp"
#include "core/record/library_choice.hpp"
#include "core/record/status.hpp"
#include "core/record/telemetry.hpp"
#include "core/record/training.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/modes.hpp"
#include "core/statistics/round.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {

/// One rank's own times, before the slowest is taken. The median is the median over rounds of its own medians.
struct RankSummary {
  int rank = 0;
  double min_s = 0, median_s = 0, max_s = 0;
};

/// Wall time of a case on rank 0, summed over its rounds.
struct Overhead {
  double inside_s = 0;  ///< in the collective
  double start_s = 0;   ///< waiting for the start: barrier or window
  double data_s = 0;    ///< poisoning, filling, checking buffers
  double other_s = 0;   ///< warm-up, agreeing, statistics
};

struct CaseRecord {
  int index = 0;  ///< position in the plan of the run
  CaseKey key;
  Status status = Status::ok;
  std::optional<std::string> reason;              ///< why skipped or failed
  std::optional<std::uint64_t> count;             ///< elements, as the library's count argument
  std::optional<std::string> reduction;           ///< who reduced: "MPI_SUM", "busbar's op for fp16", ...
  std::optional<std::string> library_call;        ///< function that was timed: "MPI_Allreduce", "ncclAllReduce"
  std::optional<LibraryChoice> choice;            ///< told by the library; empty: not known. "library_choice" on disk
  std::optional<double> time_s;                   ///< by the run's Method; what the bandwidths are made from
  std::optional<double> algbw_GBps;               ///< bytes / time_s, 1 GB = 1e9 B
  std::optional<double> busbw_GBps;               ///< algbw times bus_factor
  std::optional<double> bus_factor;               ///< by collective and ranks, as in nccl-tests' PERFORMANCE.md
  std::map<std::string, double> time_by_clock_s;  ///< where there are two clocks: time_s by each of them
  std::optional<Summary> statistics;              ///< over samples_s; empty where the raw samples are not known
  std::optional<std::uint64_t> samples_taken;
  std::vector<double> samples_s;       ///< one an iteration: the slowest rank; cut to a cap, see samples_taken
  std::optional<Interval> interval_s;  ///< of time_s, over rounds
  std::optional<Interval>
      interval_of_launches_s;      ///< of the median over later launches; empty: it is not known how far they differ
  std::optional<PacedTime> paced;  ///< with the pace of the CPUs meanwhile; empty where not known
  std::vector<Round> rounds;       ///< in order; empty where not known
  std::optional<Modes> modes;      ///< where rounds fall into two groups
  std::optional<int> calls_per_sample;           ///< timed as one; empty where not known
  std::optional<std::uint64_t> invalid_samples;  ///< synchronised: left out because a rank missed its window
  std::optional<Arrival> arrival;
  std::vector<Usage> usage;              ///< what each rank got of its processor; empty where not known
  std::optional<Contention> contention;  ///< empty where not looked at
  std::vector<GpuTelemetry> telemetry;   ///< what each rank's GPU did; empty where no rank has one that NVML knows
  std::optional<bool> throttled;         ///< some rank's GPU was; empty where not known
  std::optional<GatedTimes> gated;       ///< empty: there is no device's clock
  std::optional<Overhead> overhead;      ///< only where asked for
  std::optional<Training> training;      ///< of a case of kind "training"
  std::vector<std::string> remarks;      ///< what a person should know of these numbers
  std::vector<RankSummary> ranks;        ///< a row a rank, in order; empty where not known
  Check check;
  std::optional<int> warmup_iterations;
  std::optional<std::string> ended_by;  ///< what ended the sampling: converged, time_budget, ..., docs/records.md
  std::optional<double> started_s;      ///< since the start of the run
  std::optional<double> wall_s;         ///< the whole case with set-up and checks
  /// Which launch measured it: 0 the run's first, n the n-th that resumed it. Not a key: told by where its line stands.
  std::size_t launch = 0;
};

/// Sets time_s and both bandwidths (null for no bytes or no time) from the key, a time and a factor.
void set_bandwidth(CaseRecord&, double time_s, double bus_factor);

/// Throws Error, naming the figure, unless each is 0 or plausible: times from 1e-12 to 1e9 s, bandwidths from 1e-15 to
/// 1e9 GB/s, rates from 1e-9 to 1e15 samples/s. Ratios of larger or smaller figures may not be finite.
void check_figures(const CaseRecord&);

/// Half of the interval's width over its middle, in per cent: "1.4", "12"; "-" where there is no interval. The interval
/// is the one for later launches, where it is known how far these differ.
[[nodiscard]] std::string half_width_percent(const CaseRecord&);
[[nodiscard]] std::string half_width_percent(const CaseRecord&, const std::optional<Interval>& of_time);

}  // namespace busbar
