// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// What whoever measures on a device knows of it and of its libraries, for the record; each rank's own.
struct BackendFacts {
  std::map<std::string, std::string> libraries;  ///< versions by name: {"nccl", "2.28.9"}
  std::optional<std::string> device, device_bus, device_uuid;
  bool shared_device = false;      ///< other ranks of this job have the same
  bool device_clock = false;       ///< Backend::gated_times() gives times by it
  std::vector<std::string> notes;  ///< what a reader of the record should know, a sentence each
};

}  // namespace busbar
