// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// A whole acceptance run as data: which program, with which arguments, on how many nodes and ranks, how often.
/// docs/suite.md describes the files, docs/suite.schema.json is their schema.
namespace busbar::suite {

struct Step {
  std::string name;  ///< of its files: lower-case letters, digits, - and _
  std::string about;
  std::string program;                 ///< one of programs()
  std::vector<std::string> arguments;  ///< with {placeholders}
  std::optional<int> nodes;            ///< empty: all hosts
  std::optional<int> ranks_per_node;   ///< empty: as many as each host has slots
  int launches = 1;
  std::map<std::string, std::string> labels;
  int time_limit_s = 600;  ///< of one launch
  bool required = false;   ///< where it fails, the steps after it are not run
};

struct Suite {
  std::string name;
  std::string about;
  std::map<std::string, std::string> variables;  ///< placeholders of its own and what they stand for
  std::map<std::string, std::string> labels;     ///< of every step
  std::vector<Step> steps;                       ///< in the order of the file; names differ
};

/// A program that a step may start.
struct Program {
  std::string_view name;
  bool writes_record;  ///< that `busbar report` reads, and takes --label; else lines of JSON of its own
};
[[nodiscard]] const std::vector<Program>& programs();
/// The one of this name, which is known.
[[nodiscard]] const Program& program_of(const Step& step);

/// Reads a suite. Throws UsageError that names the file and the place in it, such as `steps[2].ranks_per_node`, and
/// what would be accepted; or "FILE: cannot be read".
[[nodiscard]] Suite read_suite(const std::filesystem::path& path);
/// The same from `text`; `file` is for messages.
[[nodiscard]] Suite parse_suite(std::string_view text, const std::string& file);

/// As parse_suite() takes it, with every key that has a default.
void to_json(nlohmann::json& json, const Suite& suite);

}  // namespace busbar::suite
