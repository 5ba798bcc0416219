// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace busbar {

/// How an uneven collective divides its elements into blocks, one per rank. Block r of `total` elements reaches from
/// start(r) to start(r + 1), so the blocks of a sender add up to `total` exactly, for any total. Immutable; integers
/// only, so that all hosts compute the same.
class BlockShares {
 public:
  using Weight = std::uint64_t;

  /// `rows`: the weights of a sender's blocks, one per rank. One row: all senders alike; else a row per sender. The sum
  /// of a row must be from 1 to 2^40.
  BlockShares(std::string name, const std::vector<std::vector<Weight>>& rows);

  /// As in CaseKey::counts: "even", "linear", "zipf:1.2".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int ranks() const { return ranks_; }

  /// First element of the block that `sender` has for `rank`; for rank = ranks(), `total`.
  [[nodiscard]] std::size_t start(int sender, int rank, std::size_t total) const;
  [[nodiscard]] std::size_t count(int sender, int rank, std::size_t total) const {
    return start(sender, rank + 1, total) - start(sender, rank, total);
  }
  /// Elements of the blocks that ranks 0 to sender - 1 have for `rank`: where in its receive buffer sender's block is.
  [[nodiscard]] std::size_t received_before(int sender, int rank, std::size_t total) const;

 private:
  [[nodiscard]] std::span<const Weight> sums_of(int sender) const;

  std::string name_;
  int ranks_;
  std::vector<Weight> sums_;  ///< per row: the sums of the first 0, 1, ..., ranks weights
};

}  // namespace busbar
