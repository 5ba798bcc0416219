// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"
#include "core/ranks/local_place.hpp"

namespace busbar::cuda {

/// The GPU of a rank, as CUDA reports it.
struct Device {
  int index = 0;  ///< index among the visible devices
  std::string name;
  std::string uuid;            ///< "GPU-..." or "MIG-...", as nvidia-smi prints it
  std::string bus;             ///< PCI address: "0000:3b:00.0"
  int compute_capability = 0;  ///< 90 for 9.0
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  bool shared = false;  ///< other ranks of this job use it too, on purpose
};

/// Collective over the group. Gives each rank the GPU with its number on the host and makes it current. Throws
/// UsageError, the same on every rank: no driver or device, more ranks than GPUs on a host, or two ranks with the same
/// GPU (the message maps all ranks). `share`: permits both; ranks then use GPUs in turn. `place`: this rank's place on
/// its host, if the group is a part of the job.
[[nodiscard]] Device choose_device(Group& group, bool share, std::optional<LocalPlace> place = {});

}  // namespace busbar::cuda
