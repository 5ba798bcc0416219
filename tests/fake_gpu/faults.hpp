// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fake_gpu {

/// One thing that goes wrong on purpose, as FAKE_GPU_FAULT has it (README.md lists kinds and keys).
struct Fault {
  std::string kind;
  std::string error;        ///< async_error: "remote" (default) or "system"
  std::optional<int> rank;  ///< the rank under mpirun; unset: all of them
  std::uint64_t call = 1;   ///< the how manieth collective or kernel launch of this process, from 1
  std::uint64_t bytes = 0;  ///< out_of_memory: allocations larger than this fail
  double scale = 1;         ///< event_scale: what elapsed times are multiplied by
};

/// All faults of `text`, which holds "key=value ..." a fault and ';' between faults.
/// \throws std::invalid_argument on an unknown kind or key, or a value that is no number.
std::vector<Fault> parse_faults(const std::string& text);

/// The fault of this kind that FAKE_GPU_FAULT asks for on this rank; null where there is none. A text that cannot be
/// read ends the process: a test with a wrong fault must not pass as one without.
const Fault* fault(const char* kind);

/// Value of an environment variable; `otherwise` if it is unset or no number.
std::uint64_t setting(const char* name, std::uint64_t otherwise);

}  // namespace fake_gpu
