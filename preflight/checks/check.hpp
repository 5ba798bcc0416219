// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "preflight/facts/facts.hpp"
#include "preflight/facts/stage.hpp"

namespace busbar::preflight {

/// From best to worst.
enum class State : int {
  ok,
  not_applicable,  ///< nothing to check here; `read` says what is missing
  unknown,         ///< value not readable; `read` says why
  warning,         ///< a job runs, but below its potential, or with a risk
  failed,          ///< a job fails, hangs, or measures the wrong thing
};
[[nodiscard]] std::string_view name(State);

/// One result of a check, for all ranks or some of them.
struct CheckResult {
  State state = State::ok;
  std::string read;                ///< one line: the value with its unit, and its host or rank
  std::vector<std::string> hosts;  ///< affected hosts; empty: all
  std::vector<int> ranks;
};

/// One check: one file in preflight/checks/. A pure function of facts; it reads nothing itself.
struct Check {
  std::string_view name;      ///< identifier, without the name of its stage
  Stage stage;                ///< stage in which it runs; facts of this and earlier stages are available
  std::string_view about;     ///< subject of the check, one line
  std::string_view expected;  ///< the correct state
  std::string_view why;       ///< consequence of another state
  std::string_view advice;    ///< actions for the user
  bool before_mpi = false;    ///< each rank also judges its own facts before MPI_Init
  /// At least one finding; equal results of several ranks share one.
  std::vector<CheckResult> (*find)(const Facts&);
};

/// The worst state; ok without findings.
[[nodiscard]] State worst(const std::vector<CheckResult>&);

}  // namespace busbar::preflight
