// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/engine/plan.hpp"
#include "bench/replay/trace.hpp"
#include "core/record/calls/replay.hpp"

namespace busbar::replay {

/// Groups of ranks of this job that make the same calls at the same positions: the tensor-parallel groups of a job, for
/// example. Their calls are cases of one group in the record.
struct Level {
  std::string name;                     ///< CaseKey::group
  std::vector<std::vector<int>> teams;  ///< ranks of this job, in the order of the group; disjoint, of equal size
};

/// A distinct call: collective, size, type and level.
struct Planned {
  std::size_t level = 0;
  Case spec;
  std::uint64_t calls = 0;        ///< in a pass, by each rank of the level
  std::uint64_t timed_calls = 0;  ///< those whose duration is in the trace
  double trace_s = 0;             ///< sum of these
};

/// A call in a rank's list.
struct Step {
  std::size_t at = 0;             ///< Schedule::cases
  std::optional<double> trace_s;  ///< its duration in the trace
  /// With gaps: time to wait before it, after the end of the call before; empty: none. `from_start`: after the start
  /// of the call before, because the trace lacks that call's duration.
  std::optional<double> pause_s;
  bool from_start = false;
};

/// All that the ranks of this job do in a pass.
struct Schedule {
  std::string name;    ///< of the trace, for the record: the file's name, or its folder's
  std::string format;  ///< Trace::format
  int files = 0;
  std::optional<int> trace_ranks;
  std::vector<Level> levels;
  std::vector<Planned> cases;
  std::vector<std::vector<Step>> lists;  ///< one for each rank, or one for all
  std::vector<LeftOutCalls> left_out;
  std::vector<std::string> notes;      ///< for the record
  std::optional<double> trace_span_s;  ///< from the first replayed call to the end of the last

  [[nodiscard]] const std::vector<Step>& list_of(int rank) const {
    return lists.size() == 1 ? lists[0] : lists[static_cast<std::size_t>(rank)];
  }
};

/// What the user asks for.
struct ReplayOptions {
  std::vector<std::string> files;  ///< and folders
  bool gaps = false, rescale = false;
};

/// How traces are replayed.
struct ScheduleOptions {
  bool rescale = false;  ///< this job may have another number of ranks than the trace
  bool gaps = false;     ///< keep the trace's time between calls
  bool in_place = false;
  Op op = Op::sum;  ///< traces do not say it
};

/// Plans the replay of traces by `ranks` ranks. One trace stands for all ranks: each rank makes its calls, over its own
/// groups of the same shape. Several traces: one for each rank. Pure, the same on every rank. Throws UsageError if the
/// traces do not fit this job or each other.
[[nodiscard]] Schedule make_schedule(const std::vector<Trace>& traces, int ranks, const ScheduleOptions& options);

}  // namespace busbar::replay
