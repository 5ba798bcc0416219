// SPDX-License-Identifier: Apache-2.0
#include "reports/import/abort_lines.hpp"

#include <algorithm>
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
  return std::ranges::any_of(words, [line](std::string_view w) { return line.find(w) != std::string_view::npos; });
}

std::optional<int> exit_code_of(std::string_view line) {
  constexpr auto mark = "Exit code:"sv;
  const std::size_t at = line.find(mark);
  return at == std::string_view::npos ? std::nullopt : small_integer(trimmed(line.substr(at + mark.size())));
}

}  // namespace busbar
