// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "core/record/training.hpp"

namespace busbar {

/// What was measured, without the result: cases of two runs with equal keys can be compared.
/// An empty optional means "does not apply" (no root in an allgather) or "not known" (an imported log did not say).
struct CaseKey {
  std::string kind = "collective";     ///< collective, pair, training
  std::string collective;              ///< canonical name: allreduce, reduce_scatter, ...; training: the model
  std::string backend;                 ///< mpi, nccl, ...
  std::optional<std::string> memory;   ///< host, device
  std::optional<std::string> type;     ///< int8 ... fp64
  std::optional<std::string> op;       ///< sum ... avg; empty for collectives that do not reduce
  std::optional<int> root;             ///< empty for collectives without a root
  std::uint64_t bytes = 0;             ///< the larger of a rank's send and receive buffer, as nccl-tests' size
  std::optional<bool> in_place;        ///< empty where there is no buffer (barrier)
  int ranks = 0;                       ///< ranks that take part
  std::optional<int> nodes;            ///< hosts they are on
  std::optional<int> ranks_per_node;   ///< empty where hosts hold different numbers of ranks
  std::optional<std::string> cadence;  ///< how an iteration begins: barrier, streaming, cold, ... (docs/records.md)
  std::optional<std::string>
      algorithm;  ///< that the library was told to use: "ring/simple", "symmetric+zero"; empty: it chose
  std::optional<std::string> group;     ///< world: all ranks of the job
  std::optional<TrainingKey> training;  ///< empty for collectives

  friend auto operator<=>(const CaseKey&, const CaseKey&) = default;
};

/// The key as one string, e.g. "allreduce/mpi/host/fp32/sum/out_of_place/ranks:2/nodes:1/barrier/bytes:8".
/// Equal keys give equal strings and unequal ones unequal strings. "?" stands for what is not known.
[[nodiscard]] std::string to_string(const CaseKey&);

/// The same without the size: what one line of a chart over sizes is drawn from.
[[nodiscard]] std::string series_name(const CaseKey&);

/// What all cases of a sweep over sizes and ranks have in common: the key without bytes, ranks and nodes.
[[nodiscard]] CaseKey without_scale(CaseKey);

}  // namespace busbar
