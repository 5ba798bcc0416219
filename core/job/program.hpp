// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/job/guard/guard.hpp"
#include "core/job/options.hpp"
#include "core/mpi/group.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// A program under mpirun: defined by each, called once a rank with its own words. Gives the exit code, the same on
/// every rank.
[[nodiscard]] int rank_main(int argc, char** argv);

/// SIGINT and SIGTERM only set a flag, for the run to end in order; a file-size limit becomes a failed write.
void end_in_order_on_signals();
[[nodiscard]] bool interrupted();

/// Rank 0 says what is wrong; gives the exit code. The others wait for the launcher to end them after it: Open MPI 5's
/// ends the job with the first rank that fails, and may lose what another has said by then.
[[nodiscard]] int say_wrong_use(const std::string& name, const UsageError&);

/// A program whose options are read.
struct Ready {
  Threading threading = Threading::single;
  double startup_s = 0;                        ///< limit of the start-up; 0: none
  std::function<int(Group&, Guard&)> measure;  ///< Collective. Gives the exit code, the same on every rank
};

/// What a program under mpirun does around its measuring. `read` gets the arguments without the program's name; a
/// UsageError of it or of `measure` is said once and ends with exit code 2, any other exception ends the job.
[[nodiscard]] int run_program(
    const std::string& name, int argc, char** argv,
    const std::function<std::variant<Ready, Information>(const std::vector<std::string>& arguments)>& read);

}  // namespace busbar
