// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_one_job(const Facts& f) {
  const Identity& id = f.ranks.front().id;
  if (!id.launched)
    return {not_applicable(
        fmt::format("no launcher reported its number of processes; MPI sees {}", plural(id.world, "rank")))};
  const std::string read = fmt::format("the launcher started {} {}, MPI sees {}", *id.launched,
                                       *id.launched == 1 ? "process" : "processes", plural(id.world, "rank"));
  if (*id.launched == id.world) return {all_well(read)};
  return {{.state = State::failed,
           .read = fmt::format("{} on {}: each process is a job of one rank", read, id.host),
           .hosts = {id.host},
           .ranks = {}}};
}

}  // namespace

extern const Check one_job{
    .name = "one_job",
    .stage = Stage::launch,
    .about = "the launched processes form one MPI job",
    .expected = "MPI sees one rank for each launched process",
    .why = "otherwise each process runs its own job of one rank, and no data crosses the network",
    .advice =
        "The program was built with a different MPI than its launcher. Use the mpirun of that MPI (ldd shows which "
        "libmpi), or give srun the matching --mpi.",
    .find = check_one_job,
};

}  // namespace busbar::preflight
