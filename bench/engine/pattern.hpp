// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// The data that ranks send, and the expected result of its reduction. Values are small integers: no partial result, in
/// any order, overflows or rounds in the type. So a check is bitwise equality (after nccl-tests' verifiable/).
///
///  - Data that is only moved: integers of the type's whole exact range.
///  - sum: 1 to 7 from as many ranks as the type can add exactly, 0 from the others; the ranks change by element.
///  - prod: powers of two of either sign from as many ranks as the type can hold, 1 from the others.
///  - mulsum: as sum, but small enough to be multiplied by 2.
///  - min, max: a level that changes by element plus 0 to 60 by rank (fp8: to half of what is exact).
///  - avg: a level plus deviations that cancel in pairs of ranks. Integers that cannot hold the sum of levels: the
///    number of ranks from one rank, 0 from the others. Integers that cannot hold that number: +e from one rank, -e
///    from the next (unsigned: 0, so the average is 0), 0 from the others. Floating types use this too if they cannot
///    hold the sum, or if the number of ranks is no power of two: a library may divide before it sums.
/// Unsigned types have no negative numbers.
///
/// Values repeat after `period` elements. The period is prime, so that data misplaced by a power of two is detected. It
/// exceeds the expected number of ranks, so that no two ranks move the same data.
class Pattern {
 public:
  static constexpr std::size_t period = 4099;

  /// For rank `rank` of the `ranks` whose data is reduced. The tables have 2 x 4,099 elements; their construction time
  /// grows with the ranks (50 ms at 4,096). `checking` false: no table of expected results, so expected() must not be
  /// called for a reduction.
  Pattern(DType type, std::optional<Op> op, int rank, int ranks, bool checking = true);

  /// Value of element `index` of the send buffer of rank `rank`.
  [[nodiscard]] static std::int64_t input(DType type, std::optional<Op> op, int ranks, int rank, std::size_t index);
  /// Value of element `index` of the reduction over all ranks.
  [[nodiscard]] static std::int64_t result(DType type, Op op, int ranks, std::size_t index);

  /// The data this rank sends, from its first element on.
  [[nodiscard]] Periodic sent() const;
  /// Expected contents of a block of a receive buffer.
  [[nodiscard]] Periodic expected(const Block&) const;
  /// The expected value at element `index` of the source's send buffer, or of the reduction.
  [[nodiscard]] std::int64_t expected_value(const Block&, std::size_t index) const;

 private:
  [[nodiscard]] Periodic at(const std::shared_ptr<const Table>&, int source, std::size_t from) const;
  DType type_;
  std::optional<Op> op_;
  int rank_, ranks_;
  std::shared_ptr<const Table> sent_;    ///< reducing: this rank's table; moving: one table for all ranks
  std::shared_ptr<const Table> result_;  ///< only if reducing and checking
};

}  // namespace busbar
