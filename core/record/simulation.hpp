// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace busbar {

/// Who simulated a run, and on what. Such a run's times are what a model of a network says; nothing was measured.
struct Simulation {
  std::string simulator;                        ///< "SimGrid SMPI"
  std::string version;                          ///< of the simulator: "3.32"
  std::string platform_file;                    ///< as it was named on the command line
  std::string platform_sha256;                  ///< of the file's bytes, 64 hexadecimal digits
  std::map<std::string, std::string> platform;  ///< what the file says of itself: busbar.topology, busbar.nodes, ...
  std::map<std::string, std::string> settings;  ///< of the simulator, as far as they were set: smpi/allreduce, ...
  bool data = false;  ///< messages carried data; else only their sizes and times were simulated
};

}  // namespace busbar
