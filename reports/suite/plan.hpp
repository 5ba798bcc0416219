// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/suite/hosts.hpp"
#include "reports/suite/suite.hpp"

/// The commands of a suite.
namespace busbar::suite {

/// Command-line settings for a suite.
struct Given {
  std::vector<Host> hosts;                    ///< at least one
  std::string launcher = "mpirun";            ///< words; `placement` is appended unless one has a placeholder
  std::string placement;                      ///< words with placeholders, from placement_of()
  std::filesystem::path bin;                  ///< folder of the programs; empty: search PATH
  std::filesystem::path out;                  ///< folder for results, absolute
  std::map<std::string, std::string> labels;  ///< for every run; override those of the suite
  std::map<std::string, std::string> set;     ///< values for the suite's variables
};

/// One command of the plan.
struct Launch {
  std::size_t step = 0;  ///< index of its step in the suite
  int number = 1;        ///< of the launches of its step, from 1
  std::string name;      ///< "pairs.1"
  int nodes = 1, ranks_per_node = 1;
  std::vector<std::string> argv;
  std::filesystem::path result;                   ///< NAME.jsonl; .json for a program that writes no record
  std::filesystem::path log;                      ///< NAME.log
  std::optional<double> sampling_at_most_s = {};  ///< its --run-budget; empty: none given
  [[nodiscard]] int ranks() const { return nodes * ranks_per_node; }
};

/// A step that does not apply to these hosts.
struct LeftOut {
  std::size_t step = 0;
  std::string reason;
};

struct Plan {
  std::vector<Launch> launches;  ///< in execution order
  std::vector<LeftOut> left_out;
};

/// Plans all launches: each step once, in order, then repeated steps in alternating order (A B B A), so that drift of
/// the machine affects all steps equally. Throws UsageError that names `file` and the place if a step needs more nodes
/// or ranks than available, or that names --set for an unknown variable.
[[nodiscard]] Plan make_plan(const Suite& suite, const std::string& file, const Given& given);

/// Ways to lay out the ranks of one host over 1 to `nodes` hosts: "1x4", "2x2" are 4 ranks on one node and 2 on each of
/// two.
[[nodiscard]] std::vector<std::string> layouts(int nodes, int ranks_per_node);

/// Suite, hosts and options as JSON, without personal data (core/base/privacy.hpp): identifies what a results folder
/// was made from.
[[nodiscard]] nlohmann::json fingerprint(const Suite& suite, const Given& given);

/// Describes the first difference between two fingerprints: "hosts was a:4, and now is a:2", "suite
/// steps[1].arguments[2] was ..."; empty if they are equal.
[[nodiscard]] std::string first_difference(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace busbar::suite
