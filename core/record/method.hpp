// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// Launch-to-launch variation (core/journal/earlier_launches.hpp).
struct LaunchSpread {
  double relative = 0.05;  ///< standard deviation of the logarithm of a case's time: 0.05 is 5 %
  int launches = 0;        ///< number that it was estimated from; 0: assumed
};

/// Stopping rules of a case; the first that applies ends it.
struct StopAt {
  double confidence = 0.95, relative_half_width = 0.02;  ///< of the interval of the median over rounds
  int least_rounds = 0;
  double least_span_s = 0;             ///< since the case's first round
  double case_budget_s = 0;            ///< wall time of a case
  std::optional<double> run_budget_s;  ///< wall time for sampling all cases; empty: unlimited
  std::uint64_t most_samples = 0;
};

/// Buffers start at a multiple of `alignment_bytes` plus an offset.
struct BufferPlace {
  std::uint64_t alignment_bytes = 0, send_offset_bytes = 0, recv_offset_bytes = 0;
};

/// Names of clocks in records.
inline constexpr auto host_clock = "host", device_clock = "cuda_events";

/// How the ranks' times become the time of one iteration.
enum class RankRule { slowest, mean, median, fastest, rank_0, unknown };
[[nodiscard]] constexpr auto words_of(RankRule) {
  return std::to_array<std::string_view>({"slowest", "mean", "median", "fastest", "rank 0", "unknown"});
}

/// Statistic in `time_s` of a case.
enum class Statistic {
  median,  ///< over iterations, as mean, min and max
  mean,
  median_of_rounds,       ///< median of the rounds' medians
  median_of_round_means,  ///< median of the rounds' wall times divided by iterations
  min,
  max,
  unknown,
};
[[nodiscard]] constexpr auto words_of(Statistic) {
  return std::to_array<std::string_view>(
      {"median", "mean", "median_of_rounds", "median_of_round_means", "min", "max", "unknown"});
}

/// How the numbers were measured. "Time" has different meanings in two runs that differ here.
struct Method {
  std::string cadence;  ///< barrier, synchronised, streaming
  RankRule rank_rule = RankRule::unknown;
  /// Meaning of key.bytes. larger_buffer: the larger of a rank's send and receive buffer; unknown: a table did not say.
  std::string size_rule = "larger_buffer";
  Statistic statistic = Statistic::unknown;
  std::optional<int> warmup_iterations;
  std::optional<int> iterations;              ///< fixed number; empty if a stopping rule decided
  std::optional<int> aggregated_iterations;   ///< calls timed as one iteration; empty: varies by case
  std::string check;                          ///< every_call, every_call_sampled, some_calls, off, unknown
  std::optional<StopAt> stop;                 ///< stopping rules; empty if imported or with a fixed number
  std::optional<BufferPlace> buffers;         ///< alignment of buffers; empty if unknown
  std::optional<std::string> clock;           ///< clock of the samples: host, cuda_events; empty: unknown
  std::optional<int> graph_calls;             ///< calls per CUDA graph; empty without graphs
  std::optional<int> work_sms;                ///< multiprocessors that work beside calls takes; empty: all, or no GPU
  std::optional<bool> registered_buffers;     ///< with the library (ncclCommRegister); empty: unknown
  std::optional<bool> nonblocking_calls;      ///< calls return before their work is enqueued on the stream; empty:
                                              ///< unknown
  std::optional<bool> split_communicators;    ///< group communicators are from ncclCommSplit; empty: unknown
  std::optional<int> gpus_per_process;        ///< each is a rank; empty: unknown, or no GPUs
  std::optional<std::string> gpu_launch;      ///< of several GPUs per process: group, threads; empty: one
  std::optional<bool> shared_gpu;             ///< ranks shared a GPU on purpose: not representative of a real cluster
  std::optional<bool> settled;                ///< the ranks of each host were settled; empty: unknown
  std::optional<LaunchSpread> launch_spread;  ///< included in interval_of_launches_s of cases; empty: unknown
};

}  // namespace busbar
