// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What Google Benchmark's JSON says of each benchmark, as it says it.
namespace busbar {

/// One benchmark: its repetitions and what was made of them.
struct GoogleBenchmark {
  std::string name;                        ///< with its arguments, without "_mean" and the like
  std::vector<double> times_s;             ///< a repetition each: wall time of an iteration
  std::vector<double> cpu_s;               ///< the same of CPU time, where it is there
  std::vector<int> iterations;             ///< of each repetition
  std::optional<double> mean_s, median_s;  ///< aggregates
  std::optional<int> repetitions;          ///< as told
  std::optional<std::string> error, skipped;
  std::optional<std::string> label;
  std::map<std::string, double> counters;  ///< of the aggregate "median", else of the only repetition
};

struct GoogleBenchmarks {
  std::vector<GoogleBenchmark> list;  ///< in order of appearance
  int unreadable = 0;                 ///< entries without a name, a time or a unit
  int fits = 0;                       ///< entries of asymptotic complexity: no times
};

/// Of the value of "benchmarks". Never throws: what cannot be read is counted.
[[nodiscard]] GoogleBenchmarks read_google_benchmarks(const nlohmann::json& entries);

}  // namespace busbar
