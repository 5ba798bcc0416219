// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/record/case_key.hpp"
#include "core/record/method.hpp"
#include "reports/import/mpi/mpi_operations.hpp"

namespace busbar {

/// What an OSU micro-benchmark measures, and which ranks' time it prints.
struct OsuBenchmark {
  CaseKind kind = CaseKind::collective;  ///< or pair
  MpiOperation operation;
  RankRule rank_rule = RankRule::mean;
  std::string cadence = "barrier";
  std::optional<int> ranks = {};  ///< set if the benchmark needs exactly this many
};

/// Looks up a benchmark by its title without "Test": "Non-blocking Allreduce Latency", "Bi-Directional Bandwidth".
[[nodiscard]] std::optional<OsuBenchmark> osu_benchmark(std::string_view title);

/// True for the name of an OSU program: "./osu_allreduce".
[[nodiscard]] bool is_osu_program(std::string_view word);

/// True for the program of a benchmark: "osu_iallreduce" and "osu_allreduce_persistent" are programs of "Non-blocking
/// Allreduce Latency" and "Allreduce Persistent Latency".
[[nodiscard]] bool is_program_of(std::string_view word, const OsuBenchmark&);

}  // namespace busbar
