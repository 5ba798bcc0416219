// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/job/options.hpp"

namespace busbar {

/// Options of a simulator, which precede those of the simulated program.
struct SimulationOptions {
  std::string platform;  ///< file
  std::optional<int> ranks;
  std::optional<int> ranks_per_node;
  std::map<std::string, std::string> settings;  ///< SimGrid settings, by name
  std::vector<std::string> own_words;           ///< the simulator's part of the command line
  std::vector<std::string> program_words;       ///< the program's part, starting with its name
};

/// `words`: the whole command line. Throws UsageError.
[[nodiscard]] std::variant<SimulationOptions, Information> parse_simulation_options(const std::string& program,
                                                                                    std::vector<std::string> words);

}  // namespace busbar
