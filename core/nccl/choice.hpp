// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/nccl/choice_listener.hpp"

/// NCCL's choice of algorithm for a collective, reported by NCCL: the shared object linked with this is an NCCL
/// profiler plug-in ("ext-profiler" in its sources, 2.24 and newer). docs/gpu.md says why NCCL's log is not used. A
/// module that uses this links busbar_nccl_profiler in addition to busbar_nccl.
namespace busbar::nccl_choice {

/// Names this shared object in NCCL_PROFILER_PLUGIN, which NCCL reads when it creates its first communicator; call it
/// before that. Returns why NCCL cannot report: the variable is set, or the path is unknown or too long. Not
/// collective.
[[nodiscard]] std::optional<std::string> offer();

/// NCCL reports calls that begin from now on. Before that, and after take_choice(), it does not call the plug-in. Do
/// not use it around graph capture. Not collective.
void arm();

/// Reports of NCCL since arm(); call it after the stream has been waited for. Empty if NCCL reported nothing (one rank,
/// point-to-point, kernels of registered windows, copy engines), gave no algorithm, or reported differing calls. Covers
/// only this rank's calls. Not collective.
[[nodiscard]] std::optional<NcclChoice> take_choice();

}  // namespace busbar::nccl_choice
