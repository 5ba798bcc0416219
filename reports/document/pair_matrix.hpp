// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// What goes between two devices, ranks or hosts, for all pairs that were measured.
namespace busbar::report {

/// Between two ends, in the direction of PairMatrix::arrow.
struct Pair {
  std::string row, column;
  double value = 0;          ///< as PairMatrix::measure
  std::optional<int> nodes;  ///< hosts that the ends are on; empty where not known
  double usual = 0;          ///< value of pairs of as many hosts (pair_matrices)
};

/// All pairs of one test at one size.
struct PairMatrix {
  enum class Measure { bandwidth, time };  ///< GB/s; seconds, of messages that are too small to fill a link
  Measure measure = Measure::bandwidth;
  std::string test;   ///< "device_to_device_memcpy_read_ce", "sendrecv at 1 MiB, concurrent"
  std::string arrow;  ///< "->": from row to column; "<-": the other way; "<->": both, each pair once
  std::vector<Pair> pairs;
  std::vector<std::string> rows, columns;  ///< names of ends, numbers in them in their order: GPU2 before GPU10
};

/// "GPU0 <- GPU1".
[[nodiscard]] std::string pair_text(const PairMatrix&, const Pair&);
/// "330 GB/s", "12.3 us".
[[nodiscard]] std::string value_text(const PairMatrix&, double value);
/// "usual 330 GB/s", "usual 330 GB/s inside a host, 12.1 GB/s between hosts".
[[nodiscard]] std::string usual_text(const PairMatrix&);

/// How fast a pair is, 1 as is usual: its bandwidth over the usual one, or the usual time over its time.
[[nodiscard]] double share(const PairMatrix&, const Pair&);

/// Those whose share is below four fifths, slowest first.
inline constexpr double slow_pair_share = 0.8;
[[nodiscard]] std::vector<const Pair*> slow_pairs(const PairMatrix&);

/// Ends that three quarters of the pairs with them are slow: there it is the end, or its link, and not a pair. Slowest
/// first, by the median share of the pairs with them; of ends with one pair none.
[[nodiscard]] std::vector<std::string> slow_ends(const PairMatrix&);

/// The matrices of a run that have two pairs at least, from cases whose group names the two ends: "GPU0<-GPU1".
/// What is usual is told from pairs on as many hosts: for each end the quartile of the faster ones of its pairs, and
/// the median of that over ends. A single slow host, with which half of all pairs are slow where there are four, moves
/// it little, nor does a single fast pair.
[[nodiscard]] std::vector<PairMatrix> pair_matrices(const Run&);

}  // namespace busbar::report
