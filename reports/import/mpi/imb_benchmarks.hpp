// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/record/case_key.hpp"
#include "reports/import/mpi/mpi_operations.hpp"

namespace busbar {

/// What an Intel MPI Benchmark measures.
struct ImbBenchmark {
  CaseKind kind = CaseKind::collective;  ///< or pair
  MpiOperation operation;
  double counted = 1;   ///< IMB's Mbytes/sec relative to larger buffer / t_max: 2 where both directions count
  bool synced = false;  ///< a barrier between calls, unless -sync off; else calls are back to back
};

/// Looks up a benchmark by name ("Allreduce", "Ibcast_pure", "PingPong"). `totals`: sizes of Reduce_scatter are those
/// of all blocks, as up to IMB 2018.
[[nodiscard]] std::optional<ImbBenchmark> imb_benchmark(std::string_view name, int processes, bool totals);

}  // namespace busbar
