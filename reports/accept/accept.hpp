// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/accept/profile.hpp"
#include "reports/expected/known_results.hpp"
#include "reports/expected/line_rate.hpp"

namespace busbar::report {
struct PairMatrix;  // reports/document/pair_matrix.hpp
}

/// Decides whether a cluster is accepted, by a profile, and names the nodes to take out. User documentation:
/// docs/accept.md.
namespace busbar::accept {

using busbar::name;

/// Best first.
enum class Outcome {
  pass,
  unknown,  ///< cannot tell: no such case, a figure of low grade, an unknown ceiling, an interval around the limit
  fail,
};
[[nodiscard]] constexpr auto words_of(Outcome) {
  return std::to_array<std::string_view>({"pass", "cannot tell", "fail"});
}

/// One limit of a rule, checked for one case of a run, or for the runs together.
struct CheckedLimit {
  Outcome outcome = Outcome::unknown;
  std::string rule;
  std::string id;     ///< of the case; empty if there is none
  std::string what;   ///< the case in words: "64 MiB of allreduce: nccl, ..."; empty if there is none
  std::string run;    ///< its file; empty for several
  std::string text;   ///< "busbw 182 GB/s, at least 300"
  double margin = 0;  ///< figure over limit, so that below 1 fails; 0 if unknown
};

/// A node, GPU or rank that is slower than the others.
struct SlowNode {
  std::string name;
  std::vector<std::string> evidence;  ///< one sentence each
};

struct Acceptance {
  std::vector<CheckedLimit> limits;  ///< by rule, in the order of the profile
  std::vector<SlowNode> take_out;    ///< most evidence first
  [[nodiscard]] std::size_t count(Outcome) const;
  /// fail if a limit fails or a node is to be taken out; else unknown if a limit is; else pass.
  [[nodiscard]] Outcome outcome() const;
};

/// What figures are compared with, in addition to the profile's own limits.
struct Yardsticks {
  std::optional<expected::LineRate> line_rate;  ///< of the network, as given by the user
  std::vector<expected::KnownSource> known;     ///< public results, for rules with least_share_of_others
};

/// The public results are read only if the profile needs them. Throws like expected::installed_known_results().
[[nodiscard]] Yardsticks yardsticks_for(const Profile&, const std::optional<expected::LineRate>&);

/// Checks all runs. A run that did not end, a failed case and wrong data fail. A figure passes or fails if its interval
/// (for later launches, else of the launch) is on one side of the limit, and without an interval by itself; around the
/// limit it cannot tell, as figures below the profile's grade. Pure.
[[nodiscard]] Acceptance accept_runs(const Profile&, const std::vector<Run>&, const Yardsticks&);

/// Nodes that the records show to be slow:
/// - ends that are slow in three quarters of their pairs (report::slow_ends), in pairs of one run or of runs on two
/// hosts
///   each
/// - hosts whose own runs (one host each) take 1.25 times as long as the median host, in half of their cases
/// - hosts of ranks that compute longer than others, or start late in a quarter of the cases
[[nodiscard]] std::vector<SlowNode> slow_nodes(const std::vector<Run>&);
/// The same for callers that have pair_matrices() of each run.
[[nodiscard]] std::vector<SlowNode> slow_nodes(const std::vector<Run>&,
                                               const std::vector<std::vector<report::PairMatrix>>&);

}  // namespace busbar::accept
