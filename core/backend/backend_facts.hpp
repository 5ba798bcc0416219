// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// Facts of a device and its libraries, for the record. Each rank has its own.
struct BackendFacts {
  std::map<std::string, std::string> libraries;  ///< versions by name: {"nccl", "2.28.9"}
  std::optional<std::string> device, device_bus, device_uuid;
  bool shared_device = false;      ///< other ranks of this job use the same device
  bool device_clock = false;       ///< Backend::gated_times() reports device times
  std::vector<std::string> notes;  ///< remarks for readers of the record, one sentence each
};

}  // namespace busbar
