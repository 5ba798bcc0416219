// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace busbar {

/// What the control plane sends: small messages from rank to rank, each with its number and a checksum. No collective
/// of the library is used, since those are what is measured, and one that is broken must neither mislead nor end the
/// program that is to find it out.
///
/// Every rank sends as many messages of the same sizes as it receives, at most log2(ranks) + 1 a call. All methods are
/// collective and throw Error, naming the two ranks, where a message arrives that was not sent so.
class Messages {
 public:
  /// `comm` outlives this, and carries nothing else from rank to rank with tag 1.
  explicit Messages(MPI_Comm comm);

  /// `mine` of every rank, in rank order; it is of the same size on all. J. Bruck et al., Efficient Algorithms for
  /// All-to-All Communications in Multiport Message-Passing Systems, IEEE TPDS 8(11), 1997.
  [[nodiscard]] std::vector<std::byte> all_gather(std::span<const std::byte> mine);
  /// Element by element the greatest over ranks, in place, as many on all; by dissemination: D. Hensgen, R. Finkel, U.
  /// Manber, Two Algorithms for Barrier Synchronization, 1988.
  void max(std::span<double> values);
  /// Bit by bit whether it is set on any rank, in place, as many on all; by dissemination.
  void bit_or(std::span<std::byte> bits);

 private:
  /// `outgoing` to rank `to`, and as many bytes from rank `from`, which are valid until the next call.
  [[nodiscard]] std::span<const std::byte> swap(int to, std::span<const std::byte> outgoing, int from);
  /// As swap(), with the ranks at this distance.
  [[nodiscard]] std::span<const std::byte> swap_at(int distance, std::span<const std::byte> outgoing);

  MPI_Comm comm_;
  int rank_ = 0, size_ = 0;
  std::uint64_t number_ = 0;
  std::vector<std::byte> sent_, received_;
};

}  // namespace busbar
