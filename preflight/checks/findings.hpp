// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "preflight/checks/check.hpp"

/// Builds the findings of checks.
namespace busbar::preflight {

[[nodiscard]] CheckResult all_well(std::string read);
[[nodiscard]] CheckResult not_applicable(std::string why);
[[nodiscard]] CheckResult unknown(std::string why);
/// A finding "not applicable" if no host has a GPU; else empty.
[[nodiscard]] std::optional<CheckResult> without_gpus(const Facts& facts);
/// Why NCCL was not tried: "not applicable" if no rank can use it, "unknown" with the ranks if some cannot. Empty: it
/// was tried.
[[nodiscard]] std::optional<CheckResult> without_nccl(const Facts& facts);
/// `hosts`: indices of Facts::hosts. `read` names them too.
[[nodiscard]] CheckResult about_hosts(State state, const Facts& facts, const std::vector<int>& hosts, std::string read);
/// Adds the hosts of these ranks.
[[nodiscard]] CheckResult about_ranks(State state, const Facts& facts, const std::vector<int>& ranks, std::string read);

/// "node0, node3".
[[nodiscard]] std::string name_hosts(const Facts& facts, const std::vector<int>& hosts);

/// A value that must be the same on all ranks: ok, or a finding with `state` that names the ranks that differ from the
/// majority. `values`: one per rank; `what`: "build".
[[nodiscard]] CheckResult same_on_ranks(State state, const Facts& facts, std::string_view what,
                                        const std::vector<std::string>& values);
/// The same for hosts.
[[nodiscard]] CheckResult same_on_hosts(State state, const Facts& facts, std::string_view what,
                                        const std::vector<std::string>& values);

/// The result for one host or rank.
struct Judgement {
  State state;
  std::string read;  ///< without the name of the host or rank: "64 MiB"
};
/// Judges each host, and groups equal judgements into one finding: "node0, node1: 64 MiB". `ranks`: on that host.
[[nodiscard]] std::vector<CheckResult> by_host(
    const Facts& facts, const std::function<Judgement(const HostFacts& host, std::size_t ranks)>& judge);
/// The same for ranks.
[[nodiscard]] std::vector<CheckResult> by_rank(const Facts& facts,
                                               const std::function<Judgement(const RankFacts& rank)>& judge);

/// One finding per failed pair; ok if all of `which` passed: "3 pairs of neighbours". Not applicable without pairs.
[[nodiscard]] std::vector<CheckResult> judge_pairs(const Facts& facts, std::vector<PairResult> RankFacts::* which);

}  // namespace busbar::preflight
