// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace busbar {

/// The simulator of a run, and the simulated machine. All times come from a network model; nothing was measured.
struct Simulation {
  std::string simulator;                        ///< "SimGrid SMPI"
  std::string version;                          ///< of the simulator: "3.32"
  std::string platform_file;                    ///< as given on the command line
  std::string platform_sha256;                  ///< SHA-256 of the file, 64 hexadecimal digits
  std::map<std::string, std::string> platform;  ///< properties in the file: busbar.topology, busbar.nodes, ...
  std::map<std::string, std::string> settings;  ///< simulator settings that were set: smpi/allreduce, ...
  bool data = false;                            ///< messages carried data; if false, only their sizes and times were
                                                ///< simulated
};

}  // namespace busbar
