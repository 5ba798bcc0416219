// SPDX-License-Identifier: Apache-2.0
#include <smpi/smpi.h>
#include <xbt/config.hpp>

#include "core/simulation/replaced.hpp"

/// Where Open MPI's rules want a basic linear broadcast, or a binary tree of two or three ranks, the root sends the
/// whole message to each rank. SMPI puts pipelines of 8 KiB segments in their place (NTSL, NTSB), all of them in flight
/// at once: 8,192 messages per rank for 64 MiB, and SimGrid's lists of them cost their square. Here it is what Open MPI
/// does: SMPI's flat tree. Who names NTSL or NTSB (--cfg smpi/bcast:NTSL) gets the pipeline.
namespace busbar {
namespace {

using Broadcast = int(void*, int, MPI_Datatype, int, MPI_Comm);

bool chosen_by_open_mpis_rules() {
  return simgrid::config::is_default("smpi/bcast") &&
         simgrid::config::get_value<std::string>("smpi/coll-selector") == "ompi";
}

}  // namespace
}  // namespace busbar

namespace simgrid::smpi {

busbar::Broadcast bcast__flattree;

int bcast__NTSL(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static auto* const own =
      busbar::simgrids_own<busbar::Broadcast>("_ZN7simgrid4smpi11bcast__NTSLEPviPNS0_8DatatypeEiPNS0_4CommE");
  return (busbar::chosen_by_open_mpis_rules() ? bcast__flattree : own)(buffer, count, type, root, comm);
}

int bcast__NTSB(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  constexpr int most_of_a_root_with_leaves = 3;
  static auto* const own =
      busbar::simgrids_own<busbar::Broadcast>("_ZN7simgrid4smpi11bcast__NTSBEPviPNS0_8DatatypeEiPNS0_4CommE");
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const bool linear = ranks <= most_of_a_root_with_leaves && busbar::chosen_by_open_mpis_rules();
  return (linear ? bcast__flattree : own)(buffer, count, type, root, comm);
}

}  // namespace simgrid::smpi
