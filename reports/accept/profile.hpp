// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/grades/grade.hpp"
#include "core/record/fwd.hpp"

/// Profiles: what a cluster has to reach to be accepted, as data. docs/accept.md describes the files.
namespace busbar::accept {

/// Limits for some cases. An empty condition matches all cases, an empty limit is not checked.
struct Rule {
  std::string name;
  std::string collective, backend, memory;
  std::uint64_t least_bytes = 0, most_bytes = std::numeric_limits<std::uint64_t>::max();
  int least_nodes = 1, most_nodes = std::numeric_limits<int>::max();
  bool in_place = false;  ///< of cases with buffers, those in place; nccl-tests does not check all of them
  std::optional<double> least_busbw_GBps, most_time_us;
  std::optional<double> least_share_of_ceiling;  ///< busbw over the lowest ceiling of `busbar expect`
  std::optional<double> least_share_of_others;   ///< busbw over the median of public results (expected::place_one())
  std::optional<double> least_efficiency;        ///< of training, relative to its smallest group
  std::optional<double> most_spread;  ///< of equal cases over launches, nodes or pairs: median speed over the slowest

  [[nodiscard]] bool matches(const CaseRecord&) const;
};

/// Times of one case on a trusted fleet.
struct LearnedCase {
  std::string id;                  ///< to_string(CaseKey)
  std::vector<double> times_s;     ///< quantiles of the most typical launch, ascending
  double least_similarity = 0.95;  ///< similarity() of an acceptable launch
  int launches = 0;                ///< of the fleet, without outliers
};

struct Profile {
  std::string name;
  std::vector<std::string> sources;  ///< where the limits come from
  Grade least_grade = Grade::b;      ///< worse figures neither pass nor fail
  bool checked = true;               ///< data must have been checked
  std::vector<Rule> rules;
  std::vector<LearnedCase> learned;
};

/// Reads a profile: a file, or the name of a shipped one. Throws UsageError naming the flag or file, the key and what
/// is accepted.
[[nodiscard]] Profile read_profile(std::string_view flag, const std::string& file_or_name);
[[nodiscard]] Profile parse_profile(std::string_view text, std::string_view file);
[[nodiscard]] nlohmann::json json_of(const Profile&);

/// Names of the shipped profiles.
[[nodiscard]] std::vector<std::string> shipped_profiles();

}  // namespace busbar::accept
