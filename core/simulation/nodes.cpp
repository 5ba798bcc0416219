// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <smpi/smpi.h>

#include "core/simulation/job.hpp"
#include "core/simulation/members.hpp"
#include "core/simulation/replaced.hpp"

/// Which ranks share a host? SMPI's hierarchical algorithms need to know, and so, it believes, does its k-nomial
/// broadcast, which Open MPI's rules choose. In their first call on a communicator they call Comm::init_smp(), where
/// every rank tells all others by N x N messages, twice: minutes for 1,024 ranks, and simulated time that belongs to no
/// algorithm. Here the answers are known: each rank has a host of its own (place_ranks). So these functions replace
/// SMPI's while it asks: they send nothing. The ranks only wait for each other, since a rank that comes to
/// MPI_COMM_WORLD after another has finished does not ask at all.
namespace busbar {
namespace {

using AllgatherRing = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
using AllreduceDefault = int(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
using InitSmp = void(MPI_Comm);

/// Marks the calling rank as one that asks for nodes.
class Asking {
 public:
  explicit Asking(NodeQuestions& questions) : questions_(questions) { ++questions_.depth; }
  ~Asking() {
    if (--questions_.depth == 0) questions_.exchanges = 0;
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  NodeQuestions& questions_;
};

/// SMPI exchanges two numbers in turn: the process id of each rank's leader, which is the rank itself, and the number
/// of ranks on each leader's host.
void answer(const SimulatedRank& me, bool leaders, MPI_Comm comm, int* answers) {
  const std::vector<int> ranks = world_ranks_of(comm);
  std::ranges::transform(ranks, answers,
                         [&](int rank) { return leaders ? me.job.processes[static_cast<std::size_t>(rank)] : 1; });
}

}  // namespace
}  // namespace busbar

namespace simgrid::smpi {

/// Stands for SMPI's class, whose header is not installed.
class Comm {
 public:
  void init_smp();
};

void Comm::init_smp() {
  static auto* const own = busbar::simgrids_own<busbar::InitSmp>("_ZN7simgrid4smpi4Comm8init_smpEv");
  busbar::NodeQuestions& questions = busbar::this_rank().questions;
  if (questions.depth == 0) busbar::shared_board(this)->meet();
  const busbar::Asking asking(questions);
  own(this);
}

int allgather__ring(const void* send, int sends, MPI_Datatype send_type, void* receive, int receives,
                    MPI_Datatype receive_type, MPI_Comm comm) {
  static auto* const own = busbar::simgrids_own<busbar::AllgatherRing>(
      "_ZN7simgrid4smpi15allgather__ringEPKviPNS0_8DatatypeEPviS4_PNS0_4CommE");
  busbar::SimulatedRank& me = busbar::this_rank();
  if (me.questions.depth == 0) return own(send, sends, send_type, receive, receives, receive_type, comm);
  busbar::answer(me, me.questions.exchanges++ % 2 == 0, comm, static_cast<int*>(receive));
  return MPI_SUCCESS;
}

/// Whether the ranks of each node follow each other: one rank does.
int allreduce__default(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static auto* const own = busbar::simgrids_own<busbar::AllreduceDefault>(
      "_ZN7simgrid4smpi18allreduce__defaultEPKvPviPNS0_8DatatypeEPNS0_2OpEPNS0_4CommE");
  if (busbar::this_rank().questions.depth == 0) return own(send, receive, count, type, op, comm);
  *static_cast<int*>(receive) = *static_cast<const int*>(send);
  return MPI_SUCCESS;
}

}  // namespace simgrid::smpi
