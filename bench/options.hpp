// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bench/engine/plan.hpp"
#include "bench/engine/runner.hpp"
#include "bench/replay/schedule.hpp"
#include "bench/stages/stage.hpp"
#include "core/job/options.hpp"

namespace busbar {

/// Parsed command line of busbar-bench.
struct BenchOptions {
  Sweep sweep;
  Scope scope;
  std::optional<replay::ReplayOptions> replay;  ///< instead of a sweep
  Settings settings;
  JobOptions job;
  std::string backend = "mpi";
  BackendOptions backend_options;
  std::optional<bool> settle;    ///< settle the ranks of a host; empty: if CPUs are virtual
  bool budget_by_cases = false;  ///< no time budget given: 10 s, more for many cases
  bool asks_for_budget = false;  ///< --run-budget was given
};

/// Needs no MPI. Throws UsageError: one line with the flag and the accepted values. `more_to_list`: what --list
/// appends; null: nothing.
[[nodiscard]] std::variant<BenchOptions, Information> parse_options(const std::vector<std::string>& arguments,
                                                                    std::string (*more_to_list)() = nullptr);

}  // namespace busbar
