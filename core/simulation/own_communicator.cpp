// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/communicator.hpp"

/// Communicators of simulated ranks are not ours alone. SMPI's MPI_Comm_dup sends hundreds of messages a rank, all of
/// them simulated; the control plane sends none here (core/simulation/group.cpp), so that a duplicate may be the same
/// communicator again. None is freed before MPI ends, none gets a name.
namespace busbar {

Communicator::~Communicator() = default;

Communicator Communicator::duplicate_of(MPI_Comm other) { return Communicator(other); }

void Communicator::set_name(const char* /*name*/) const {}

}  // namespace busbar
