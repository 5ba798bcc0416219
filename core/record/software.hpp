// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// The program that produced the numbers.
struct Tool {
  std::string name;  ///< busbar-bench, nccl-tests, ...
  std::optional<std::string> version;
  std::optional<std::string> revision;  ///< git revision of its sources
  std::optional<std::string> compiler;
  std::optional<std::string> build_type;
};

/// The MPI library of the ranks.
struct Mpi {
  std::string library;   ///< one line, e.g. "Open MPI 4.1.4"
  std::string standard;  ///< "3.1"
  std::string thread_level;
  std::optional<bool> yields;                 ///< idle ranks yield their CPU
  std::optional<std::string> yield_asked_by;  ///< who requested that: "busbar: more ranks than CPUs", "the user",
                                              ///< "nobody"
};

}  // namespace busbar
