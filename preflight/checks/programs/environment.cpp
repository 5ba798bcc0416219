// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

/// Skips variables that differ on purpose: the GPU of each rank, and those that launchers set per host or rank.
bool compared(const std::string& variable) {
  static constexpr std::array own{"CUDA_VISIBLE_DEVICES", "NCCL_HOSTID", "OMPI_MCA_plm", "OMPI_MCA_routed"};
  return !variable.starts_with("SLURM_") && std::ranges::find(own, variable) == own.end();
}

std::vector<CheckResult> check_environment(const Facts& f) {
  std::set<std::string> variables;
  for (const RankFacts& r : f.ranks)
    for (const auto& [variable, value] : r.id.environment)
      if (compared(variable)) variables.insert(variable);
  std::vector<CheckResult> findings;
  for (const std::string& variable : variables) {
    std::vector<std::string> values;
    for (const RankFacts& r : f.ranks) {
      const auto at = r.id.environment.find(variable);
      values.push_back(at == r.id.environment.end() ? "not set" : at->second);
    }
    const CheckResult one = same_on_ranks(State::warning, f, variable, values);
    if (one.state != State::ok) findings.push_back(one);
  }
  if (findings.empty()) findings.push_back(all_well(fmt::format("{} compared, same on all ranks", variables.size())));
  return findings;
}

}  // namespace

extern const Check environment{
    .name = "environment",
    .stage = Stage::same,
    .about = "same MPI, UCX, libfabric and NCCL settings on all ranks",
    .expected = "variables NCCL_*, OMPI_MCA_*, MPICH_*, MPIR_CVAR_*, I_MPI_*, UCX_*, FI_* are the same on all ranks",
    .why =
        "ranks with different protocols or interfaces hang or run slowly; Open MPI's mpirun forwards OMPI_MCA_* by "
        "itself, other variables only with -x; MPICH and Intel MPI forward all",
    .advice =
        "Set them for all ranks: mpirun -x NCCL_DEBUG (Open MPI), or a file that non-interactive shells read too.",
    .find = check_environment,
};

}  // namespace busbar::preflight
