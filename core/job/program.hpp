// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/job/guard/guard.hpp"
#include "core/job/options.hpp"
#include "core/mpi/group.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// Entry point: each program under mpirun defines it. Called once per rank; returns the job's common exit code.
[[nodiscard]] int rank_main(int argc, char** argv);

/// SIGINT and SIGTERM only set interrupted(), so that the run ends in order. SIGXFSZ and SIGPIPE become failed writes.
void end_in_order_on_signals();
[[nodiscard]] bool interrupted();

/// Rank 0 prints the error. Returns the exit code. Other ranks wait for the launcher to end them: that of Open MPI 5
/// ends the job after the first failed rank, and may lose the output of others.
[[nodiscard]] int say_wrong_use(const std::string& name, const UsageError&);

/// A program with parsed options.
struct Ready {
  Threading threading = Threading::single;
  int ranks_per_process = 1;  ///< more than one: each is a thread, which needs Threading::serialised
  double startup_s = 0;       ///< limit of the start-up; 0: none
  /// Environment variables (name and value) to set before MPI_Init, unless they are set.
  std::vector<std::pair<std::string, std::string>> variables;
  /// Collective over the group; returns the common exit code. Called once per rank, on its thread.
  std::function<int(Group&, Guard&)> measure;
};

/// Runs a program under mpirun. `read` gets the arguments without the program's name. A UsageError from `read` or
/// `measure` is printed once and exits with code 2; any other exception aborts the job.
[[nodiscard]] int run_program(
    const std::string& name, int argc, char** argv,
    const std::function<std::variant<Ready, Information>(const std::vector<std::string>& arguments)>& read);

}  // namespace busbar
