// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record.hpp"

/// What goes between two devices or ranks, for all pairs that were measured.
namespace busbar::report {

/// Between two ends, in the direction of PairMatrix::arrow.
struct Pair {
  std::string row, column;
  double GBps = 0;
};

/// All pairs of one test at one size.
struct PairMatrix {
  std::string test;   ///< "device_to_device_memcpy_read_ce", "... at 1 MiB, total"
  std::string arrow;  ///< "->": from row to column; "<-": the other way; "<->": both
  std::vector<Pair> pairs;
  std::vector<std::string> rows, columns;  ///< names of ends, numbers in them in their order: GPU2 before GPU10
  double median_GBps = 0;                  ///< over pairs
};

/// "GPU0 <- GPU1".
[[nodiscard]] std::string pair_text(const PairMatrix&, const Pair&);

/// Those below four fifths of the median, slowest first.
inline constexpr double slow_pair_share = 0.8;
[[nodiscard]] std::vector<const Pair*> slow_pairs(const PairMatrix&);

/// The matrices of a run that have two pairs at least, from cases whose group names the two ends: "GPU0<-GPU1".
[[nodiscard]] std::vector<PairMatrix> pair_matrices(const Run&);

}  // namespace busbar::report
