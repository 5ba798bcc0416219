// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reports/suite/child.hpp"
#include "reports/suite/history.hpp"
#include "reports/suite/plan.hpp"

namespace busbar::suite {

/// What became of a launch.
struct Outcome {
  Launch launch;
  enum class State { run, kept, not_run } state = State::not_run;  ///< kept: it was done before
  Ending ending;                                                   ///< of a launch that was run, now or before
  [[nodiscard]] bool ok() const { return state != State::not_run && ending.ok(); }
};

struct Outcomes {
  std::vector<Outcome> all;  ///< one a launch, in the order of the plan
  bool interrupted = false;
};

/// Runs what is not done yet, one launch after the other, and says so on standard output; on a terminal, standard error
/// shows what is being done. A failed launch does not end it unless its step is required; a signal does. Throws Error
/// where the journal cannot be written.
[[nodiscard]] Outcomes run_plan(const Suite& suite, const Plan& plan, const History& history, Journal& journal,
                                Signals& signals);

/// The line of a launch's output that says most about its end: the last that begins with the program's name; else the
/// last before the launcher's first rule of dashes, behind which mpirun explains itself; else the first behind it.
/// Empty where no line has a letter in it.
[[nodiscard]] std::string telling_line(const std::string& log, const std::string& program);
/// The same of a file; empty where it cannot be read.
[[nodiscard]] std::string telling_line_of(const std::filesystem::path& log, const std::string& program);

}  // namespace busbar::suite
