// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reports/suite/child.hpp"
#include "reports/suite/history.hpp"
#include "reports/suite/plan.hpp"

namespace busbar::suite {

/// The outcome of a launch.
struct Outcome {
  Launch launch;
  enum class State { run, kept, not_run } state = State::not_run;  ///< kept: completed earlier
  Ending ending;                                                   ///< empty if it did not run
  [[nodiscard]] bool ok() const { return state != State::not_run && ending.ok(); }
};

struct Outcomes {
  std::vector<Outcome> all;  ///< one per launch, in plan order
  bool interrupted = false;
};

/// Runs the remaining launches one after another and reports them on standard output; on a terminal, standard error
/// shows progress. A failed launch ends the plan only if its step is required; a signal always does. Throws OutputError
/// if the journal cannot be written.
[[nodiscard]] Outcomes run_plan(const Suite& suite, const Plan& plan, const History& history, Journal& journal,
                                Signals& signals);

/// The most informative line of a launch's output: the last that starts with the program's name; else the last before
/// the launcher's first rule of dashes, after which mpirun explains itself; else the first after it. Empty if no line
/// has a letter.
[[nodiscard]] std::string telling_line(const std::string& log, const std::string& program);
/// telling_line() of a file; empty if it cannot be read.
[[nodiscard]] std::string telling_line_of(const std::filesystem::path& log, const std::string& program);

}  // namespace busbar::suite
