// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_one_job(const Facts& f) {
  const Identity& id = f.ranks.front().id;
  if (!id.launched)
    return {not_applicable(
        fmt::format("no launcher said how many processes it started; MPI sees {}", plural(id.world, "rank")))};
  const std::string read = fmt::format("the launcher started {} {}, MPI sees {}", *id.launched,
                                       *id.launched == 1 ? "process" : "processes", plural(id.world, "rank"));
  if (*id.launched == id.world) return {all_well(read)};
  return {{.state = State::failed,
           .read = fmt::format("{} (each of them: its job has one rank) on {}", read, id.host),
           .hosts = {id.host},
           .ranks = {}}};
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check one_job{
    .name = "one_job",
    .stage = preflight::Stage::launch,
    .about = "the processes that the launcher started are one MPI job",
    .expected = "MPI sees as many ranks as the launcher started processes",
    .why = "each process otherwise runs a job of one rank of its own, and nothing crosses any network",
    .advice =
        "The program was built with another MPI than the one that launched it: start it with the mpirun of "
        "that MPI (ldd shows which libmpi), or give srun the matching --mpi.",
    .judge = preflight::check_one_job,
};

}  // namespace busbar
