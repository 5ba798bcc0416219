// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"
#include "core/ranks/local_place.hpp"

namespace busbar::cuda {

/// The GPU of a rank, as CUDA knows it.
struct Device {
  int index = 0;  ///< among the devices that this process sees
  std::string name;
  std::string uuid;            ///< "GPU-..." or "MIG-...", as nvidia-smi prints it
  std::string bus;             ///< PCI address: "0000:3b:00.0"
  int compute_capability = 0;  ///< 90 for 9.0
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  bool shared = false;  ///< other ranks of this job have it too, on purpose
};

/// Collective. Gives each rank the GPU of its number among the ranks of its host, and makes it current. Throws
/// UsageError, the same on every rank: where there is no driver or no device, where a host has more ranks than GPUs, or
/// where two ranks came to the same GPU, with the mapping of all ranks. `share`: ranks of a host take GPUs in turns
/// then. `place`: this rank's number, where the group is a part of the job.
[[nodiscard]] Device choose_device(Group& group, bool share, std::optional<LocalPlace> place = {});

}  // namespace busbar::cuda
