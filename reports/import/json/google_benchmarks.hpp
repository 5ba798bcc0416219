// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Entries of Google Benchmark's JSON, parsed without interpretation.
namespace busbar {

/// One benchmark: its repetitions and aggregates.
struct GoogleBenchmark {
  std::string name;                        ///< with arguments, without suffixes such as "_mean"
  std::vector<double> times_s;             ///< wall time per iteration, one for each repetition
  std::vector<double> cpu_s;               ///< CPU time per iteration, where present
  std::vector<int> iterations;             ///< for each repetition
  std::optional<double> mean_s, median_s;  ///< aggregates
  std::optional<int> repetitions;          ///< as stated in the file
  std::optional<std::string> error, skipped;
  std::optional<std::string> label;
  std::map<std::string, double> counters;  ///< from the aggregate "median", else from the only repetition
};

struct GoogleBenchmarks {
  std::vector<GoogleBenchmark> list;  ///< in order of appearance
  int unreadable = 0;                 ///< entries without a name, a time or a unit
  int fits = 0;                       ///< complexity fits, which have no times
};

/// Parses the value of "benchmarks". Never throws; unreadable entries are counted.
[[nodiscard]] GoogleBenchmarks read_google_benchmarks(const nlohmann::json& entries);

}  // namespace busbar
