// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/nccl/choice_listener.hpp"

/// What NCCL chose for a collective, told by NCCL itself: the shared object that this is linked into is a profiler
/// plug-in of NCCL ("ext-profiler" in its sources, 2.24 and newer). docs/gpu.md says why not by NCCL's log. A module
/// that uses this links busbar_nccl_profiler beside busbar_nccl.
namespace busbar::nccl_choice {

/// Names this shared object in NCCL_PROFILER_PLUGIN, where NCCL looks for a plug-in when it makes its first
/// communicator; to be called before that. Gives the reason where NCCL cannot be listened to: the variable is the
/// user's, who has set it, or the path is too long. Not collective.
[[nodiscard]] std::optional<std::string> offer();

/// NCCL tells about the calls that begin from now on. Until then, and after take(), it makes no call into the plug-in.
/// Not around calls that are captured into a graph. Not collective.
void arm();

/// What NCCL told since arm(), when the calls have been launched (the stream has been waited for). Nothing where it
/// told nothing (one rank, point-to-point, kernels of registered windows, copy engines), names no algorithm, or told of
/// calls that differ. Each rank hears of its own calls. Not collective.
[[nodiscard]] std::optional<NcclChoice> take();

}  // namespace busbar::nccl_choice
