// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// One rank of the job and its placement.
struct RankPlace {
  int rank = 0;
  std::string host;                       ///< name of a Host in the same record
  std::optional<int> local_rank;          ///< rank within its host
  std::optional<std::string> cpus;        ///< CPUs it may use: "0-3,8"
  std::optional<bool> bound;              ///< false: it may use every CPU of its host
  std::optional<std::string> device;      ///< name of the GPU it used
  std::optional<std::string> device_bus;  ///< PCI address or index, as the source reported it
  std::optional<std::string> device_uuid;
};

}  // namespace busbar
