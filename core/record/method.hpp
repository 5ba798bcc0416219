// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace busbar {

/// How far launches differ (core/journal/earlier_launches.hpp).
struct LaunchSpread {
  double relative = 0.05;  ///< standard deviation of the logarithm of a case's time: 0.05 is 5 %
  int launches = 0;        ///< that it was estimated from; 0: assumed
};

/// The rules that ended a case, the first that held.
struct StopAt {
  double confidence = 0.95, relative_half_width = 0.02;  ///< of the interval of the median over rounds
  int least_rounds = 0;
  double least_span_s = 0;             ///< from a case's first round
  double case_budget_s = 0;            ///< wall time of a case
  std::optional<double> run_budget_s;  ///< wall time of the sampling of all cases; empty: none
  std::uint64_t most_samples = 0;
};

/// Buffers begin at a multiple of `alignment_bytes` plus an offset.
struct BufferPlace {
  std::uint64_t alignment_bytes = 0, send_offset_bytes = 0, recv_offset_bytes = 0;
};

/// What clocks are called in records.
inline constexpr auto host_clock = "host", device_clock = "cuda_events";

/// How numbers were taken; two runs that differ here do not mean the same by "time".
struct Method {
  std::string cadence;    ///< barrier, synchronised, streaming
  std::string rank_rule;  ///< slowest: a sample is the slowest rank's; mean: mean over ranks
  /// What key.bytes are: larger_buffer: the larger of a rank's send and receive buffer; unknown: a table did not say.
  std::string size_rule = "larger_buffer";
  /// Which one `time_s` is: median or mean over iterations, or median_of_rounds: of the medians of rounds.
  std::string statistic;
  std::optional<int> warmup_iterations;
  std::optional<int> iterations;              ///< fixed number, empty where a stop rule decided
  std::optional<int> aggregated_iterations;   ///< calls timed as one iteration; empty: by case
  std::string check;                          ///< every_call, every_call_sampled, some_calls, off, unknown
  std::optional<StopAt> stop;                 ///< what ended a case; empty where imported or where the number was fixed
  std::optional<BufferPlace> buffers;         ///< where buffers lay; empty where not known
  std::optional<std::string> clock;           ///< that samples are read from: host, cuda_events; empty: not known
  std::optional<int> graph_calls;             ///< calls that were launched as one CUDA graph; empty: none were
  std::optional<bool> registered_buffers;     ///< with the library (ncclCommRegister); empty: not known
  std::optional<bool> nonblocking_calls;      ///< calls return before their work is in the stream; empty: not known
  std::optional<bool> split_communicators;    ///< those of groups, by ncclCommSplit; empty: not known
  std::optional<bool> shared_gpu;             ///< ranks shared a GPU, on purpose: no figure of a real cluster
  std::optional<bool> settled;                ///< ranks of a host were brought near each other; empty: not known
  std::optional<LaunchSpread> launch_spread;  ///< by which interval_of_launches_s of cases is wider; empty: not known
};

}  // namespace busbar
