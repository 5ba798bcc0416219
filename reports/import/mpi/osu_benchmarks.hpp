// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "reports/import/mpi/mpi_operations.hpp"

namespace busbar {

/// What one program of the OSU micro-benchmarks measures, and whose time it prints.
struct OsuBenchmark {
  std::string kind = "collective";  ///< or pair
  MpiOperation operation;
  std::string rank_rule = "mean";
  std::string cadence = "barrier";
  std::optional<int> ranks = {};  ///< where it runs on no other number
};

/// The benchmark behind a title without "Test": "Non-blocking Allreduce Latency", "Bi-Directional Bandwidth".
[[nodiscard]] std::optional<OsuBenchmark> osu_benchmark(std::string_view title);

}  // namespace busbar
