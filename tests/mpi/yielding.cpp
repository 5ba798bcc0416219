// SPDX-License-Identifier: Apache-2.0
// yielding user|nobody: 4 ranks on slots given to mpirun. Either the user has turned yielding off, or nobody has set
// it. Exit code 0 if busbar did the right thing.
#include <cstdio>
#include <string_view>

#include "core/environment/environment.hpp"
#include "core/mpi/group.hpp"
#include "core/ranks/launcher.hpp"

int main(int argc, char** argv) {
  using namespace busbar;
  const bool user = argc == 2 && std::string_view(argv[1]) == "user";
  const auto group = join_mpi(argc, argv);
  const Yielding found = yielding();
  if (!found.yields) return 0;  // this library cannot
  const bool too_many = local_launch_size().value_or(0) > usable_cpus().value_or(0);
  const std::string_view expected = user ? "the user" : too_many ? "busbar: more ranks than CPUs" : "nobody";
  std::printf("rank %d: yields: %d, asked by %s\n", group->rank(), *found.yields, found.asked_by.c_str());
  return found.asked_by == expected && *found.yields == (too_many && !user) ? 0 : 1;
}
