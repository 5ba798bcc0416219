// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bench/engine/plan.hpp"
#include "bench/engine/runner.hpp"
#include "bench/stages/stage.hpp"
#include "core/job/options.hpp"

namespace busbar {

/// What the command line of busbar-bench asks for.
struct BenchOptions {
  Sweep sweep;
  Scope scope;
  Settings settings;
  JobOptions job;
  std::string backend = "mpi";
  BackendOptions backend_options;
  std::optional<bool> settle;    ///< bring ranks of a host near each other; empty: where CPUs are virtual
  bool budget_by_cases = false;  ///< the user leaves the time of the launch open: 10 s, more for more cases
};

/// Needs no MPI. Throws UsageError with one line that names the flag and what it accepts.
[[nodiscard]] std::variant<BenchOptions, Information> parse_options(const std::vector<std::string>& arguments);

}  // namespace busbar
