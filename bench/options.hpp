// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bench/engine/plan.hpp"
#include "bench/engine/runner.hpp"

namespace busbar {

/// What the command line of busbar-bench asks for.
struct Options {
  Sweep sweep;
  Settings settings;
  std::string backend = "mpi";
  double timeout_s = 300;          ///< for a case's turn in a round; 0: none
  std::optional<bool> settle;      ///< bring ranks of a host near each other; empty: where CPUs are virtual
  double noise_s = 1;              ///< how long the noise of the machine is measured; 0: not at all
  std::optional<std::string> out;  ///< empty: a name under results/
  bool overwrite = false;
  std::map<std::string, std::string> labels;
  std::string progress = "auto";  ///< auto: on a terminal; always; never
};

/// Text to print on rank 0 instead of measuring: --help, --version, --list.
struct Information {
  std::string text;
};

/// Needs no MPI. Throws UsageError with one line that names the flag and what it accepts.
[[nodiscard]] std::variant<Options, Information> parse_options(const std::vector<std::string>& arguments);

}  // namespace busbar
