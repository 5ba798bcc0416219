// SPDX-License-Identifier: Apache-2.0
#include "reports/import/abort_lines.hpp"

#include <array>

#include "reports/import/text_lines.hpp"

namespace busbar {

using namespace std::string_view_literals;

bool is_abort_line(std::string_view line) {
  static constexpr std::array words{
      "prterun detected"sv,   "mpirun detected"sv,
      "prterun noticed"sv,    "mpirun noticed"sv,
      "mpiexec noticed"sv,    "mpiexec detected"sv,
      "MPI_ABORT was"sv,      "MPI_Abort"sv,
      "BAD TERMINATION"sv,    "srun: error"sv,
      "slurmstepd: error"sv,  "CANCELLED AT"sv,
      "Segmentation fault"sv, "died from signal"sv,
      "terminate called"sv,   "launch failed"sv,
      "aborting job"sv,       "oom-kill"sv,
      "Out Of Memory"sv,      "exceeded walltime"sv,
      "unable to launch"sv,   "error while loading sh"sv,
      "exited on signal"sv,   "start failed"sv,
  };
  return holds_any(line, words);
}

std::optional<int> exit_code_of(std::string_view line) { return small_integer(trimmed(behind(line, "Exit code:"))); }

}  // namespace busbar
