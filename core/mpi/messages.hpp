// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace busbar {

/// Messages of the control plane: small, from rank to rank, each with its number and a checksum. It uses no collective
/// of the library, because those are under test: a broken one must neither mislead nor crash the program that tests it.
///
/// Every rank sends and receives equally many messages of the same sizes, at most log2(ranks) + 1 per call. All methods
/// are collective over the communicator. They throw Error, naming both ranks, if a message arrives damaged or out of
/// order.
class Messages {
 public:
  /// `comm` must outlive this, and must carry no other messages with tag 1.
  explicit Messages(MPI_Comm comm);

  /// `mine` of every rank, in rank order; its size must be equal on all ranks. J. Bruck et al., Efficient Algorithms
  /// for All-to-All Communications in Multiport Message-Passing Systems, IEEE TPDS 8(11), 1997.
  [[nodiscard]] std::vector<std::byte> all_gather(std::span<const std::byte> mine);
  /// Element-wise maximum over ranks, in place; sizes must be equal. Dissemination algorithm: D. Hensgen, R. Finkel, U.
  /// Manber, Two Algorithms for Barrier Synchronization, 1988.
  void max(std::span<double> values);
  /// Bitwise OR over ranks, in place; sizes must be equal. Dissemination algorithm.
  void bit_or(std::span<std::byte> bits);

  /// As Group::sleep_in_waits().
  void sleep_in_waits(bool sleeps) { sleeps_ = sleeps; }

 private:
  /// Sends `outgoing` to rank `to` and receives as many bytes from rank `from`, valid until the next call.
  [[nodiscard]] std::span<const std::byte> swap(int to, std::span<const std::byte> outgoing, int from);
  /// Exchanges `bytes` of sent_ and received_.
  [[nodiscard]] MPI_Status exchange(int to, int from, int bytes);
  /// Like swap(), with the ranks at this distance.
  [[nodiscard]] std::span<const std::byte> swap_at(int distance, std::span<const std::byte> outgoing);

  MPI_Comm comm_;
  int rank_ = 0, size_ = 0;
  std::uint64_t number_ = 0;
  bool sleeps_ = false;
  std::vector<std::byte> sent_, received_;
};

}  // namespace busbar
