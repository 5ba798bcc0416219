// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// The data that ranks send, and what a reduction of it must give: small integers, chosen so that no partial result in
/// any order overflows or rounds in the type, so that checking is equality of bits (the idea of nccl-tests'
/// verifiable/).
///
///  - Data that is only moved: integers of the type's whole exact range.
///  - sum: 1 to 7 from as many ranks as the type can add up exactly, 0 from the others; which ranks changes by element.
///  - prod: powers of two of either sign from as many ranks as the type holds, 1 from the others.
///  - mulsum: as sum, small enough to be multiplied by 2.
///  - min, max: a level that changes by element plus 0 to 60 by rank (fp8: to half of what is exact).
///  - avg: a level plus deviations that cancel in pairs of ranks. Where the type cannot hold the sum of levels: of
///    integers the number of ranks from one rank and 0 from the others (less, of unsigned types of fewer values than
///    ranks: their average is 0). Else, and for floating types of ranks that are no power of two, since a library may
///    divide these before it sums: +e from one rank, -e from the next and 0 from the others.
/// Unsigned types have no negative numbers.
///
/// Values repeat after `period` elements. The period is prime, so data that lands a power of two away is seen, and
/// larger than the number of ranks that busbar expects, so that no two ranks move the same data.
class Pattern {
 public:
  static constexpr std::size_t period = 4099;

  /// For this rank. Tables take 2 x 4,099 elements; the time to make them grows with ranks (50 ms at 4,096). `checking`
  /// false: nobody will ask what a reduction must give, and its table is not made.
  Pattern(DType type, std::optional<Op> op, int rank, int ranks, bool checking = true);

  /// Value of element `index` of the send buffer of rank `rank`.
  [[nodiscard]] static std::int64_t input(DType type, std::optional<Op> op, int ranks, int rank, std::size_t index);
  /// Value of element `index` of the reduction over all ranks.
  [[nodiscard]] static std::int64_t result(DType type, Op op, int ranks, std::size_t index);

  /// What this rank sends, from its first element on.
  [[nodiscard]] Periodic sent() const;
  /// What must be in a block of a receive buffer.
  [[nodiscard]] Periodic expected(const Block&) const;

 private:
  [[nodiscard]] Periodic at(const std::shared_ptr<const Table>&, int source, std::size_t from) const;
  std::size_t width_;
  int rank_;
  bool reduces_;
  std::shared_ptr<const Table> sent_;    ///< reducing: this rank's; moving: one table for all ranks, entered by rank
  std::shared_ptr<const Table> result_;  ///< reducing, and checking, only
};

}  // namespace busbar
