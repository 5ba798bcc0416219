// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/block_shares.hpp"

namespace busbar {

/// A distribution of block sizes, as given by --counts, for any number of ranks.
struct Unevenness {
  enum class Kind { even, linear, zipf, one_empty, file, moe } kind = Kind::even;
  std::string name = "even";   ///< CaseKey::counts
  double exponent = 0;         ///< zipf: rank r has the weight 1 / (r + 1)^exponent; moe: the same for experts
  int experts = 0, top_k = 0;  ///< moe
  std::vector<std::vector<std::uint64_t>> table;  ///< file: its lines
};

/// Parses the words of --counts, split at commas: even, linear, zipf:1.2, one-empty, file:COUNTS, and the three words
/// of moe:EXPERTS,TOPK,SKEW. Reads the files. Throws UsageError.
[[nodiscard]] std::vector<Unevenness> parse_counts(std::string_view flag, const std::vector<std::string>& words);

/// The shares of a group of `ranks` ranks; the same on every rank and host.
///
///  - even, linear: weights 1, or 1, 2, ..., n.
///  - zipf:S: weight 1 / (r + 1)^S.
///  - one-empty: even, but the last rank's block is empty.
///  - file: one line of n numbers, or for alltoallv n lines of n: what sender i has for rank j.
///  - moe: what a router of a mixture of experts sends. Experts are divided among ranks in order. Each of the 1,024
///    tokens of a rank goes to `top_k` different experts, by chance with weights 1 / (k + 1)^SKEW over a shuffled order
///    of experts (always the same). The block for a rank is what goes to its experts.
///
/// Throws UsageError if a file has another number of ranks, or if a row has no elements.
[[nodiscard]] std::shared_ptr<const BlockShares> shares_of(const Unevenness&, int ranks);

/// True if only an all-to-all can have these counts: a row per sender.
[[nodiscard]] bool differs_by_sender(const Unevenness&);

}  // namespace busbar
