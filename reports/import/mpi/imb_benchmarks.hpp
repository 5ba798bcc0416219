// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "reports/import/mpi/mpi_operations.hpp"

namespace busbar {

/// What one benchmark of the Intel MPI Benchmarks measures.
struct ImbBenchmark {
  std::string kind = "collective";  ///< or pair
  MpiOperation operation;
  double counted = 1;   ///< Mbytes/sec over bytes of the larger buffer by t_max: 2 where both directions count
  bool synced = false;  ///< a barrier stands between its calls, unless -sync off; else they are back to back
};

/// The benchmark of a name ("Allreduce", "Ibcast_pure", "PingPong") on so many processes. `totals`: sizes of
/// Reduce_scatter are those of all blocks, as they were up to IMB 2018.
[[nodiscard]] std::optional<ImbBenchmark> imb_benchmark(std::string_view name, int processes, bool totals);

}  // namespace busbar
