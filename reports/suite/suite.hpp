// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/files/own_place.hpp"

/// A complete acceptance run as data: programs, arguments, numbers of nodes, ranks and launches. docs/suite.md
/// describes the files; docs/suite.schema.json is their schema.
namespace busbar::suite {

struct Step {
  std::string name;  ///< base of its file names: lower-case letters, digits, - and _
  std::string about;
  std::string program;                 ///< one of programs()
  std::vector<std::string> arguments;  ///< may contain {placeholders}
  std::optional<int> nodes;            ///< empty: all hosts
  std::optional<int> ranks_per_node;   ///< empty: all slots of the host with the fewest
  int launches = 1;
  std::map<std::string, std::string> labels;
  int time_limit_s = 600;  ///< per launch
  bool required = false;   ///< if it fails, later steps do not run
};

struct Suite {
  std::string name;
  std::string about;
  std::map<std::string, std::string> variables;  ///< its own placeholders and their values
  std::map<std::string, std::string> labels;     ///< for every step
  std::vector<Step> steps;                       ///< in file order; unique names
};

/// A program that a step may start.
struct Program {
  std::string_view name;
  bool writes_record;  ///< readable by `busbar report`, with --label; otherwise writes its own JSON
};
[[nodiscard]] const std::vector<Program>& programs();
/// The program of a step; it must be one of programs().
[[nodiscard]] const Program& program_of(const Step& step);

/// Reads a suite. Throws UsageError naming the file, the place, such as `steps[2].ranks_per_node`, and accepted values;
/// or "FILE: cannot be read".
[[nodiscard]] Suite read_suite(const std::filesystem::path& path);
/// Parses `text` like read_suite; `file` is for messages.
[[nodiscard]] Suite parse_suite(std::string_view text, const std::string& file);

/// Writes the input of parse_suite(), including all defaults.
void to_json(nlohmann::json& json, const Suite& suite);

/// Names of the suites in `folder` (files NAME.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_suites(const std::filesystem::path& folder = data_folder() / "suites");

/// Default suite for this number of hosts: one-node, two-nodes or many-nodes.
[[nodiscard]] std::string default_suite(std::size_t hosts);

/// Path of a suite: `name` as a file, else as a shipped suite. Throws UsageError with the shipped names.
[[nodiscard]] std::filesystem::path find_suite(const std::string& name,
                                               const std::filesystem::path& folder = data_folder() / "suites");

}  // namespace busbar::suite
