// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "communicator.hpp"

namespace fake_gpu {

/// As NCCL 2.28 does where NCCL_PROFILER_PLUGIN names a plug-in: loads it for the first communicator and tells it of
/// collectives, as far as its mask asks for them. What the fake "chose" is RING, SIMPLE, 2 channels.
void profiler_opens(const ncclComm& comm);
void profiler_closes();
/// A call is launched. Of one rank alone and of point-to-point calls, and what NCCL makes of them, there is no choice.
void profiler_hears(const ncclComm& comm, const Operation& operation);

}  // namespace fake_gpu
