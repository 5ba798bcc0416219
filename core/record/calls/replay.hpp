// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Data of cases of kind "replay": one pass over all calls of a recorded trace (bench/replay/). In their key,
/// `collective` is the name of the trace and `bytes` the sum over the calls of the rank with the most.
namespace busbar {

/// Calls of one collective over one kind of group in a pass. Each rank of these groups makes them.
struct ReplayedCalls {
  std::string collective;
  std::string group;  ///< CaseKey::group of their cases
  int ranks = 0;      ///< of one group
  int groups = 1;     ///< number of such groups; they have no rank in common
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;        ///< sum of CaseKey::bytes
  std::optional<double> time_s;   ///< sum of the cases' times, each as often as it is called; empty if not measured
  std::uint64_t timed_calls = 0;  ///< calls whose duration is in the trace
  std::optional<double> trace_s;  ///< their duration in the trace; empty if there are none
  std::optional<double> ratio;    ///< the time here of the same calls, divided by trace_s
};

/// Calls of the trace that were not replayed, in a pass.
struct LeftOutCalls {
  std::string collective;  ///< as the trace calls it
  std::string group;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  ///< sum of the larger buffers; 0 if the trace does not say
  std::string reason;
};

/// Totals of a replay.
struct Replay {
  std::string format;                ///< "PARAM comms trace", "PyTorch execution trace", "Kineto trace"
  int files = 0;                     ///< 1: one rank's trace stands for all
  std::optional<int> trace_ranks;    ///< ranks of the recorded job; empty: unknown
  bool gaps = false;                 ///< the time between calls is that of the trace, instead of none
  std::uint64_t calls = 0;           ///< in a pass, of the rank with the most
  std::uint64_t left_out_calls = 0;  ///< sum over left_out
  std::optional<double> trace_s;     ///< sum of their durations in the trace, of the rank with the most; empty: unknown
  std::optional<double> trace_span_s;  ///< in the trace, from the first call to the last, with all between them
  std::optional<double> ratio;         ///< time_s / trace_s; with gaps time_s / trace_span_s
  std::vector<ReplayedCalls> replayed;
  std::vector<LeftOutCalls> left_out;
};

}  // namespace busbar
