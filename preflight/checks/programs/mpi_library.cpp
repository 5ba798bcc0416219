// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_mpi_library(const Facts& f) {
  std::vector<std::string> values;
  for (const RankFacts& r : f.ranks) values.push_back(r.versions.mpi);
  return {same_on_ranks(State::failed, f, "MPI library", values)};
}

}  // namespace

extern const Check mpi_library{
    .name = "mpi_library",
    .stage = Stage::same,
    .about = "same MPI library on all ranks",
    .expected = "same MPI library and version on all ranks",
    .why = "different versions of an MPI library need not be compatible",
    .advice =
        "Compare LD_LIBRARY_PATH and modules of non-interactive shells on the hosts: ssh HOST 'ldd PROGRAM | "
        "grep libmpi'.",
    .find = check_mpi_library,
};

}  // namespace busbar::preflight
