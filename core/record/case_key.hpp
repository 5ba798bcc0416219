// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_words.hpp"
#include "core/record/training.hpp"

namespace busbar {

/// What a case timed.
enum class CaseKind {
  collective,  ///< one call of one collective
  copy,        ///< a transfer between two ranks or devices
  function,    ///< imported: a named timing of another program
  pair,        ///< communication between two ranks at a time
  training,    ///< a step
  replay,      ///< all calls of a recorded trace, one after another
};
[[nodiscard]] constexpr auto words_of(CaseKind) {
  return std::to_array<std::string_view>({"collective", "copy", "function", "pair", "training", "replay"});
}

/// Identifies what was measured, without the result: cases of two runs with equal keys are comparable.
/// An empty optional means "does not apply" (no root in an allgather) or "unknown" (an imported log did not say).
struct CaseKey {
  CaseKind kind = CaseKind::collective;
  std::string collective;  ///< canonical name: allreduce, reduce_scatter, ...; for training: the model; for replay:
                           ///< the trace
  std::string backend;     ///< mpi, nccl, ...
  std::optional<std::string> memory;   ///< host, device
  std::optional<std::string> type;     ///< int8 ... fp64
  std::optional<std::string> op;       ///< sum ... avg; empty for collectives that do not reduce
  std::optional<int> root;             ///< empty for collectives without a root
  std::uint64_t bytes = 0;             ///< the larger of a rank's send and receive buffer, like nccl-tests' size
  std::optional<bool> in_place;        ///< empty if there is no buffer (barrier)
  int ranks = 0;                       ///< participating ranks
  std::optional<int> nodes;            ///< their hosts
  std::optional<int> ranks_per_node;   ///< empty if it differs between hosts
  std::optional<std::string> cadence;  ///< start of an iteration: barrier, streaming, cold, ... (docs/records.md)
  std::optional<std::string>
      algorithm;  ///< requested from the library: "ring/simple", "symmetric+zero"; empty: its own choice
  std::optional<std::string> group;     ///< world: all ranks of the job
  std::optional<std::string> counts;    ///< how uneven blocks are: "linear", "zipf:1.2"; empty: no uneven collective
  std::optional<int> window;            ///< messages or accesses in flight; empty: not a stream of messages
  std::optional<std::string> form;      ///< nonblocking, persistent; empty: the plain call
  std::optional<std::string> progress;  ///< what advances the call while this rank works: library, poll, thread
  std::optional<int> work;  ///< work between start and wait, in per cent of the call's own time; empty: not overlapped
  std::optional<TrainingKey> training;  ///< empty for collectives

  friend auto operator<=>(const CaseKey&, const CaseKey&) = default;
};

/// The key as one string, e.g. "allreduce/mpi/host/fp32/sum/out_of_place/ranks:2/nodes:1/barrier/bytes:8".
/// Strings are equal if and only if the keys are. "?" means unknown.
[[nodiscard]] std::string to_string(const CaseKey&);

/// The key without the size: identifies a line in a chart over sizes.
[[nodiscard]] std::string series_name(const CaseKey&);

/// What the cases of a sweep over sizes and ranks have in common: the key without bytes, ranks and nodes.
[[nodiscard]] CaseKey without_scale(CaseKey);

}  // namespace busbar
