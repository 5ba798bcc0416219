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
#include "core/record/calls/overlap.hpp"
#include "core/record/calls/replay.hpp"
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

/// Times of one rank, before taking the slowest. The median is over rounds of their medians.
struct RankSummary {
  int rank = 0;
  double min_s = 0, median_s = 0, max_s = 0;
};

/// Times of one group: the slowest of its ranks in each sample. Medians over rounds of medians.
struct GroupTime {
  std::string kind;   ///< CaseKey::group of a case of this kind of groups alone: "rank % 8"
  int group = 0;      ///< number within its kind, ordered by first rank
  std::string ranks;  ///< of the job, as rank_list() writes them: "0-7"
  double time_s = 0;
  std::optional<Interval> interval_s;  ///< of time_s, over rounds
  std::optional<double> busbw_GBps;    ///< empty without bytes
  double over_others = 1;              ///< time divided by the median of the other groups, by round; median over rounds
  /// Of over_others, over rounds. Its confidence is higher the more groups there are, so that all intervals of a case
  /// hold together with the confidence of interval_s. Empty if there are too few rounds.
  std::optional<Interval> over_others_interval;
};

/// Time of the calls of one kind of groups within samples that alternate two kinds.
struct KindTime {
  std::string kind;
  double time_s = 0;                   ///< slowest rank of all groups
  std::optional<Interval> interval_s;  ///< over rounds
};

/// Wall time of a case on rank 0, summed over its rounds.
struct Overhead {
  double inside_s = 0;  ///< in the collective
  double start_s = 0;   ///< waiting at the start: barrier or window
  double data_s = 0;    ///< poisoning, filling and checking buffers
  double other_s = 0;   ///< warm-up, agreement, statistics
};

struct CaseRecord {
  int index = 0;  ///< position in the plan of the run
  CaseKey key;
  Status status = Status::ok;
  std::optional<std::string> reason;              ///< why skipped or failed
  std::optional<std::uint64_t> count;             ///< elements, like the library's count argument
  std::optional<std::string> reduction;           ///< who reduces: "MPI_SUM", "busbar's op for fp16", ...
  std::optional<std::string> library_call;        ///< function that was timed: "MPI_Allreduce", "ncclAllReduce"
  std::optional<LibraryChoice> choice;            ///< as the library reported it; empty if unknown
  std::optional<double> time_s;                   ///< as defined by the run's Method; basis of the bandwidths
  std::optional<double> algbw_GBps;               ///< bytes / time_s, 1 GB = 1e9 B
  std::optional<double> busbw_GBps;               ///< algbw times bus_factor
  std::optional<double> bus_factor;               ///< from collective and ranks, as in nccl-tests' PERFORMANCE.md
  std::map<std::string, double> time_by_clock_s;  ///< with several clocks: time_s by each of them
  std::optional<Summary> statistics;              ///< of samples_s; empty if the raw samples are unknown
  std::optional<std::uint64_t> samples_taken;
  std::vector<double> samples_s;       ///< one per iteration, of the slowest rank; truncated, see samples_taken
  std::optional<Interval> interval_s;  ///< of time_s, over rounds
  std::optional<Interval> interval_of_launches_s;  ///< of the median over later launches; empty if launch-to-launch
                                                   ///< variation is unknown
  std::optional<PacedTime> paced;                  ///< with the pace of the CPUs; empty if unknown
  std::vector<Round> rounds;                       ///< in order; empty if unknown
  std::optional<Modes> modes;                      ///< if the rounds are bimodal
  std::optional<int> calls_per_sample;             ///< number timed as one; empty if unknown
  std::optional<std::uint64_t> invalid_samples;    ///< synchronised: dropped because a rank missed its window
  std::optional<Arrival> arrival;
  std::vector<Usage> usage;              ///< CPU usage of each rank; empty if unknown
  std::optional<Contention> contention;  ///< empty if not measured
  std::vector<GpuTelemetry> telemetry;   ///< of each rank's GPU; empty if no rank has a GPU that NVML knows
  std::optional<bool> throttled;         ///< a rank's GPU was throttled; empty if unknown
  std::optional<GatedTimes> gated;       ///< empty without a device clock
  std::optional<Overhead> overhead;      ///< only on request
  std::optional<Overlap> overlap;        ///< with work beside the call; time_s includes the work then
  std::optional<Training> training;      ///< for kind "training"
  std::optional<Replay> replay;          ///< for kind "replay"
  std::vector<std::string> remarks;      ///< what readers should know about the numbers
  std::vector<RankSummary> ranks;        ///< one per rank, in order; empty if unknown
  std::vector<GroupTime> groups;         ///< if several groups called at the same time
  std::vector<KindTime> calls;           ///< if a sample alternates two kinds of groups: the calls of each, in order
  Check check;
  std::optional<int> warmup_iterations;
  std::optional<EndedBy> ended_by;  ///< empty if nothing was sampled, or unknown
  std::optional<double> started_s;  ///< since the start of the run
  std::optional<double> wall_s;     ///< of the whole case, with set-up and checks
  /// The launch that measured it: 0 is the run's first, n the n-th that resumed it. No JSON key: inferred from the
  /// position of its line.
  std::size_t launch = 0;
};

/// Sets time_s and both bandwidths from the key, a time and a factor. Without bytes or time, bandwidths stay empty.
void set_bandwidth(CaseRecord&, double time_s, double bus_factor);

/// Throws Error, naming the figure, unless each is 0 or plausible: times from 1e-12 to 1e9 s, bandwidths from 1e-15 to
/// 1e9 GB/s, rates from 1e-9 to 1e15 samples/s. With others, ratios might not be finite.
void check_figures(const CaseRecord&);

/// Half-width of the interval in per cent: "1.4", "12"; "-" if there is none. Uses the interval for later launches if
/// there is one.
[[nodiscard]] std::string half_width_percent(const CaseRecord&);
[[nodiscard]] std::string half_width_percent(const CaseRecord&, const std::optional<Interval>& of_time);

}  // namespace busbar
