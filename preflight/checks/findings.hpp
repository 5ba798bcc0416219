// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "preflight/check.hpp"

/// How checks say what they found.
namespace busbar::preflight {

[[nodiscard]] Finding all_well(std::string read);
[[nodiscard]] Finding not_applicable(std::string why);
[[nodiscard]] Finding unknown(std::string why);
/// Not applicable, where no host has a GPU; empty where one has.
[[nodiscard]] std::optional<Finding> without_gpus(const Facts& facts);
/// `hosts`: indices of Facts::hosts. Their names are to be in `read` as well.
[[nodiscard]] Finding about_hosts(State state, const Facts& facts, const std::vector<int>& hosts, std::string read);
/// With the hosts of these ranks.
[[nodiscard]] Finding about_ranks(State state, const Facts& facts, const std::vector<int>& ranks, std::string read);

/// "node0, node3".
[[nodiscard]] std::string name_hosts(const Facts& facts, const std::vector<int>& hosts);

/// Who has which value, most of them first; at equal numbers, whose first is lower first.
struct Holders {
  std::string value;
  std::vector<int> who;
};
[[nodiscard]] std::vector<Holders> holders(const std::vector<std::string>& values);

/// One thing that ought to be the same on all ranks: fine, or one finding with `state` that says who differs from the
/// most. `values`: of each rank; `what`: "build".
[[nodiscard]] Finding same_on_ranks(State state, const Facts& facts, std::string_view what,
                                    const std::vector<std::string>& values);
/// The same for hosts.
[[nodiscard]] Finding same_on_hosts(State state, const Facts& facts, std::string_view what,
                                    const std::vector<std::string>& values);

/// What is read of one host or rank: how bad it is, and how it is said.
struct Judgement {
  State state;
  std::string read;  ///< without its name: "64 MiB"
};
/// Hosts that are judged alike are one finding: "node0, node1: 64 MiB".
[[nodiscard]] std::vector<Finding> by_host(const Facts& facts, const std::vector<Judgement>& judgements);
/// The same for ranks.
[[nodiscard]] std::vector<Finding> by_rank(const Facts& facts, const std::vector<Judgement>& judgements);

}  // namespace busbar::preflight
