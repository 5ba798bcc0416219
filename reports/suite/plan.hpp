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

/// The commands that a suite comes to.
namespace busbar::suite {

/// What a command line says beside the suite.
struct Given {
  std::vector<Host> hosts;                    ///< one or more
  std::string launcher = "mpirun";            ///< words; `placement` is added where none holds a placeholder
  std::string placement;                      ///< words of its library, with placeholders: placement_of()
  std::filesystem::path bin;                  ///< folder of the programs; empty: PATH has them
  std::filesystem::path out;                  ///< folder of what comes out, absolute
  std::map<std::string, std::string> labels;  ///< of every run, above those of the suite
  std::map<std::string, std::string> set;     ///< values of variables of the suite
};

/// One command of the plan.
struct Launch {
  std::size_t step = 0;  ///< of the suite
  int number = 1;        ///< which launch of its step
  std::string name;      ///< "pairs.1"
  int nodes = 1, ranks_per_node = 1;
  std::vector<std::string> argv;
  std::filesystem::path result;                   ///< NAME.jsonl, or .json of a program that writes no record
  std::filesystem::path log;                      ///< NAME.log
  std::optional<double> sampling_at_most_s = {};  ///< --run-budget among its arguments; empty: not said
  [[nodiscard]] int ranks() const { return nodes * ranks_per_node; }
};

/// A step that makes no sense on these hosts.
struct LeftOut {
  std::size_t step = 0;
  std::string reason;
};

struct Plan {
  std::vector<Launch> launches;  ///< in the order in which they run
  std::vector<LeftOut> left_out;
};

/// First each step once, in order; then those with more launches again and again, each time the other way round (A B B
/// A), so that what drifts in the machine hits all alike. Throws UsageError that names `file` and the place for more
/// nodes or ranks than there are hosts and slots, and names the flag for a variable that the suite does not have.
[[nodiscard]] Plan make_plan(const Suite& suite, const std::string& file, const Given& given);

/// Ways to lay out the ranks of one of `nodes` hosts, over 1 to all of them: "1x4,2x2" are 4 ranks on one node and 2 on
/// each of two.
[[nodiscard]] std::vector<std::string> layouts(int nodes, int ranks_per_node);

/// Suite, hosts and options as one value, without people (core/base/privacy.hpp): what a folder of results was made
/// from.
[[nodiscard]] nlohmann::json fingerprint(const Suite& suite, const Given& given);

/// In words what differs first between two of them: "hosts: were a:4, and now are a:2", "suite: steps[1].arguments[2]:
/// ..."; empty where nothing does.
[[nodiscard]] std::string first_difference(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace busbar::suite
