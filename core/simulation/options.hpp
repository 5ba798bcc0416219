// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/job/options.hpp"

namespace busbar {

/// What a simulator's command line says before the words of the program that it simulates.
struct SimulationOptions {
  std::string platform;  ///< file
  std::optional<int> ranks;
  std::optional<int> ranks_per_node;
  std::map<std::string, std::string> settings;  ///< of SimGrid, by name
  std::vector<std::string> own_words;           ///< that these came from
  std::vector<std::string> program_words;       ///< from its name on
};

/// `words`: the whole command line. Throws UsageError.
[[nodiscard]] std::variant<SimulationOptions, Information> parse_simulation_options(const std::string& program,
                                                                                    std::vector<std::string> words);

}  // namespace busbar
