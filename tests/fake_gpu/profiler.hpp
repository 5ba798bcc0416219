// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "communicator.hpp"

namespace fake_gpu {

/// Acts as NCCL 2.28 with NCCL_PROFILER_PLUGIN: loads the plug-in for the first communicator and reports the
/// collectives in its mask. The choice of the fake is RING, SIMPLE, 2 channels.
void profiler_opens(const ncclComm& comm);
void profiler_closes();
/// Reports a launched call. One rank, and calls made of point-to-point messages, have no choice.
void profiler_hears(const ncclComm& comm, const Operation& operation);

}  // namespace fake_gpu
