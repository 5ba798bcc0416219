// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// Bandwidth or latency between all measured pairs of devices, ranks or hosts.
namespace busbar::report {

/// A measurement between two ends, in the direction of PairMatrix::arrow.
struct Pair {
  std::string row, column;
  double value = 0;          ///< in the unit of PairMatrix::measure
  std::optional<int> nodes;  ///< number of hosts the ends are on; empty: unknown
  double usual = 0;          ///< usual value of pairs on the same number of hosts (see pair_matrices)
};

/// All pairs of one test at one size.
struct PairMatrix {
  enum class Measure { bandwidth, time };  ///< GB/s; seconds, for messages too small to fill a link
  Measure measure = Measure::bandwidth;
  std::string test;   ///< "device_to_device_memcpy_read_ce", "sendrecv at 1 MiB, concurrent"
  std::string arrow;  ///< "->": from row to column; "<-": from column to row; "<->": both, each pair once
  std::vector<Pair> pairs;
  std::vector<std::string> rows, columns;  ///< names of ends in natural order: GPU2 before GPU10
};

/// "GPU0 <- GPU1".
[[nodiscard]] std::string pair_text(const PairMatrix&, const Pair&);
/// "330 GB/s", "12.3 us".
[[nodiscard]] std::string value_text(const PairMatrix&, double value);
/// "usual 330 GB/s", "usual 330 GB/s inside a host, 12.1 GB/s between hosts".
[[nodiscard]] std::string usual_text(const PairMatrix&);

/// Speed relative to the usual value: bandwidth over usual bandwidth, or usual time over time. 1 is usual.
[[nodiscard]] double share(const PairMatrix&, const Pair&);

/// Pairs whose share is below `slow_pair_share`, slowest first.
inline constexpr double slow_pair_share = 0.8;
[[nodiscard]] std::vector<const Pair*> slow_pairs(const PairMatrix&);

/// An end for which at least three quarters of the pairs are slow: likely the end or its link, not one pair.
struct SlowEnd {
  std::string name;
  std::string role;  ///< of the end in these pairs, as "transfers from GPU9": "from", "to", "with"
};

/// Sorted by the median share of the pairs, slowest first. Ends with only one pair are left out.
[[nodiscard]] std::vector<SlowEnd> slow_ends(const PairMatrix&);
/// "from GPU9", "with n2, n5 and 3 more"; "with" where roles differ.
[[nodiscard]] std::string text_of(const std::vector<SlowEnd>&, std::size_t most);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<SlowEnd>&);

/// The two ends that a case's group names: "GPU0<->GPU1 total".
struct PairEnds {
  std::string row, arrow, column;
  std::string what;  ///< "total"; may be empty
};

/// The ends of a measured transfer with a bandwidth; empty for any other case.
[[nodiscard]] std::optional<PairEnds> pair_ends(const CaseRecord&);

/// The matrices of a run with at least two pairs, from cases whose group names two ends: "GPU0<-GPU1". The usual value
/// is computed among pairs on the same number of hosts: for each end the quartile of its faster pairs, then the median
/// over ends. One slow host hardly moves it, even if it slows half of all pairs (4 hosts), nor does one fast pair.
[[nodiscard]] std::vector<PairMatrix> pair_matrices(const Run&);

}  // namespace busbar::report
