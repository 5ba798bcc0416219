// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// The program that took the numbers.
struct Tool {
  std::string name;  ///< busbar-bench, nccl-tests, ...
  std::optional<std::string> version;
  std::optional<std::string> revision;  ///< git, of the sources it was built from
  std::optional<std::string> compiler;
  std::optional<std::string> build_type;
};

/// The MPI that the ranks ran on.
struct Mpi {
  std::string library;   ///< one line, e.g. "Open MPI 4.1.4"
  std::string standard;  ///< "3.1"
  std::string thread_level;
  std::optional<bool> yields;                 ///< ranks that wait let others have their CPU
  std::optional<std::string> yield_asked_by;  ///< who wanted that: "busbar: more ranks than CPUs", "the user", "nobody"
};

}  // namespace busbar
